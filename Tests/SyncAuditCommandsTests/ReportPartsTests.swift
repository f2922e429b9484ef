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
                    key: key, field: "title", winner: side("a"), loser: side("b"), gapMilliseconds: Int64(number), withinWindow: true,
                    windowMilliseconds: 300_000, policy: "lastWriterWins", resolution: .keepLocal, reason: .newer, clockSuspect: false)
                let line = AuditLine(
                    sequence: UInt64(number + 1), source: DeviceID("phone \(device)"),
                    event: AuditEvent(at: 1_768_485_900_000, .conflict(conflict)))
                LineEncoder.append(line, to: &bytes)
            }
        }
        try directory.create(name, String(decoding: bytes, as: UTF8.self))
        return directory.file(name)
    }

    @Test func partsGiveTheWholeHoweverTheyCome() throws {
        let logs = [
            try log("1.jsonl", conflicts: 0..<900, devices: 1), try log("2.jsonl", conflicts: 400..<2_000, devices: 2),
            try log("4.jsonl", conflicts: 5..<6, devices: 3),
        ]
        let whole = try run(["--format", "json"] + logs).output
        var parts: [String] = []
        for log in logs {
            let text = try run(["--format", "json", log]).output
            try directory.create((log as NSString).lastPathComponent + ".json", text)
            parts.append(log + ".json")
        }
        #expect(try run(["--format", "json"] + parts).output == whole)
        #expect(try run(["--format", "json"] + parts.reversed()).output == whole)
        // Summaries beside logs, through a pipe, compressed, and put together twice.
        #expect(try run(["--format", "json", logs[0], parts[1], logs[2]]).output == whole)
        let texts = try parts.map { try String(contentsOfFile: $0, encoding: .utf8) }
        #expect(try run(["--format", "json", "-"], input: texts.joined()).output == whole)
        try Data(compressed(texts.joined().utf8)).write(to: URL(fileURLWithPath: directory.file("parts.gz")))
        #expect(try run(["--format", "json", directory.file("parts.gz")]).output == whole)
        let two = try run(["--format", "json", parts[0], parts[1]]).output
        #expect(try run(["--format", "json", "-", parts[2]], input: two).output == whole)
        #expect(try run(parts).output == run(logs).output)
    }

    @Test func aConflictOfSeveralDevicesIsOneConflict() throws {
        let few = try log("few.jsonl", conflicts: 0..<100, devices: 3)
        #expect(try run([few]).output.contains("150 edits were lost in 300 conflicts"))
        #expect(try run([few]).output.contains("100 different conflicts; some were logged by several devices"))
        let distinct = try run(["--distinct", few]).output
        #expect(distinct.contains("50 edits were lost in 100 conflicts"))
        #expect(distinct.contains("each conflict counts once, however many devices logged it"))
        // Every breakdown, not the total alone.
        let once = try log("once.jsonl", conflicts: 0..<100, devices: 1)
        #expect(try run(["--distinct", "--format", "json", few]).output == run(["--distinct", "--format", "json", once]).output)
        #expect(try run(["--distinct", "--format", "json", few, once]).output == run(["--distinct", "--format", "json", once]).output)
    }

    @Test func manyAreEstimatedAndSaidToBe() throws {
        let many = try log("many.jsonl", conflicts: 0..<3_000, devices: 2)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(run(["--format", "json", many]).output.utf8)) as? [String: Any])
        let estimate = try #require(object["distinctConflicts"] as? Int)
        #expect(object["conflicts"] as? Int == 6_000)
        #expect(abs(Double(estimate) / 3_000 - 1) < 0.04)
        let proven = try #require(object["proven"] as? [String: Any])
        #expect((proven["distinct"] as? [String: Any])?["standardError"] as? Double == 0.008125)
        #expect(try run([many]).output.contains("different conflicts (± 1.6 %)"))
    }

    @Test func aFilterPassedByALaterLineOfTheSameConflictCounts() throws {
        let one = try log("one.jsonl", conflicts: 0..<1, devices: 1)
        let text = try String(contentsOfFile: one, encoding: .utf8)
        let diverged = text.replacingOccurrences(of: #""lossy""#, with: #""divergent""#)
        let output = try run(["--distinct", "--severity", "divergent", "-"], input: text + diverged + diverged).output
        #expect(output.contains("in 1 conflict\n"))
    }

    @Test func whatCannotBePutTogetherIsRefusedWithItsPlace() throws {
        let log = try log("log.jsonl", conflicts: 0..<5, devices: 2)
        let whole = try run(["--format", "json", log]).output
        let distinct = try run(["--distinct", "--format", "json", log]).output
        let filtered = try run(["--severity", "lossy", "--format", "json", log]).output
        for (arguments, input, problem) in [
            (["-"], distinct, "1: the summary counts each conflict once and cannot be added to others"),
            (["--distinct", "-"], whole, "1: --distinct needs the logs themselves"),
            (["--severity", "lossy", "-"], whole, "1: the summary was not made with these filters"),
            (["--severity", "benign", "-"], filtered, "1: the summary was not made with these filters"),
            (["-"], whole + whole.replacingOccurrences(of: #""conflicts":10"#, with: #""conflicts":11"#), "2: not a readable summary: "),
            (["-"], #"{"summary":2}"#, "1: not a readable summary: summary is not 1"),
        ] {
            let error = try run(arguments, expecting: .badData, input: input).error
            #expect(error.hasPrefix("syncaudit: standard input:\(problem)"), "\(error)")
        }
        // The same filters are no obstacle.
        #expect(try run(["--severity", "lossy", "--format", "json", "-"], input: filtered).output == filtered)
    }

    @Test func aSummaryMayBeLongerThanALine() throws {
        let log = try log("log.jsonl", conflicts: 0..<5, devices: 1)
        var summary = try run(["--format", "json", log]).output
        // Unknown keys are ignored; 17 MiB of them.
        summary.replaceSubrange(summary.lastIndex(of: "}")!..., with: #","more":"\#(String(repeating: "x", count: 17 << 20))"}"# + "\n")
        #expect(try run(["--format", "json", "-"], input: summary).output == run(["--format", "json", log]).output)
    }
}
