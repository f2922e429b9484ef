import AuditLog
import CompressedData
import ConflictAudit
import Foundation
import SyncAuditCommands
import SyncMerge
import SyncModel
import Testing

/// Reports of parts, put together.
@Suite struct ReportPartsTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func run(_ arguments: [String], expecting code: ExitCode = .success, input: String? = nil) throws -> (
        output: String, error: String
    ) {
        let world = TestWorld()
        if let input { try world.pipe(input) }
        #expect(world.run(["report"] + arguments) == code, "\(world.errorText)")
        return (world.output.text, world.errorText)
    }

    /// A log in which each conflict is logged by so many devices.
    private func log(_ name: String, conflicts: Range<Int>, devices: Int) throws -> String {
        var bytes: [UInt8] = []
        for number in conflicts {
            for device in 0..<devices {
                let side = { (device: String) in
                    Conflict.Side(
                        dot: Dot(device: DeviceID(device), sequence: UInt64(number + 1)),
                        timestamp: HybridTimestamp(milliseconds: 1_768_485_900_000),
                        operation: .put, value: nil)
                }
                let key = RecordKey(type: "Note", id: RecordID("\(number % 17)"))
                let conflict = Conflict(
                    id: ConflictID(rawValue: UInt64(number)), kind: .updateUpdate, severity: number % 2 == 0 ? .lossy : .benign,
                    basis: .causal,
                    key: key, field: "title", winner: side("a"), loser: side("b"), gap: .milliseconds(number), withinWindow: true,
                    window: .seconds(300), policy: "lastWriterWins", resolution: .keepLocal, reason: .newer, clockSuspect: false)
                let line = AuditLine(
                    sequence: UInt64(number + 1), source: DeviceID("phone \(device)"),
                    event: AuditEvent(at: 1_768_485_900_000, .conflict(conflict)))
                LineEncoder.append(line, to: &bytes)
            }
        }
        try directory.create(name, String(decoding: bytes, as: UTF8.self))
        return directory.file(name)
    }

    @Test func whatASummaryCannotShowIsNotProposed() throws {
        let log = try log("log.jsonl", conflicts: 0..<9, devices: 1)
        let steps = { (text: String) in
            text.split(separator: "\n").filter { $0.hasPrefix("syncaudit ") }.map { $0.split(separator: " ")[1] }
        }
        #expect(steps(try run([log]).output) == ["show", "lost", "report"])
        let summary = try directory.path(try run(["--format", "summary", log]).output, as: "summary.json")
        for arguments in [[summary], [log, summary], ["--clock-what-if", summary]] {
            let text = try run(arguments).output
            #expect(steps(text) == ["report"] && text.contains("edits were lost"), "\(arguments): \(text)")
        }
    }

    /// What is made of lines may be put together in any way; what counts once, only where the parts have nothing in common.
    @Test(arguments: [(["--all-copies"], [0..<900, 400..<2_000, 5..<6]), ([], [0..<900, 900..<2_500, 3_000..<3_001])])
    func partsGiveTheWholeHoweverTheyCome(options: [String], conflicts: [Range<Int>]) throws {
        let logs = try conflicts.enumerated().map { try log("\($0).jsonl", conflicts: $1, devices: $0 + 1) }
        let json = options + ["--format", "summary"]
        /// Of how many parts it is made is all in which they may differ.
        func run(_ arguments: [String], input: String? = nil) throws -> String {
            try self.run(arguments, input: input).output.replacing(/"parts":\d/, with: "").replacing(
                /,"isDistinct".*?"copies/, with: "copies")
        }
        let whole = try run(json + logs)
        var parts: [String] = []
        for log in logs {
            let text = try self.run(json + [log]).output
            try directory.create((log as NSString).lastPathComponent + ".json", text)
            parts.append(log + ".json")
        }
        #expect(
            try run(json + parts).replacing(/"distinctConflicts":\d+/, with: "") == whole.replacing(/"distinctConflicts":\d+/, with: ""))
        let together = try run(json + parts)
        #expect(try run(json + parts.reversed()) == together)
        // Summaries beside logs, through a pipe, compressed, and put together twice.
        #expect(try run(json + [logs[0], parts[1], logs[2]]) == together)
        let texts = try parts.map { try String(contentsOfFile: $0, encoding: .utf8) }
        #expect(try run(json + ["-"], input: texts.joined()) == together)
        try Data(compressed(texts.joined().utf8)).write(to: URL(fileURLWithPath: directory.file("parts.gz")))
        #expect(try run(json + [directory.file("parts.gz")]) == together)
        let two = try self.run(json + [parts[0], parts[1]]).output
        #expect(try run(json + ["-", parts[2]], input: two) == together)
    }

    @Test func aConflictOfSeveralDevicesIsOneConflict() throws {
        let few = try log("few.jsonl", conflicts: 0..<100, devices: 3)
        let copies = try run(["--all-copies", few]).output
        #expect(copies.contains("150 edits were lost in 300 conflicts"))
        #expect(copies.contains("100 different conflicts; every line counts, and several devices may have logged"))
        let text = try run([few]).output
        #expect(text.contains("50 edits were lost in 100 conflicts"))
        #expect(text.contains("300 lines tell of these conflicts; each counts once"))
        // Every breakdown, not the total alone.
        let once = try log("once.jsonl", conflicts: 0..<100, devices: 1)
        let expected = try run(["--format", "summary", once]).output
        func leftOut(_ count: Int) -> String {
            expected.replacingOccurrences(of: #""copiesLeftOut":0"#, with: #""copiesLeftOut":\#(count)"#)
        }
        #expect(try run(["--format", "summary", few]).output == leftOut(200))
        #expect(try run(["--format", "summary", few, once]).output == leftOut(300))
        // The same where lines are looked at one by one.
        let page = try run(["--format", "html", few]).output
        #expect(page.contains("<h1>50 edits were lost in 100 conflicts</h1>") && page.contains("300 lines tell of these conflicts"))
        #expect(try run(["--clock-what-if", few]).output.hasPrefix(text.prefix(200)))
    }

    @Test func whatSeveralSummariesHaveInCommonIsSaid() throws {
        let logs = [try log("1.jsonl", conflicts: 0..<100, devices: 2), try log("2.jsonl", conflicts: 40..<140, devices: 1)]
        let texts = try logs.map { try run(["--format", "summary", $0]).output }
        let output = try run(["-"], input: texts.joined()).output
        #expect(output.contains("100 edits were lost in 200 conflicts"))
        #expect(output.contains("140 different conflicts; each counts once in each of the reports put together"))
        #expect(try run(["-", logs[1]], input: texts[0]).output == output)
        #expect(try run(logs).output.contains("70 edits were lost in 140 conflicts"))
    }

    @Test func manyAreEstimatedAndSaidToBe() throws {
        let many = try log("many.jsonl", conflicts: 0..<3_000, devices: 2)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(run(["--all-copies", "--format", "summary", many]).output.utf8)) as? [String: Any])
        let estimate = try #require(object["distinctConflicts"] as? Int)
        #expect(object["conflicts"] as? Int == 6_000)
        #expect(abs(Double(estimate) / 3_000 - 1) < 0.04)
        let proven = try #require(object["proven"] as? [String: Any])
        #expect((proven["distinct"] as? [String: Any])?["standardError"] as? Double == 0.008125)
        #expect(try run(["--all-copies", many]).output.contains("different conflicts (± 1.6 %)"))
        // One by one they are counted exactly.
        #expect(try run([many]).output.contains("1,500 edits were lost in 3,000 conflicts\n"))
    }

    @Test func aFilterPassedByALaterLineOfTheSameConflictCounts() throws {
        let one = try log("one.jsonl", conflicts: 0..<1, devices: 1)
        let text = try String(contentsOfFile: one, encoding: .utf8)
        let diverged = text.replacingOccurrences(of: #""lossy""#, with: #""divergent""#)
        let output = try run(["--severity", "divergent", "-"], input: text + diverged + diverged).output
        #expect(output.contains("in 1 conflict\n"))
        // Of copies that differ the first counts.
        #expect(try run(["--format", "summary", "-"], input: text + diverged).output.contains(#""lossy":1,"#))
        #expect(try run(["--format", "summary", "-"], input: diverged + text).output.contains(#""lossy":0,"#))
    }

    @Test func whatWaitsForADecisionWaitsUntilALineTellsIt() throws {
        let text = try String(contentsOfFile: log("one.jsonl", conflicts: 0..<2, devices: 1), encoding: .utf8)
        let waiting = text.replacingOccurrences(of: #""keep_local""#, with: #""manual_pending""#)
        let decided = text.replacingOccurrences(of: #""keep_local""#, with: #""manual_resolved""#)
        let first = decided.components(separatedBy: "\n")[0] + "\n"
        for (parts, count) in [
            ([waiting], 2), ([waiting, waiting, first, first], 1), ([first, waiting], 1), ([waiting, decided, waiting], 0),
        ] {
            // Each line of a log of its own.
            let input = parts.enumerated().map { $1.replacingOccurrences(of: "phone 0", with: "phone \($0)") }.joined()
            for option in [[], ["--clock-what-if"]] {
                let output = try run(option + ["-"], input: input).output
                #expect(output.contains("in 2 conflicts\n"))
                let sentence = [0: "", 1: "\n1 conflict waits for a decision\n", 2: "\n2 conflicts wait for a decision\n"][count] ?? ""
                #expect(sentence.isEmpty ? !output.contains("for a decision") : output.contains(sentence), "\(output.prefix(300))")
            }
            let world = TestWorld()
            try world.pipe(input)
            _ = world.run("check", "--format", "json", "-")
            #expect(world.output.text.contains(#""unresolved":\#(count),"#))
        }
    }

    @Test func whatCannotBePutTogetherIsRefusedWithItsPlace() throws {
        let log = try log("log.jsonl", conflicts: 0..<5, devices: 2)
        let whole = try run(["--format", "summary", log]).output
        let filtered = try run(["--severity", "lossy", "--format", "summary", log]).output
        for (arguments, input, problem) in [
            (["--severity", "lossy", "-"], whole, "1: the summary was not made with these filters"),
            (["--severity", "benign", "-"], filtered, "1: the summary was not made with these filters"),
            (["-"], whole + whole.replacingOccurrences(of: #""conflicts":5"#, with: #""conflicts":6"#), "2: not a readable summary: "),
            (["-"], #"{"summary":1}"#, "1: not a readable summary: summary is not 3"),
        ] {
            let error = try run(arguments, expecting: .badData, input: input).error
            #expect(error.hasPrefix("syncaudit: standard input:\(problem)"), "\(error)")
        }
        // The same filters are no obstacle.
        #expect(try run(["--severity", "lossy", "--format", "summary", "-"], input: filtered).output == filtered)
    }

    @Test func aSummaryMayBeLongerThanALine() throws {
        let log = try log("log.jsonl", conflicts: 0..<5, devices: 1)
        var summary = try run(["--format", "summary", log]).output
        // Unknown keys are ignored; 17 MiB of them.
        summary.replaceSubrange(summary.lastIndex(of: "}")!..., with: #","more":"\#(String(repeating: "x", count: 17 << 20))"}"# + "\n")
        #expect(try run(["--format", "summary", "-"], input: summary).output == run(["--format", "summary", log]).output)
    }
}
