import ConflictAudit
import Foundation
import SyncModel
import Testing

@testable import SyncAuditCommands

/// `tail` without following.
@Suite struct TailTests {
    private let world = TestWorld()
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func words(_ arguments: String...) -> [String] {
        #expect(SyncAudit.run(arguments: ["tail"] + arguments, context: world.context) == .success)
        return TailSample.words(world.output.text)
    }

    @Test func theLastTenAreShown() throws {
        try directory.create("log", (1...20).map { TailSample.account("s\($0)", at: $0) }.joined())
        #expect(words(directory.file("log")) == (11...20).map { "s\($0)" })
        #expect(world.errorText == "")
    }

    @Test(arguments: [(0, []), (1, ["s3"]), (2, ["s2", "s3"]), (3, ["s1", "s2", "s3"]), (100, ["s1", "s2", "s3"])])
    func asManyAsAskedFor(count: Int, expected: [String]) throws {
        try directory.create("log", (1...3).map { TailSample.account("s\($0)", at: $0) }.joined())
        #expect(words("-n", "\(count)", directory.file("log")) == expected)
    }

    @Test func severalFilesComeInTheOrderOfTime() throws {
        try directory.create("a", [1, 4, 5].map { TailSample.account("a\($0)", at: $0) }.joined())
        try directory.create("b", [2, 5, 9].map { TailSample.account("b\($0)", at: $0) }.joined())
        try directory.create("c", TailSample.account("c3", at: 3))
        #expect(words("-n", "5", directory.file("a"), directory.file("b"), directory.file("c")) == ["c3", "a4", "a5", "b5", "b9"])
    }

    @Test func withinAFileLinesKeepTheirOrder() throws {
        try directory.create("a", TailSample.account("a9", at: 9) + TailSample.account("a1", at: 1))
        try directory.create("b", TailSample.account("b5", at: 5) + TailSample.account("b10", at: 10))
        #expect(words(directory.file("a"), directory.file("b")) == ["b5", "a9", "a1", "b10"])
    }

    @Test(arguments: [
        (["--severity", "lossy"], ["title", "tags"]), (["--severity", "benign"], ["body"]), (["--field", "body"], ["body"]),
        (["--kind", "insert_insert"], []), (["--device", "iPad"], ["title", "body", "tags"]), (["--device", "nobody"], []),
        (["--record-type", "Note", "-n", "1"], ["tags"]), (["--record-type", "Card"], []),
        (["--since", "2026-01-15T14:00:02Z"], ["body", "tags", "last"]), (["--until", "2026-01-15T14:00:02Z"], ["first", "title"]),
        (["--since", "4h", "--severity", "lossy", "-n", "1"], ["tags"]),
    ]) func onlyWhatPassesTheFiltersCounts(arguments: [String], expected: [String]) throws {
        let lines = [
            TailSample.account("first"), TailSample.conflict("title", at: 1), TailSample.conflict("body", at: 2, severity: .benign),
            TailSample.conflict("tags", at: 3), TailSample.account("last", at: 4),
        ]
        try directory.create("log", lines.joined())
        #expect(SyncAudit.run(arguments: ["tail"] + arguments + [directory.file("log")], context: world.context) == .success)
        let names = world.output.text.split(separator: "\n").map { line in
            line.firstRange(of: "Note/1.").map { String(line[$0.upperBound...].prefix { $0 != " " }) } ?? TailSample.words(String(line))[0]
        }
        #expect(names == expected)
    }

    @Test func jsonPassesThroughByteForByte() throws {
        let odd = #"  {"status" : "\u0061", "event":"account",  "ts":"2026-01-15T14:00:00Z", "unknown":[1 ,2]}  "#
        let torn = String(TailSample.account("torn").dropLast(9)) + "\n"
        try directory.create("log", TailSample.conflict("title") + torn + "\n" + odd + "\r\n" + #"{"event":"telepathy"}"# + "\n")
        #expect(world.run("tail", "--format", "json", directory.file("log")) == .success)
        #expect(world.output.text == TailSample.conflict("title") + odd + "\r\n")
        #expect(
            world.errorText == """
                syncaudit: 1 line passed over that could not be understood, the first at \(directory.file("log")):2: the line is cut off: the value does not end (byte \(torn.utf8.count) of the line)
                syncaudit: 1 line passed over whose event this version does not know

                """)
    }

