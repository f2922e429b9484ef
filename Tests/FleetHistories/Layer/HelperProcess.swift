import ChildProcess
import Foundation

/// A process of the helper program.
package final class HelperProcess {
    private let process: ChildProcess

    package init(_ arguments: String...) throws {
        process = try ChildProcess(helper: "SyncLayerTestHelper", arguments)
    }

    /// Waits for the end.
    ///
    /// - Returns: The lines that it said.
    package func lines() -> [String] {
        let bytes = process.readToEnd()
        process.wait()
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    package var status: Int32 { process.wait() }

    /// Waits for some bytes of output and some time more, then ends the process without a chance to tidy up.
    ///
    /// - Returns: The whole lines that it said until then.
    package func kill(afterBytes count: Int, andMicroseconds microseconds: Int = 0) -> [String] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = process.available()
            if more.isEmpty { break }
            bytes += more
        }
        usleep(UInt32(microseconds))
        process.signal(SIGKILL)
        bytes += process.readToEnd()
        process.wait()
        guard let end = bytes.lastIndex(of: 0x0a) else { return [] }
        return String(decoding: bytes[...end], as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
