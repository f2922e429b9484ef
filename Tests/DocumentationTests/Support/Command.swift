import ChildProcess
import Foundation
import Testing

/// The command as users run it.
enum Command {
    /// What it writes to standard output.
    static func output(_ arguments: [String], status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
        let process = try ChildProcess(helper: "syncaudit", arguments)
        process.closeInput()
        let output = String(decoding: process.readToEnd(), as: UTF8.self)
        #expect(process.wait() == status, "syncaudit \(arguments.joined(separator: " "))", sourceLocation: sourceLocation)
        return output
    }
}

/// A directory that is removed with everything in it.
final class TemporaryDirectory {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "/syncaudit-documentation-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> String { path + "/" + name }

    /// A file with a content, by its path.
    func create(_ name: String, _ content: String) throws -> String {
        try Data(content.utf8).write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }

    /// The contents of all files whose names end so.
    func contents(_ ending: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted().filter { $0.hasSuffix(ending) }
            .map { try String(contentsOf: URL(fileURLWithPath: file($0)), encoding: .utf8) }
    }
}
