import ChildProcess
import Foundation
import Testing

/// What README and articles show of the command's output is what it writes.
///
/// A block that begins with `$ ` holds commands and what they write to both streams; `…` on a line of its own is the rest. A page's commands run
/// one after the other in a directory that holds the package's samples, as in a clone, and nothing else.
@Suite struct ShownOutputTests {
    private struct Shown {
        let command: String
        var output: [String] = []
    }

    private static func shown(in page: String) throws -> [Shown] {
        var shown: [Shown] = []
        for block in try SnippetTests.blocks(of: "", in: page) where block.lines.first?.hasPrefix("$ ") == true {
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

    private static let pages = (try? Repository.pages().filter { try !shown(in: $0).isEmpty }) ?? []

    @Test func everyVerbThatPeopleReadIsShown() throws {
        let commands = try Self.pages.flatMap(Self.shown).map(\.command)
        for verb in ["report", "lost", "show", "replay", "check", "restore"] {
            #expect(commands.contains { $0.contains("syncaudit \(verb) ") }, "\(verb)")
        }
    }

    @Test(arguments: pages) func itIsWhatIsWritten(page: String) throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createSymbolicLink(atPath: directory.file("Samples"), withDestinationPath: Repository.path("Samples"))
        for shown in try Self.shown(in: page) {
            var lines = try output(of: shown.command, in: directory)
            var expected = shown.output
            if expected.isEmpty { continue }
            if expected.last == "…" {
                expected.removeLast()
                lines = Array(lines.prefix(expected.count))
            }
            #expect(lines == expected, "\(page): \(shown.command)")
        }
    }

    /// Both streams of a command, line by line, without what the first of several commands says about itself.
    private func output(of command: String, in directory: TemporaryDirectory) throws -> [String] {
        let tests = ChildProcess.helperDirectory
        let pipe = command.components(separatedBy: " | ")
        let quiet = pipe.dropLast().map { $0 + " 2>/dev/null" } + pipe.suffix(1)
        let script = #"cd "$1" && PATH="$2:$PATH" && { "# + quiet.joined(separator: " | ") + "; } 2>&1"
        let process = try ChildProcess(path: "/bin/sh", ["-c", script, "sh", directory.path, tests])
        process.closeInput()
        let text = String(decoding: process.readToEnd(), as: UTF8.self)
        process.wait()
        return text.hasSuffix("\n") ? text.dropLast().components(separatedBy: "\n") : text.isEmpty ? [] : text.components(separatedBy: "\n")
    }
}
