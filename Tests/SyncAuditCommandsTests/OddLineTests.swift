import AuditLive
import AuditLog
import CommandWorld
import Foundation
import Testing

@testable import SyncAuditCommands

/// Lines are read in several ways, from the start, from the end, in blocks and as they come: each says the same of the same line.
@Suite struct OddLineTests {
    /// A log of two good lines with something odd in it.
    struct OddLog: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        /// The line that is no event and what is said of it; nil where there is none.
        var problem: (line: Int, sentence: String)?
        /// Whether it is told and counted without `--lenient` too.
        var isTorn = false
        /// Whether `--lenient` is a remedy.
        var isBroken = false

        var testDescription: String { name }
    }

    private static let mark = "\u{feff}"
    private static let (first, second) = (Trace.put("a", at: 0, #"{"v":5}"#), Trace.put("b", at: 60, #"{"v":3}"#))
    private static let third = Trace.put("c", at: 70, #"{"v":1}"#)
    private static let half = String(third.dropLast(9))
    private static let torn = "the last line breaks off: its writer may have died, or has not written all of it yet"
    private static let zeros = "the last line is nothing but zeros, as a power cut leaves them"

    private static func good(_ name: String, _ text: String) -> OddLog { OddLog(name: name, bytes: Array(text.utf8)) }

    private static func torn(_ name: String, _ text: String, _ sentence: String = torn) -> OddLog {
        OddLog(name: name, bytes: Array(text.utf8), problem: (3, sentence), isTorn: true)
    }

    private static func broken(_ name: String, _ line: Int, _ text: String, _ sentence: String) -> OddLog {
        OddLog(name: name, bytes: Array(text.utf8), problem: (line, sentence), isBroken: true)
    }

    private static func other(_ name: String, _ line: Int, _ text: String, _ sentence: String) -> OddLog {
        OddLog(name: name, bytes: Array(text.utf8), problem: (line, sentence))
    }

    static let logs = [
        good("a byte order mark before the first line", mark + first + second),
        good("a byte order mark alone in the first line", mark + "\n" + first + second),
        good("blanks", first + " \t\n\n" + second),
        good("line breaks of two bytes", (first + second).replacing("\n", with: "\r\n")),
        good("an event that is not known", first + #"{"event":"telepathy","ts":"2026-01-15T14:00:00Z"}"# + "\n" + second),
        good("no line break at the end", String((first + second).dropLast())),
        torn("half a line at the end", first + second + half),
        torn("half a line and zeros at the end", first + second + half + "\0\0\0"),
        torn("zeros at the end", first + second + "\0\0\0\0\0", zeros),
        broken("a byte order mark before the second line", 2, first + mark + second, "this is not JSON"),
        broken("half a line in the middle", 2, first + half + "\n" + second, "the line is cut off: the value does not end"),
        broken("half a line with a line break at the end", 3, first + second + half + "\n", "the line is cut off: the value does not end"),
        broken("an array", 2, first + "[1]\n" + second, "the line must be a JSON object, not an array"),
        broken(
            "a line of 17 MB", 2, first + String(repeating: " ", count: 17 << 20) + "\n" + second,
            "the line is longer than 16777216 bytes, the most that is read"),
        other("the header of a table", 1, "name,age\n" + first + second, "this is CSV, not JSON Lines: "),
        other("words before the first line", 1, "Starting up\n" + first + second, "this is text, not JSON Lines, "),
    ]

    private static let verbs = ["report", "lost", "lost --reverts", "export", "audit", "replay", "check --format json", "tail", "verify"]

    /// What a verb says of a log, from a file or from standard input.
    private func told(
        _ verb: String, _ path: String, isPiped: Bool, isLenient: Bool
    ) -> (text: String, error: String, status: ExitCode) {
        let world = TestWorld()
        if isPiped { world.redirect(from: path) }
        let words = verb.split(separator: " ").map(String.init) + (isLenient ? ["--lenient"] : [])
        let status = world.run(words + [isPiped ? "-" : path])
        return (world.errorText + world.output.text, world.errorText, status)
    }

    @Test(arguments: logs) func everyVerbSaysTheSame(log: OddLog) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("a.jsonl")
        try Data(log.bytes).write(to: URL(fileURLWithPath: path))
        // Many megabytes take their time without optimisation; how blocks are cut is tested in 'LogSummarizerTests'.
        let isLong = log.bytes.count > 1 << 20
        for verb in isLong ? ["lost", "audit", "check --format json", "tail", "verify"] : Self.verbs {
            let isForgiving = ["check", "tail", "verify"].contains { verb.hasPrefix($0) }
            for isPiped in isLong ? [false] : [false, true] {
                let name = isPiped ? "standard input" : path
                let lenient = told(verb, path, isPiped: isPiped, isLenient: !isForgiving)
                let strict = told(verb, path, isPiped: isPiped, isLenient: false)
                let comment = Comment(rawValue: "\(verb), \(name): \(lenient.text.prefix(2000))")
                guard let (line, sentence) = log.problem else {
                    #expect(!lenient.text.contains("could not be understood"), comment)
                    #expect(!lenient.text.contains(#""kind":"schema""#) && !lenient.text.contains(#""kind":"torn""#), comment)
                    #expect(strict.text == lenient.text, comment)
                    continue
                }
                #expect(lenient.text.contains("\(name):\(line): \(sentence)"), comment)
                if verb.hasPrefix("check") { #expect(lenient.text.contains(#""kind":"torn""#) == log.isTorn, comment) }
                if isForgiving { continue }
                #expect(lenient.status == .success, comment)
                #expect((strict.status == .success) == log.isTorn, comment)
                #expect(strict.error.hasSuffix("; --lenient passes over such lines\n") == log.isBroken, "\(verb): \(strict.error)")
            }
        }
    }

    /// What `top` and `browse` count.
    @Test(arguments: logs) func theScreenSaysTheSame(log: OddLog) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("a.jsonl")
        try Data(log.bytes).write(to: URL(fileURLWithPath: path))
        var screen = LiveScreen(title: "", source: "", isLive: false)
        var stream = try StreamedLines(path: path, waits: true)
        var names = NameSearch([])
        while let lines = try stream.read() {
            for line in lines { screen.observe(line, &names) }
        }
        #expect(screen.skipped == (log.problem == nil ? 0 : 1))
        let expected = log.problem.map { "\(path):\($0.line): \($0.sentence)" }
        #expect(expected.map { screen.firstProblem?.hasPrefix($0) == true } ?? (screen.firstProblem == nil))
    }

    /// Only `report` and `export` take a summary; no other verb passes over it in silence.
    @Test func aSummaryIsNoLine() throws {
        let directory = try TemporaryDirectory()
        let world = TestWorld()
        let log = try directory.path(Trace.clash())
        #expect(world.run("report", "--format", "summary", log) == .success)
        let path = directory.file("a.jsonl")
        try Data(Array(Self.first.utf8) + world.output.bytes).write(to: URL(fileURLWithPath: path))
        for verb in Self.verbs where verb != "report" && verb != "export" {
            let text = told(verb, path, isPiped: false, isLenient: false).text
            #expect(text.contains("\(path):2: this is a summary, as 'syncaudit report --format summary' writes it; "), "\(verb): \(text)")
        }
    }

    /// A file that is followed has one first line, and each file that takes its place has one.
    @Test func eachFollowedFileHasOneFirstLine() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("a.jsonl")
        try directory.create("a.jsonl", Self.first)
        var follower = LogFollower(paths: [path])
        func lines() -> [Bool] { follower.step().compactMap { if case .line(let line) = $0 { line.isFirst } else { nil } } }
        #expect(lines() == [true])
        try directory.create("a.jsonl", Self.first + Self.second + Self.third)
        #expect(lines() == [false, false])
        try FileManager.default.removeItem(atPath: path)
        try directory.create("a.jsonl", Self.second + Self.third)
        let later = lines() + lines()
        #expect(later == [true, false])
    }
}
