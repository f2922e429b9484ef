import DocumentationPages
import Foundation
import Testing

@testable import SyncAuditCommands

/// Every command line in README and articles, taken by the command's own parser.
@Suite struct CommandLineTests {
    struct Line: CustomTestStringConvertible {
        let place: String
        let arguments: [String]

        var testDescription: String { "\(place): syncaudit \(arguments.joined(separator: " "))" }
    }

    private static let lines: [Line] = (try? Repository.pages().flatMap(lines)) ?? []

    private static func lines(in page: String) throws -> [Line] {
        var lines: [Line] = []
        var isFenced = false
        for (index, text) in try Repository.text(page).components(separatedBy: "\n").enumerated() {
            if text.hasPrefix("```") { isFenced.toggle() }
            // Within a text, what stands between backticks.
            let codes = isFenced ? [text] : text.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
            for code in codes {
                for command in ShellWords.commands(in: code) {
                    guard let start = command.firstIndex(of: "syncaudit"), start + 1 < command.count else { continue }
                    lines.append(Line(place: "\(page):\(index + 1)", arguments: Array(command[(start + 1)...])))
                }
            }
        }
        return lines
    }

    @Test func thereAreCommandLinesOfEveryVerb() {
        let verbs = Set(Self.lines.compactMap(\.arguments.first))
        #expect(verbs.isSuperset(of: SyncAudit.verbs.map(\.definition.name)))
        #expect(Self.lines.count > 40)
    }

    @Test(arguments: lines) func itIsUnderstood(line: Line) throws {
        let verb = try #require(line.arguments.first)
        if ["--help", "--version", "VERB"].contains(verb) { return }
        let definition = try #require(SyncAudit.verbs.map(\.definition).first { $0.name == verb }, "there is no such verb")
        _ = try definition.parse(Array(line.arguments.dropFirst()))
    }

    @Test func wordsAreThoseOfAShell() {
        #expect(
            ShellWords.commands(in: #"$ a -b 'c d' "e f" | g > h 2>&1 && i  # j"#) == [["$", "a", "-b", "c d", "e f"], ["g"], ["i"]])
        #expect(ShellWords.commands(in: "source <(syncaudit completions bash)") == [["source"], ["syncaudit", "completions", "bash"]])
    }

    @Test(arguments: [["report", "--fromat", "csv"], ["report", "--format", "xls"], ["replay", "--policy", "T.f=sett"]])
    func aMistakeIsFound(arguments: [String]) throws {
        let definition = try #require(SyncAudit.verbs.map(\.definition).first { $0.name == arguments[0] })
        #expect(throws: (any Error).self) { try definition.parse(Array(arguments.dropFirst())) }
    }
}

/// As much of a shell's grammar as the documentation uses.
enum ShellWords {
    /// The commands of a line, word by word, without redirections and comments.
    static func commands(in line: String) -> [[String]] {
        var commands: [[String]] = [[]]
        var word: String?
        var quote: Character?
        var isTarget = false
        func endWord() {
            if let whole = word, !isTarget { commands[commands.count - 1].append(whole) }
            if word != nil { isTarget = false }
            word = nil
        }
        scan: for character in line {
            if let open = quote {
                if character == open { quote = nil } else { word?.append(character) }
                continue
            }
            switch character {
            case "'", "\"":
                quote = character
                word = word ?? ""
            case " ": endWord()
            case "#" where word == nil: break scan
            case "|", "&", "(", ")", ";", "<":
                // `2>&1` names a stream, no command.
                if character == "&", isTarget { continue }
                endWord()
                commands.append([])
            case ">":
                // The number of a stream is part of the redirection.
                if word?.allSatisfy(\.isNumber) == true { word = nil }
                endWord()
                isTarget = true
            default: word = (word ?? "") + String(character)
            }
        }
        endWord()
        return commands.filter { !$0.isEmpty }
    }
}
