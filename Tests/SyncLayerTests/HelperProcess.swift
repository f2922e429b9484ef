import Foundation

/// A process of the helper program.
final class HelperProcess {
    private let process = Process()
    private let output = Pipe()

    init(_ arguments: String...) throws {
        // Test programs and helpers are built into one directory.
        let directory = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        process.executableURL = directory.appending(path: "SyncLayerTestHelper")
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
    }

    /// Waits for the end.
    ///
    /// - Returns: The lines that it said.
    func lines() -> [String] {
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    var status: Int32 { process.terminationStatus }

    /// Waits for a line of output and a little more, then ends the process without a chance to tidy up.
    ///
    /// - Returns: The whole lines that it said until then.
    func kill(afterBytes count: Int) -> [String] {
        var data = Data()
        while data.count < count {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            data += more
        }
        Foundation.kill(process.processIdentifier, SIGKILL)
        data += output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data.prefix(through: data.lastIndex(of: 10) ?? data.startIndex), as: UTF8.self).split(separator: "\n").map(
            String.init)
    }
}
