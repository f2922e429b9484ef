import ChildProcess
import Foundation
import TemporaryDirectory
package import Testing

/// What README and articles show of the command's output is what it writes.
///
/// A block that begins with `$ ` holds commands and what they write to both streams; `…` on a line of its own is the rest. A page's commands run
/// one after the other in a directory that holds the package's samples, as in a clone, and nothing else.
package enum ShownOutput {
    private struct Shown {
        let command: String
        var output: [String] = []
    }

    private static func shown(in page: String) throws -> [Shown] {
        var shown: [Shown] = []
        for block in try CodeBlock.all(of: "", in: page) where block.lines.first?.hasPrefix("$ ") == true {
            for line in block.lines {
                if line.hasPrefix("$ ") {
                    shown.append(Shown(command: String(line.dropFirst(2))))
                } else {
                    shown[shown.count - 1].output.append(line)
                }
            }
        }
        return shown
    }

    /// The pages that show what the command writes.
    package static let pages = (try? Repository.pages().filter { try !shown(in: $0).isEmpty }) ?? []

    /// The command lines of all pages.
    package static func commands() throws -> [String] { try pages.flatMap(shown).map(\.command) }

    /// Runs the commands of a page and expects what it shows.
    package static func check(page: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createSymbolicLink(atPath: directory.file("Samples"), withDestinationPath: Repository.path("Samples"))
        for shown in try shown(in: page) where canRun(shown.command) {
            var lines = try output(of: shown.command, in: directory)
            var expected = shown.output
            if expected.isEmpty { continue }
            if expected.last == "…" {
                expected.removeLast()
                lines = Array(lines.prefix(expected.count))
            }
            #expect(lines == expected, "\(page): \(shown.command)", sourceLocation: sourceLocation)
        }
    }

    /// Whether the programs of others in a command line are there; what is not is said by a test of its own.
    private static func canRun(_ command: String) -> Bool {
        others.allSatisfy { program in !pipe(command).contains { $0.hasPrefix(program + " ") } || has(program) }
    }

    /// The commands of a pipe: what is quoted may hold the same sign.
    private static func pipe(_ command: String) -> [String] {
        var commands = [""]
        for (index, part) in command.split(separator: "'", omittingEmptySubsequences: false).enumerated() {
            if index > 0 { commands[commands.count - 1] += "'" }
            let pieces = index.isMultiple(of: 2) ? part.split(separator: " | ", omittingEmptySubsequences: false) : [part]
            commands[commands.count - 1] += pieces[0]
            commands += pieces.dropFirst().map(String.init)
        }
        return commands
    }

    /// The programs of others that pages call.
    package static let others = ["jq", "sqlite3", "duckdb"]

    /// Whether a program is there.
    package static func has(_ program: String) -> Bool { ChildProcess.run(["sh", "-c", "command -v \(program)"]).status == 0 }

    /// Both streams of a command, line by line, without what the first of several commands says about itself.
    private static func output(of command: String, in directory: TemporaryDirectory) throws -> [String] {
        let tests = ChildProcess.helperDirectory
        let pipe = pipe(command)
        let quiet = pipe.dropLast().map { $0 + " 2>/dev/null" } + pipe.suffix(1)
        let script = #"cd "$1" && PATH="$2:$PATH" && { "# + quiet.joined(separator: " | ") + "; } 2>&1"
        let process = try ChildProcess(path: "/bin/sh", ["-c", script, "sh", directory.path, tests])
        process.closeInput()
        let text = String(decoding: process.readToEnd(), as: UTF8.self)
        process.wait()
        return text.hasSuffix("\n") ? text.dropLast().components(separatedBy: "\n") : text.isEmpty ? [] : text.components(separatedBy: "\n")
    }
}