    @Test(arguments: ["text", "json"]) func wrappedLinesAreUnwrapped(format: String) throws {
        let line = TailSample.account("carried")
        let encoded = String(decoding: try JSONEncoder().encode(line), as: UTF8.self)
        let lines = [#"{"log":\#(encoded),"stream":"stdout"}"#, #"{"MESSAGE":\#(encoded)}"#, #"{"eventMessage":\#(encoded)}"#]
        try directory.create("log", lines.joined(separator: "\n") + "\n" + #"{"MESSAGE":"Started."}"#)
        let expected = format == "json" ? line : "2026-01-15T14:00:00.000Z  account      phone: carried\n"
        #expect(world.run("tail", "--format", format, directory.file("log")) == .success)
        #expect(world.output.text == String(repeating: expected, count: 3))
    }

    private static let mirroring = [
        #"Filtering the log data using "subsystem == "com.apple.coredata"""#,
        appleRecord(
            "CoreData+CloudKit: -[NSCloudKitMirroringDelegate checkAndExecuteNextRequest]_block_invoke(3524): <NSCloudKitMirroringDelegate: "
                + "0x1>: Executing: <NSCloudKitMirroringExportRequest: 0x2> EAD9", category: "CloudKit"),
        appleRecord(
            "CoreData+CloudKit: -[NSCloudKitMirroringDelegate _finishedRequest:withResult:](3542): Finished request: "
                + "<NSCloudKitMirroringExportRequest: 0x2> EAD9 with result: <NSCloudKitMirroringResult: 0x3> storeIdentifier: 5D "
                + #"success: 0 madeChanges: 0 error: Error Domain=CKErrorDomain Code=2 \"Cannot create new type\u001b[2J\""#,
            category: "CloudKit"),
        appleRecord(String(TailSample.account("ours").dropLast()).replacing("\"", with: "\\\""), category: "sync"),
        TailSample.account("bare").dropLast() + "", #"{"count":4,"finished":1}"#,
    ]

    private static func appleRecord(_ message: String, category: String) -> String {
        #"{"eventMessage":"\#(message)","subsystem":"com.apple.coredata","category":"\#(category)","timestamp":"2026-01-15 14:00:01.000000+0000"}"#
    }

    @Test(arguments: [
        ([], 4), (["--category", "CloudKit"], 2), (["--category", "sync"], 1), (["--category", "sync", "--category", "CloudKit"], 3),
        (["--category", "other"], 0),
    ]) func categoriesOfApplesLogAreFiltered(arguments: [String], count: Int) throws {
        try directory.create("log", Self.mirroring.joined(separator: "\n"))
        #expect(SyncAudit.run(arguments: ["tail"] + arguments + [directory.file("log")], context: world.context) == .success)
        #expect(world.output.text.split(separator: "\n").count == count)
        #expect(!world.errorText.contains("understood"))
    }

    @Test func whatCoreDataSaysOfMirroringIsShown() throws {
        try directory.create("log", Self.mirroring.joined(separator: "\n"))
        #expect(world.run("tail", "--category", "CloudKit", directory.file("log")) == .success)
        #expect(
            world.output.text == """
                2026-01-15T14:00:01.000Z  sync         export started
                2026-01-15T14:00:01.000Z  sync         export failed: partial failure (CKError 2), "Cannot create new type\\u{1b}[2J"

                """)
    }

    @Test func aLastLineWithoutItsBreakCounts() throws {
        try directory.create("log", TailSample.account("a") + TailSample.account("b").dropLast())
        #expect(words(directory.file("log")) == ["a", "b"])
    }

    @Test func valuesAreShortAndHarmless() throws {
        let evil = "\u{1b}[2J" + String(repeating: "x", count: 10_000)
        try directory.create("log", TailSample.conflict("title", lost: .string(evil)))
        #expect(world.run("tail", "--color", "never", directory.file("log")) == .success)
        #expect(
            world.output.text
                == "2026-01-15T14:00:00.000Z  lossy        00000000  update_update       Note/1.title  iPad over iPhone (newer): lost "
                + #""\u001b[2J"# + String(repeating: "x", count: 49) + "…\n")
    }

    @Test func coloursAreForTerminals() throws {
        try directory.create("log", TailSample.conflict("title"))
        world.terminals.output = true
        #expect(world.run("tail", directory.file("log")) == .success)
        #expect(world.output.text.contains("\u{1b}[31mlossy"))
    }

    @Test func theWidthIsAskedForAtEachLine() throws {
        try directory.create("log", (1...3).map { TailSample.conflict("title", at: $0) }.joined())
        var widths = [40, 60, 50]
        var context = world.context
        context.terminals.output = true
        context.environment = { $0 == "NO_COLOR" ? "1" : nil }
        // The last lines are read backwards.
        context.reportedWidth = { widths.popLast() }
        #expect(SyncAudit.run(arguments: ["tail", directory.file("log")], context: context) == .success)
        #expect(world.output.text.split(separator: "\n").map(\.count) == [40, 60, 50])
    }

    @Test func standardInputIsReadToItsEnd() throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data((1...200).map { TailSample.account("s\($0)", at: $0) }.joined().utf8))
        try pipe.fileHandleForWriting.write(contentsOf: Data("no line\n".utf8))
        try pipe.fileHandleForWriting.close()
        var context = world.context
        context.standardInput = pipe.fileHandleForReading.fileDescriptor
        #expect(SyncAudit.run(arguments: ["tail", "-n", "3"], context: context) == .success)
        #expect(TailSample.words(world.output.text) == ["s198", "s199", "s200"])
        #expect(world.errorText.contains("the first at standard input:201: "))
    }

    @Test func whatIsNotThereIsNoInput() {
        #expect(world.run("tail", directory.file("missing")) == .noInput)
        #expect(world.errorText == "syncaudit: \(directory.file("missing")): there is no such file or directory\n")
    }

    private func output(_ time: Int64, _ bytes: [UInt8]) -> LinePrinter.Output {
        LinePrinter.Output(milliseconds: time, content: .json(bytes))
    }

    private func bytes(_ output: LinePrinter.Output) -> [UInt8] { if case .json(let bytes) = output.content { bytes } else { [] } }

    /// A conflict that four devices logged is one line, with what it is called and how many tell of it.
    @Test func aConflictOfSeveralLogsIsOneLine() throws {
        let story = try Story(directory)
        let line = try #require(directory.content("log.jsonl")).split(separator: "\n").first { $0.contains(#""event":"conflict""#) }
        let logs = try ["a", "b", "c", "d"].map { try directory.path("\(try #require(line))\n", as: $0 + ".jsonl") }
        #expect(world.run(["tail"] + logs) == .success)
        let id = try TestWorld.id(in: story.log)
        let shown = world.output.text.split(separator: "\n")
        #expect(shown.count == 1 && shown[0].contains("  \(id.prefix(8))  ") && shown[0].contains("in 4 logs"))

        let json = TestWorld()
        #expect(json.run(["tail", "--format", "json"] + logs) == .success)
        #expect(try json.lines.count == 4)
    }

    @Test func oneRecordIsLookedFor() throws {
        let story = try Story(directory)
        #expect(world.run("tail", "--record", "Card/42", story.trace, story.log) == .success)
        #expect(world.output.text.split(separator: "\n").count == 4 && world.errorText == "")
        let other = TestWorld()
        #expect(other.run("tail", "--record", "Card/43", story.trace, story.log) == .success)
        #expect(other.output.text == "" && other.errorText.contains(#"--record: nothing that was read has the record "Card/43""#))
    }

    @Test func whatComesFromSeveralLogsAtOnceIsInTheOrderOfTimes() {
        var lines = OrderedLines()
        func add(_ time: Int64, _ name: String, from log: String) {
            lines.add(output(time, Array(name.utf8)), from: log)
        }
        for (time, name) in [(1, "a1"), (5, "a5"), (2, "a2"), (9, "a9")] { add(Int64(time), name, from: "a") }
        for (time, name) in [(3, "b3"), (5, "b5"), (6, "b6")] { add(Int64(time), name, from: "b") }
        #expect(lines.popAll().map { String(decoding: bytes($0), as: UTF8.self) } == ["a1", "b3", "a5", "a2", "b5", "b6", "a9"])
        #expect(lines.popAll().isEmpty)
    }

    @Test(arguments: [0, 1, 3, 100]) func noMoreThanTheLastOfSeveralLogsAreKept(limit: Int) {
        var lines = OrderedLines(limit: limit)
        // Each log is older than the one before it, but for one line in ten.
        for log in 0..<10 {
            for line in 0..<10 {
                let time = line == 5 ? Int64(1000 + log) : Int64(100 - 10 * log + line)
                lines.add(output(time, [UInt8(10 * log + line)]), from: "\(log)")
            }
        }
        // From its sixth line on, a log is as late as that.
        let late = (0..<10).flatMap { log in (5..<10).map { UInt8(10 * log + $0) } }
        let early = (0..<10).reversed().flatMap { log in (0..<5).map { UInt8(10 * log + $0) } }
        #expect(lines.popAll().flatMap(bytes) == Array((early + late).suffix(limit)))
    }
}
