import AuditLog
import ConflictAudit
import SyncMerge
import SyncModel
import Testing

@Suite struct WriterValueTests {
    private let write = TaggedWrite(
        dot: Dot(device: "iPad", sequence: 7), timestamp: HybridTimestamp(milliseconds: 5), key: RecordKey(type: "Card", id: "1"),
        operation: .put(["email": "secret@example.com", "gone": .null, "title": "hello"]), seen: [:])

    private func logged(_ content: AuditEvent.Content, _ configure: (inout AuditLogWriter.Configuration) -> Void) throws -> [AuditEvent] {
        let directory = try LogDirectory()
        let writer = try directory.writer { configure(&$0) }
        writer.record(AuditEvent(at: 5, content))
        writer.close()
        return try directory.lines().map(\.event).filter { $0.note != .opened }
    }

    @Test func valuesAreOmittedUnlessTheAppAsks() throws {
        #expect(AuditLogWriter.Configuration().values == .omitted)
        let omitted = try logged(.write(write)) { $0.values = .omitted }
        guard case .write(let bare)? = omitted.first?.content, let fields = bare.fields else { throw Unexpected() }
        #expect(Array(fields.names) == ["email", "gone", "title"], "the names stay")
        #expect(fields.allSatisfy { ValuePrivacy.isOmitted($0.value) && $0.value == ["$omitted": "iPad:7"] })
        #expect(bare.dot == write.dot && bare.seen == write.seen)
        guard case .conflict(let conflict)? = try logged(.conflict(RoundTripTests.conflict), { $0.values = .omitted }).first?.content else {
            throw Unexpected()
        }
        #expect(conflict == ValuePrivacy.omitted.applied(to: RoundTripTests.conflict))
        #expect(conflict.winner.value == nil)
    }

    @Test(arguments: [nil, "title"] as [FieldName?], [["a": 1], [:], 5, .null] as [FieldValue]) func aConflictsLineLeavesOutWhatTheRulesDo(
        _ field: FieldName?, _ value: FieldValue
    ) throws {
        let known = RoundTripTests.conflict
        let side = Conflict.Side(dot: known.winner.dot, timestamp: known.winner.timestamp, operation: .put, value: value)
        let conflict = Conflict(
            id: known.id, kind: known.kind, severity: known.severity, basis: known.basis, key: known.key, field: field, winner: side,
            loser: side, ancestor: value, result: value, gap: .zero, withinWindow: true, window: .zero, policy: "p",
            resolution: known.resolution, reason: known.reason, clockSuspect: false)
        let lines = try logged(.conflict(conflict)) { $0.values = .omitted }
        #expect(lines.map(\.content) == [.conflict(ValuePrivacy.omitted.applied(to: conflict))])
    }

    @Test func theMarksInALineAreThoseOfTheRules() throws {
        let write = TaggedWrite(
            dot: Dot(device: "a\"b\\é:\u{1}\u{202e}", sequence: UInt64(Int64.max)), timestamp: HybridTimestamp(milliseconds: 5),
            key: write.key,
            operation: .put(["": 1, "\"\n": ["a": 1], "é": .null]), seen: nil)
        let lines = try logged(.write(write)) { $0.values = .omitted }
        #expect(lines.map(\.content) == [.write(ValuePrivacy.omitted.applied(to: write))])
    }

    @Test func aFieldOfAWriteMayHaveARuleOfItsOwn() throws {
        let privacy = ValuePrivacy(.omitted, fields: [ConflictStatistics.FieldKey(type: "Card", field: "title"): .full])
        let fields = privacy.applied(to: write).fields
        #expect(fields?["title"] == "hello")
        #expect(fields?["email"] == ["$omitted": "iPad:7"])
        #expect(ValuePrivacy.full.applied(to: write) == write)
        #expect(!ValuePrivacy.isOmitted("hello") && !ValuePrivacy.isOmitted(["$omitted": 1]))
        let delete = TaggedWrite(dot: write.dot, timestamp: write.timestamp, key: write.key, operation: .delete, seen: nil)
        #expect(privacy.applied(to: delete) == delete)
    }

