import AuditAnalysis
import CompressedData
import ConflictAudit
import Foundation
import SyncBytes
import SyncOracle
import Testing

@testable import SyncAuditCommands

/// What a watched export keeps beside its output, so that whoever stops and starts it never sees a total fall or a line count twice.
@Suite struct CounterFileTests {
    private static let groups = CounterExport.groups

    private let directory: TemporaryDirectory
    private let exports: CounterExport

    init() throws {
        directory = try TemporaryDirectory()
        exports = try CounterExport(directory)
    }

    @discardableResult
    private func export(_ options: String..., code: ExitCode = .success, sourceLocation: SourceLocation = #_sourceLocation) throws -> String
    {
        try exports.run(options, code: code, sourceLocation: sourceLocation)
    }

    private func counters(_ text: String? = nil) -> [String: Int] { exports.counters(text) }

    private var conflicts: Int? { exports.conflicts }

    private func remove(_ name: String) { try? FileManager.default.removeItem(atPath: directory.file(name)) }

    @Test func aLogThatWasDeletedStaysCountedAfterARestart() throws {
        try directory.create("logs/a.jsonl", Self.groups[..<20].joined())
        try directory.create("logs/b.jsonl", Self.groups[20...].joined())
        try export()
        #expect(conflicts == 30)
        let before = counters()
        remove("logs/a.jsonl")
        try export()
        #expect(counters() == before)
        remove("logs/b.jsonl")
        try export()
        #expect(counters() == before)
        // Copies of what was counted come in another log: none of them is new, but the last.
        try directory.create("logs/c.jsonl", Self.groups[..<5].joined())
        try export()
        #expect(counters() == before)
        #expect(directory.names == ["logs", "out.prom", "out.prom.counters", "out.prom.counters.lock"])
    }

    /// One exporter that is started anew after each change agrees with one that goes on, and no counter ever falls.
    @Test(arguments: 1...6) func restartsAreSeenInNoCounter(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var going = WatchedFiles(filter: ReportFilter(), countsCopies: seed.isMultiple(of: 2), isLenient: false)
        var groups = Self.groups[...]
        var contents: [String: String] = [:]
        var last: [String: Int] = [:]
        for step in 0..<25 {
            let names = contents.keys.sorted()
            let name = names.randomElement(using: &random) ?? "a.jsonl"
            switch Int.random(in: 0..<8, using: &random) {
            case 0: contents[name] = nil
            case 1 where contents[name] != nil: contents["r\(step).jsonl"] = contents.removeValue(forKey: name)
            case 2 where contents[name] != nil: contents["copy\(step).jsonl"] = contents[name]
            case 3: contents[name] = groups.popFirst()
            case 4 where contents[name] != nil: contents["z\(step).jsonl.gz"] = contents.removeValue(forKey: name)
            default: contents[name, default: ""] += groups.popFirst() ?? ""
            }
            for name in directory.names(in: "logs") where contents[name] == nil { remove("logs/" + name) }
            for (name, content) in contents {
                let bytes = name.hasSuffix(".gz") ? Data(compressed(content.utf8)) : Data(content.utf8)
                if FileManager.default.contents(atPath: directory.file("logs/" + name)) != bytes {
                    try bytes.write(to: URL(fileURLWithPath: directory.file("logs/" + name)))
                }
            }
            let options = seed.isMultiple(of: 2) ? ["--all-copies"] : []
            #expect(try options.isEmpty ? export() == "" : export("--all-copies") == "")
            try going.update(directory.names(in: "logs").map { .file(directory.file("logs/" + $0)) }, TestWorld().context)
            let now = counters()
            #expect(conflicts == going.everything.all.statistics.totalConflicts, "seed \(seed), step \(step)")
            #expect(now["syncaudit_writes_total"] == going.everything.writes.count, "seed \(seed), step \(step)")
            for (series, count) in last { #expect(now[series] ?? -1 >= count, "\(series) seed \(seed), step \(step)") }
            last = now
        }
        #expect(last["syncaudit_writes_total"] ?? 0 > 10)
    }

    @Test func filesThatAreNotThereAreWaitedForAndHoldNothingUp() throws {
        try FileManager.default.removeItem(atPath: directory.file("logs"))
        #expect(try export().contains("logs is not there yet, and is waited for"))
        #expect(conflicts == 0)
        try directory.create("logs/a.jsonl", Self.groups[0])
        try export()
        // A series that comes later begins at 0.
        #expect(conflicts == 1)
        let world = TestWorld()
        var context = world.context
        try world.pipe("")
        context.catchStopSignals = { world.standardInput }
        try directory.create("logs/b.jsonl", Self.groups[1])
        let files = ["gone.jsonl", "logs/b.jsonl"].map(directory.file)
        #expect(
            SyncAudit.run(arguments: ["export", "--watch", "1s", "-o", directory.file("out.prom")] + files, context: context) == .success)
        #expect(conflicts == 2)
    }

    @Test func aConflictIsDecidedAfterARestart() throws {
        let pending = Self.groups[0].replacing("\"resolution\":\"apply_remote\"", with: "\"resolution\":\"manual_pending\"")
            .replacing("\"resolution\":\"keep_local\"", with: "\"resolution\":\"manual_pending\"")
        let decided = pending.replacing("manual_pending", with: "manual_resolved")
        let waiting = #"syncaudit_unresolved_conflicts{certainty="proven"} "#
        try directory.create("logs/a.jsonl", pending)
        try export()
        #expect(directory.content("out.prom")?.contains(waiting + "1\n") == true)
        try directory.create("logs/b.jsonl", decided)
        try export()
        #expect(directory.content("out.prom")?.contains(waiting + "0\n") == true)
        #expect(conflicts == 1)
    }

    @Test func aProcessKilledBetweenCountersAndOutputLosesNothing() throws {
        try directory.create("logs/a.jsonl", Self.groups[0])
        try export()
        let old = try #require(directory.content("out.prom"))
        // A field that has lost nothing so far.
        let other = Self.groups[1].replacing("\"v\"", with: "\"w\"")
        try directory.create("logs/a.jsonl", Self.groups[0] + other)
        try export()
        let series = #"syncaudit_field_edits_lost_total{certainty="proven",record_type="Note",field="w"}"#
        #expect(counters()[series] == 0)
        let new = directory.content("out.prom")
        // The counters were kept, and the output that they are of was never there: nobody has seen the series, which begins again.
        try directory.create("out.prom", old)
        remove("logs/a.jsonl")
        try export()
        #expect(directory.content("out.prom") == new)
        try export()
        #expect(counters()[series] == 1)
        try export()
        #expect(counters()[series] == 1)
    }

    @Test func twoExportsOfOneOutputAreRefused() throws {
        try directory.create("logs/a.jsonl", Self.groups[0])
        let first = try #require(try CounterFile(besides: directory.file("out.prom")))
        let complaint = try export(code: .inputOutput)
        #expect(complaint.contains("out.prom is kept up to date by process \(getpid()) already; stop that one"))
        #expect(directory.content("out.prom") == nil)
        withExtendedLifetime(first) {}
    }

    @Test func otherFiltersAreRefused() throws {
        try directory.create("logs/a.jsonl", Self.groups[0])
        try export("--severity", "lossy")
        for said in try [
            export(code: .inputOutput), export("--all-copies", "--severity", "lossy", code: .inputOutput),
            export("--field", "v", code: .inputOutput),
        ] {
            #expect(said.contains("out.prom.counters counts with other filters"))
        }
        #expect(try export("--severity", "lossy", "--since", "2020-01-01") == "", "a time says only what counts from now on")
        #expect(conflicts == 1)
    }

    @Test func whatIsDamagedIsNotGoneOnWith() throws {
        try directory.create("logs/a.jsonl", Self.groups[..<3].joined())
        try export()
        let (output, whole) = (directory.content("out.prom"), try #require(directory.content("out.prom.counters")))
        let bytes = Array(whole.utf8)
        _ = try CounterState(bytes)
        for count in stride(from: 0, to: bytes.count, by: 41) {
            #expect(throws: CounterState.Problem.self) { try CounterState(Array(bytes[..<count])) }
        }
        for index in stride(from: 0, to: bytes.count, by: 43) {
            var changed = bytes
            changed[index] ^= 1
            #expect(throws: CounterState.Problem.self, "at \(index)") { try CounterState(changed) }
        }
        try directory.create("out.prom.counters", String(whole.dropLast(9)))
        let complaint = try export(code: .badData)
        #expect(complaint.contains("out.prom.counters is damaged") && complaint.contains("or remove it, and totals begin anew"))
        #expect(directory.content("out.prom") == output)
        remove("out.prom.counters")
        try export()
        #expect(conflicts == 3)
    }

    /// Whoever can write the file can give it a right end too.
    @Test(arguments: [
        (#""counters":3"#, #""counters":2"#, "was written by another version (2, where this one reads 3)"),
        (#""counters":3"#, #""counters":-1"#, "counters is -1, not a whole number"),
        (#""output":""#, #""output":"x"#, "output is not 16 hexadecimal digits"), (#""begun":false"#, #""begun":"no""#, "begun is"),
        (#""start":"#, #""strat":"#, "start is missing"), (#""once":true"#, #""once":0"#, "once is 0"),
        (#""lines":9"#, #""lines":1e99"#, "lines is"), (#""last":""#, #""last":"g"#, "last is not 16 hexadecimal digits"),
        (#""size":"#, #""size":-"#, "size is -"), (#""modified":"#, #""modified":true,"x":"#, "modified is no whole number"),
        (#""value":3"#, #""value":"\u001b[2J""#, "value is"), (#""created":"#, #""created":"","x":"#, "created is no whole number"),
        (#"["certainty","proven"]"#, #"["certainty"]"#, "labels holds what is not a label and its value"),
        (#"["certainty","proven"]"#, #"["certainty","suspected"]"#, "labels are those of another line"),
        (#""conflicts":""#, #""conflicts":"00000000000000010000000000000001"#, "an identity is there twice"),
        (#"{"conflicts":""#, #"{"waitingProven":""#, "an identity is there twice, or one too many"),
        (#"{"sum":"#, #"{"mus":"#, "it has no sum"), (#""parts":1"#, #""parts":"1""#, "parts is"),
    ]) func aForgedFileIsRefusedWithASentence(old: String, new: String, complaint: String) throws {
        try directory.create("logs/a.jsonl", Self.groups[..<3].joined())
        try export()
        var lines = try #require(directory.content("out.prom.counters")).split(separator: "\n").map { $0 + "\n" }
        let index = try #require(lines.firstIndex { $0.contains(old) }, "\(old)")
        lines[index] = String(lines[index]).replacing(old, with: new, maxReplacements: 1)[...] + ""
        let rest = lines.dropLast().joined()
        let end = ConflictID(rawValue: FNV1a.hash(Array(rest.utf8).span)).description
        try directory.create("out.prom.counters", rest + "{\"end\":\"\(end)\"}\n")
        let said = try export(code: .badData)
        #expect(said.contains(complaint), "\(said)")
        #expect(!said.contains("\u{1b}"))
    }

    @Test func aSeriesThatWasWrittenStaysAmongTheFewest() throws {
        let other = Self.groups[1...5].joined().replacing("\"v\"", with: "\"w\"")
        try directory.create("logs/a.jsonl", Self.groups[0])
        try export("--series", "1")
        try directory.create("logs/a.jsonl", Self.groups[0] + other)
        try export("--series", "1")
        let series = counters().filter { $0.key.hasPrefix("syncaudit_field_edits_lost_total") }
        #expect(series == [#"syncaudit_field_edits_lost_total{certainty="proven",record_type="Note",field="v"}"#: 1])
        #expect(directory.content("out.prom")?.contains(#"syncaudit_series_omitted{breakdown="syncaudit_field_edits_lost"} 1"#) == true)
    }

    @Test func whatIsNoRegularFileHasNoCounters() throws {
        try directory.create("logs/a.jsonl", Self.groups[0])
        let world = TestWorld()
        var context = world.context
        try world.pipe("")
        context.catchStopSignals = { world.standardInput }
        let arguments = ["export", "--watch", "100ms", "-o", "/dev/null", directory.file("logs")]
        #expect(SyncAudit.run(arguments: arguments, context: context) == .success)
        #expect(!FileManager.default.fileExists(atPath: "/dev/null.counters"))
    }
}

extension TemporaryDirectory {
    fileprivate func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: file(folder))) ?? []).sorted()
    }
}
