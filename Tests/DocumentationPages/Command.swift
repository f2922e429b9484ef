import ChildProcess
import Foundation
package import Testing

/// The command as users run it.
package enum Command {
    /// What it writes to standard output.
    package static func output(_ arguments: [String], status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation) throws -> String
    {
        let process = try ChildProcess(helper: "syncaudit", arguments)
        process.closeInput()
        let output = String(decoding: process.readToEnd(), as: UTF8.self)
        #expect(process.wait() == status, "syncaudit \(arguments.joined(separator: " "))", sourceLocation: sourceLocation)
        return output
    }
}