    static let values: [(FieldValue, FieldValue?)] = [
        ("0123456789", nil),
        ("0123456789a", mark(11, "0123456789")),
        ("012345678é", mark(11, "012345678")),
        ("012345678👩", mark(13, "012345678")),
        (["aaaa", "bbbb"], mark(15, #"["aaaa","b"#)),
        (["a", 1], nil),
        (["key": "value"], mark(15, #"{"key":"va"#)),
        (12_345_678_901, mark(11, "1234567890")),
        (.null, nil), (true, nil),
    ]

    private static func mark(_ bytes: Int, _ start: String) -> FieldValue {
        ["$truncated": .number(JSONNumber(bytes)), "start": .string(start)]
    }

    @Test(arguments: values) func longValuesAreCutMarkedAndCounted(value: FieldValue, expected: FieldValue?) throws {
        var conflict = RoundTripTests.conflict
        (conflict.winner.value, conflict.loser.value, conflict.ancestor, conflict.result) = (value, .null, nil, value)
        let events = try logged(.conflict(conflict)) { $0.maximumValueBytes = 10 }
        guard case .conflict(let kept)? = events.first?.content else { throw Unexpected() }
        #expect(kept.winner.value == expected ?? value)
        #expect(kept.result == expected ?? value)
        #expect(kept.loser.value == .null)
        #expect(events.dropFirst().map(\.note) == (expected == nil ? [] : [.truncated(2)]))
        if let expected { #expect(TruncatedValue(expected)?.value == expected) } else { #expect(TruncatedValue(value) == nil) }
    }

    @Test(arguments: [(4096, "Plans"), (10, "Plans"), (4, "Plan"), (0, nil)] as [(Int, String?)])
    func theNameOfARecordIsAsLongAsAValueMayBe(bytes: Int, text: String?) throws {
        var conflict = RoundTripTests.conflict
        conflict.name = RecordName(field: "title", value: "Plans")
        let kept = try logged(.conflict(conflict)) { ($0.values, $0.maximumValueBytes) = (.full, bytes) }
        guard case .conflict(let conflict)? = kept.first?.content else { throw Unexpected() }
        #expect(conflict.name?.text == text)
        guard case .conflict(let bare)? = try logged(.conflict(conflict), { $0.values = .omitted }).first?.content else {
            throw Unexpected()
        }
        #expect(bare.name == nil)
    }

    @Test func fieldsOfWritesAndRecordsAreCutOneByOne() throws {
        let events = try logged(.write(write)) { $0.maximumValueBytes = 10 }
        guard case .write(let kept)? = events.first?.content else { throw Unexpected() }
        #expect(kept.fields?["title"] == "hello")
        #expect(kept.fields.flatMap { $0["email"] }.flatMap(TruncatedValue.init)?.start == "secret@exa")
        #expect(events.last?.note == .truncated(1))
        let old = RoundTripTests.conflict
        let side = Conflict.Side(
            dot: old.winner.dot, timestamp: old.winner.timestamp, operation: .put, value: ["long": "0123456789abc", "short": 1])
        let whole = Conflict(
            id: old.id, kind: .disjointUpdate, severity: .merged, basis: .causal, key: old.key, field: nil, winner: side, loser: side,
            gap: .zero, withinWindow: true, window: .zero, policy: "p", resolution: .merged, reason: .newer,
            clockSuspect: false)
        guard case .conflict(let cut)? = try logged(.conflict(whole), { $0.maximumValueBytes = 10 }).first?.content else {
            throw Unexpected()
        }
        #expect(cut.winner.value?.object?["short"] == 1)
        #expect(cut.winner.value?.object?["long"].flatMap(TruncatedValue.init)?.bytes == 13)
    }

    private struct Unexpected: Error {}
}
