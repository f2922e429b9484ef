import AuditLog
import ConflictAudit
import Foundation
import OracleRules
import SyncBytes
import SyncMerge
import SyncModel
import SyncOracle
import Testing

@testable import AuditAnalysis

/// What is cut out of a trace gives the conflict, and none of it can be left out.
@Suite struct MinimalTraceTests {
    /// A trace under one set of rules.
    private struct Case {
        let judge: TraceJudge
        let events: [AuditEvent]
        let conflicts: [Conflict]

        init(_ events: [AuditEvent], _ mergeRules: MergeRules = MergeRules(), _ auditRules: AuditRules = AuditRules()) throws {
            judge = TraceJudge(mergeRules: mergeRules, auditRules: auditRules)
            self.events = events
            conflicts = try judge.conflicts(in: events.flatMap { Self.line($0).bytes })
        }

        /// Reads a trace as a file would be read.
        init(_ text: String, _ auditRules: AuditRules = AuditRules()) throws {
            var (reader, events) = (AuditLogReader(), [AuditEvent]())
            for (index, line) in text.split(separator: "\n").enumerated() {
                let location = AuditLogReader.Location(file: "trace", line: index + 1)
                if let line = try reader.decode(Array(line.utf8).span, at: location, isUnfinished: false) { events.append(line.event) }
            }
            judge = TraceJudge(mergeRules: MergeRules(), auditRules: auditRules)
            self.events = events
            conflicts = try judge.conflicts(in: Array(text.utf8))
        }

        private static func line(_ event: AuditEvent) -> TraceLine {
            if case .write(let write) = event.content { TraceLine(write) } else { TraceLine(event) }
        }

        func candidates(of conflict: Conflict, lineLimit: Int = TraceCandidates.lineLimit) -> TraceCandidates {
            var candidates = TraceCandidates(of: conflict, lineLimit: lineLimit)
            for event in events { candidates.observe(event) }
            return candidates
        }

        /// Cuts, and checks what was cut.
        @discardableResult
        func cut(_ conflict: Conflict, keepsValues: Bool = false, sourceLocation: SourceLocation = #_sourceLocation) throws -> [String] {
            let trace = try MinimalTrace(candidates(of: conflict), judge: judge, keepsValues: keepsValues)
            let lines = String(decoding: trace.bytes, as: UTF8.self).split(separator: "\n").map { $0 + "\n" }
            #expect(lines.count == trace.lineCount && trace.isFewest, sourceLocation: sourceLocation)
            #expect(try finds(conflict, in: lines), "\(conflict.id)\n\(lines.joined())", sourceLocation: sourceLocation)
            for index in lines.indices {
                let rest = lines[..<index] + lines[(index + 1)...]
                #expect(try !finds(conflict, in: Array(rest)), "\(conflict.id) without \(lines[index])", sourceLocation: sourceLocation)
            }
            return lines.map(String.init)
        }

        private func finds(_ conflict: Conflict, in lines: [some StringProtocol]) throws -> Bool {
            if lines.isEmpty { return false }
            return try judge.conflicts(in: Array(lines.joined().utf8)).contains { ConflictVerdict($0) == ConflictVerdict(conflict) }
        }
    }

    private static let batches =
        Batch.each("last writer", Oracle.Settings(), count: 1, firstSeed: 1)
        + Batch.otherPolicies(count: 1, firstSeed: 1000).filter { $0.settings.deletes == .deleteWins && $0.mode == .everyForm }

    @Test(arguments: batches) func randomHistory(batch: Batch) throws {
        for seed in batch.seeds {
            // A file cannot hold those that had seen what the hub took after them.
            let writes = RandomHistory(seed: seed, mode: batch.mode).arrivals.filter { $0.cursor ?? 0 <= $0.receipt?.hubSequence ?? .max }
            let settings = batch.settings
            let test = try Case(
                writes.map { AuditEvent(at: $0.timestamp.milliseconds, .write($0)) }, settings.rules,
                AuditRules(
                    window: .milliseconds(settings.inference.window), clockTolerance: .milliseconds(settings.inference.tolerance)))
            for conflict in test.conflicts.prefix(2) { try test.cut(conflict) }
        }
    }

    @Test func realTrace() throws {
        let path = URL(filePath: #filePath).appending(path: "../../../../Samples/traces/languages-writes.jsonl.gz").standardized.path
        var (reader, events, text) = (AuditLogReader(), [RecordKey: [AuditEvent]](), [UInt8]())
        try reader.read(path: path) { line, _ in
            guard case .write(let write) = line.event.content else { return }
            events[write.key, default: []].append(line.event)
            text += TraceLine(write).bytes
        }
        let all = try TraceJudge(mergeRules: MergeRules(), auditRules: AuditRules()).conflicts(in: text)
        let groups = Dictionary(grouping: all) { "\($0.kind) \($0.severity) \($0.reason) \($0.isCleared)" }
        #expect(groups.count > 5)
        for (name, conflicts) in groups.sorted(by: { $0.key < $1.key }) {
            for conflict in [conflicts[0], conflicts[conflicts.count / 2]] {
                let test = try Case(try #require(events[conflict.key]))
                let lines = try test.cut(conflict)
                #expect(lines.count <= 4, "\(name)")
                let values = Set(try #require(events[conflict.key]).flatMap(Self.strings))
                let cut = try Case(lines.joined()).events.flatMap(Self.strings)
                #expect(!values.isEmpty && values.isDisjoint(with: cut), "\(name)")
            }
        }
    }

    /// The strings in the values of a write.
    private static func strings(of event: AuditEvent) -> [String] {
        func strings(_ value: FieldValue) -> [String] {
            switch value {
            case .string(let string): [string]
            case .array(let elements): elements.flatMap(strings)
            default: []
            }
        }
        guard case .write(let write) = event.content else { return [] }
        return write.fields?.flatMap { strings($0.value) } ?? []
    }

    private static func put(_ device: String, _ second: Int, _ fields: String, _ rest: String = "", id: String = "1") -> String {
        let time = "2026-01-15T14:\(10 + second / 60):\(10 + second % 50).000Z"
        return #"{"event":"write","ts":"\#(time)","device":"\#(device)","recordType":"T","recordID":"\#(id)","op":"put","#
            + "\"fields\":{\(fields)}\(rest.isEmpty ? "" : ",")\(rest)}\n"
    }

    /// The second device only repeats what both had seen, which the first write alone tells.
    @Test func ancestorStaysWhereTheSeverityDependsOnIt() throws {
        let writes =
            Self.put("c", 0, #""a":"old""#, #""n":1,"seen":{}"#) + Self.put("a", 1, #""a":"new""#, #""n":1,"seen":{"c":1}"#)
            + Self.put("b", 2, #""a":"old""#, #""n":1,"seen":{"c":1}"#) + Self.put("c", 3, #""b":"x""#, #""n":2,"seen":{}"#)
        let test = try Case(writes)
        let conflict = try #require(test.conflicts.first)
        #expect(conflict.isStale)
        let lines = try test.cut(conflict)
        #expect(lines.count == 3)
        #expect(lines.map { $0.contains("aaa") } == [false, true, false])
        #expect(try test.cut(conflict, keepsValues: true).joined().contains("\"old\""))
    }

    @Test func revisionsBecomeWhatTheirWritersHadSeen() throws {
        let writes =
            Self.put("a", 0, #""a":"one""#, #""rev":"1","parents":[]"#) + Self.put("a", 1, #""a":"two""#, #""rev":"2","parents":["1"]"#)
            + Self.put("b", 2, #""a":"three""#, #""rev":"3","parents":["1"]"#)
        let test = try Case(writes)
        let conflict = try #require(test.conflicts.first)
        #expect(test.conflicts.count == 1 && conflict.isProven)
        let lines = try test.cut(conflict)
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { $0.contains("\"n\":") && $0.contains("\"seen\":{") && !$0.contains("parents") })
    }

    @Test func writesWithoutNumbersGetThem() throws {
        let writes = (0..<4).map { Self.put($0 % 2 == 0 ? "a" : "b", 20 * $0, "\"a\":\"\($0)\"") }.joined()
        let test = try Case(writes)
        #expect(!test.conflicts.isEmpty)
        for conflict in test.conflicts { #expect(try test.cut(conflict).allSatisfy { $0.contains("\"n\":") }) }
    }

    @Test func linesThatDoNotGiveTheConflictAreAFailure() throws {
        let writes = Self.put("a", 0, #""a":"1""#, #""n":1,"seen":{}"#) + Self.put("b", 1, #""a":"2""#, #""n":1,"seen":{}"#)
        let (test, other) = (try Case(writes), try Case(Self.put("a", 0, #""a":"1""#, #""n":1,"seen":{}"#)))
        let candidates = other.candidates(of: try #require(test.conflicts.first))
        #expect(throws: MinimalTrace.Failure.notFound) { try MinimalTrace(candidates, judge: test.judge) }
    }

    @Test func constraintsTakeBothRecords() throws {
        var rules = AuditRules()
        rules.uniqueFields = [ConflictStatistics.FieldKey(type: "T", field: "mail")]
        rules.references = [AuditRules.Reference(from: "T", field: "card", to: "T")]
        let writes =
            Self.put("a", 0, #""mail":"x@y""#, #""n":1,"seen":{}"#, id: "1") + Self.put("c", 1, #""v":1"#, #""n":1,"seen":{}"#, id: "3")
            + Self.put("b", 2, #""mail":"x@y""#, #""n":1,"seen":{}"#, id: "2")
            + Self.put("b", 3, #""card":"3""#, #""n":2,"seen":{}"#, id: "4")
            + Self.put("a", 4, "", #""n":2,"seen":{"c":1}"#, id: "3").replacing(#""op":"put","fields":{}"#, with: #""op":"delete""#)
        let test = try Case(writes, rules)
        #expect(test.conflicts.map(\.kind) == [.uniqueKey, .danglingReference])
        for conflict in test.conflicts {
            let lines = try test.cut(conflict)
            #expect(lines.count == 2)
            #expect(!lines.joined().contains("x@y"))
        }
    }

    @Test func mergeIsALineOfItsOwn() throws {
        let merge =
            #"{"event":"merge","ts":"2026-01-15T14:10:00.000Z","device":"phone","recordType":"T","recordID":"1","#
            + #""ancestor":{"fields":{"a":"Ann"}},"client":{"fields":{"a":"Anna"}},"server":{"fields":{"a":"Anne"}},"#
            + #""result":{"fields":{"a":"Anna"}}}"# + "\n"
        let test = try Case(Self.put("a", 0, #""a":"1""#, #""n":1,"seen":{}"#) + merge)
        let lines = try test.cut(try #require(test.conflicts.first))
        #expect(lines.count == 1)
        #expect(!lines[0].contains("Ann"))
    }

    /// The comparison of clocks makes the pair a suspect: without it the timestamps are too far apart.
    @Test func comparisonOfClocksStaysWhereItIsTheEvidence() throws {
        let clock = #"{"event":"clock","ts":"2026-01-15T14:00:00Z","device":"b","offsetMs":1200000,"uncertaintyMs":1}"# + "\n"
        let test = try Case(clock + Self.put("a", 0, #""a":"1""#) + Self.put("b", 1200, #""a":"2""#))
        let conflict = try #require(test.conflicts.first)
        #expect(conflict.basis == .window)
        #expect(try test.cut(conflict).count == 3)
    }

    @Test func ofAVeryLongHistoryTheNearestLinesAreTried() throws {
        let others = (1...40).map { Self.put("c", $0, "\"b\":\"\($0)\"", "\"n\":\($0),\"seen\":{}") }
        let sides = [Self.put("a", 50, #""a":"1""#, #""n":1,"seen":{}"#), Self.put("b", 51, #""a":"2""#, #""n":1,"seen":{}"#)]
        let test = try Case(others.joined() + sides[0] + others.joined() + sides[1] + others.joined())
        let conflict = try #require(test.conflicts.first { $0.field == "a" })
        let candidates = test.candidates(of: conflict, lineLimit: 7)
        #expect(candidates.lineCount == 122 && candidates.droppedLines == 3 * 33)
        #expect(candidates.lines.all.count == 23 && candidates.lines.sides == [7, 15])
        #expect(try MinimalTrace(candidates, judge: test.judge).lineCount == 2)
    }

    @Test func boundedWorkIsSaid() throws {
        let test = try Case(
            Self.put("c", 0, #""a":"old""#, #""n":1,"seen":{}"#) + Self.put("a", 1, #""a":"new""#, #""n":1,"seen":{"c":1}"#)
                + Self.put("b", 2, #""a":"old""#, #""n":1,"seen":{"c":1}"#))
        let candidates = test.candidates(of: try #require(test.conflicts.first))
        #expect(try MinimalTrace(candidates, judge: test.judge, budget: 1).isFewest == false)
        #expect(try MinimalTrace(candidates, judge: test.judge).isFewest)
    }
}
