import AuditLog
import ConflictAudit
import ConflictAuditTesting
import SyncMerge
import SyncModel

/// Lines with something for every key of the format.
enum Samples {
    static let lines: [String] = {
        let events = AuditEventSamples.all + [writeWithCursor] + notes + conflicts + [statistics]
        return events.enumerated().map { index, event in
            var bytes: [UInt8] = []
            LineEncoder.append(AuditLine(sequence: UInt64(index + 1), source: "iPhone", event: event), to: &bytes)
            return String(decoding: bytes.dropLast(), as: UTF8.self)
        }
    }()

    private static let writeWithCursor = AuditEvent(
        at: 1,
        .write(
            TaggedWrite(
                dot: Dot(device: "iPad", sequence: 8), timestamp: HybridTimestamp(milliseconds: 1), key: RecordKey(type: "Card", id: "1"),
                operation: .delete, seen: nil, cursor: 5, order: [1, "a"], app: "2.1")))

    static let bareWrites: [String] = [
        #"{"v":1,"event":"write","ts":"2026-01-15T15:05:00+01:00","device":"iPad","n":7,"counter":0,"received":"2026-01-15 14:05:00.1234z","#
            + #""hubSequence":9,"recordType":"Card","recordID":"","op":"put","fields":{"phone":null},"seen":{"iPhone":3},"carried":{"fax":"1"}}"#,
        #"{"event":"write","ts":"2026-01-15T14:05:00Z","device":"iPad","recordType":"Card","recordID":"42","op":"delete"}"#,
        #"{"event":"write","ts":"2026-01-15T14:05:00Z","device":"iPad","recordType":"Card","recordID":"42","op":"delete","cursor":8,"app":"2.1"}"#,
        #"{"event":"write","ts":"2026-01-15T14:05:00Z","device":"iPad","recordType":"Card","recordID":"42","op":"delete","rev":"2-b","parents":["1-a"],"order":[2]}"#,
        #"{"v":1,"event":"merge","ts":"2026-01-15T14:05:00Z","source":"iPad","device":"iPad","recordType":"Card","recordID":"42","ancestor":{"fields":{}},"#
            + #""client":{"fields":{"phone":"1"}},"server":{"fields":null},"result":{"fields":null,"ts":"2026-01-15T14:05:00Z","device":"iPad"}}"#,
    ]

    /// Two edits of one telephone number, two cards with one address, and a call to a card that was deleted meanwhile.
    static let trace = [
        #"{"event":"write","ts":"2026-01-15T14:00:00.000Z","device":"Mac","n":1,"recordType":"Card","recordID":"1","op":"put","fields":{"phone":"0"},"seen":{}}"#,
        #"{"event":"write","ts":"2026-01-15T14:01:00.000Z","device":"iPad","n":1,"recordType":"Card","recordID":"1","op":"put","fields":{"phone":"1"},"seen":{"Mac":1}}"#,
        #"{"event":"write","ts":"2026-01-15T14:02:00.000Z","device":"iPhone","n":1,"recordType":"Card","recordID":"1","op":"put","fields":{"phone":"2"},"seen":{"Mac":1}}"#,
        #"{"event":"write","ts":"2026-01-15T14:03:00.000Z","device":"iPad","n":2,"recordType":"Card","recordID":"2","op":"put","fields":{"email":"x@y.example"},"seen":{}}"#,
        #"{"event":"write","ts":"2026-01-15T14:04:00.000Z","device":"iPhone","n":2,"recordType":"Card","recordID":"3","op":"put","fields":{"email":"x@y.example"},"seen":{}}"#,
        #"{"event":"write","ts":"2026-01-15T14:05:00.000Z","device":"iPad","n":3,"recordType":"Card","recordID":"2","op":"delete","seen":{"iPad":2}}"#,
        #"{"event":"write","ts":"2026-01-15T14:06:00.000Z","device":"Mac","n":2,"recordType":"Call","recordID":"1","op":"put","fields":{"card":"2"},"seen":{}}"#,
    ].joined(separator: "\n")

    private static let start: Int64 = 1_768_485_600_000

    private static let gap = UnobservedField(type: "Card", field: "color", reason: "its values cannot be compared")
    private static let notes = [LogNote.opened, .rotated, .dropped(2), .truncated(3), .recovered(4), .forgotten(5), .unobserved(gap)]
        .map { AuditEvent(at: start, .log($0)) }

    /// One of each kind; the record-wide ones without a field, those of two records with the other one.
    static let conflicts = Conflict.Kind.allCases.map { kind in
        let isDelete = kind == .deleteUpdate || kind == .deleteDelete
        let isOfTwoRecords = kind == .uniqueKey || kind == .danglingReference
        func side(_ device: DeviceID, at milliseconds: Int64, isDelete: Bool) -> Conflict.Side {
            Conflict.Side(
                dot: Dot(device: device, sequence: 3), timestamp: HybridTimestamp(milliseconds: milliseconds, counter: 1),
                operation: isDelete ? .delete : .put, value: isDelete ? nil : "x")
        }
        let conflict = Conflict(
            id: ConflictID(rawValue: 0xfeed), kind: kind, severity: .lossy, basis: .causal, key: RecordKey(type: "Card", id: "1"),
            field: kind == .disjointUpdate ? nil : "email", related: isOfTwoRecords ? RecordKey(type: "Card", id: "2") : nil,
            winner: side("iPad", at: start + 5000, isDelete: isDelete),
            loser: side("Mac", at: start, isDelete: kind == .deleteDelete), ancestor: ["a": 1],
            result: kind == .disjointUpdate ? ["x", "y"] : nil,
            gap: .seconds(5), withinWindow: true, window: .seconds(300), policy: "lastWriterWins", resolution: .applyRemote,
            reason: .newer, clockSuspect: false, isStale: kind == .insertInsert, isCleared: kind == .updateUpdate)
        return AuditEvent(at: start + 5000, .conflict(conflict))
    }

    /// What is counted of the conflicts above.
    private static let statistics: AuditEvent = {
        var statistics = ConflictStatistics()
        for case .conflict(let conflict) in conflicts.map(\.content) { statistics.record(conflict) }
        statistics.recordReverts(1)
        return AuditEvent(at: start, .statistics(statistics))
    }()
}

/// One thing that is wrong with a line.
struct Change {
    enum Sort: CaseIterable {
        case misspelt
        case retyped
        case removed
    }

    let sort: Sort
    let key: String
    let line: FieldMap

    /// Every one in a line and in the objects in it, apart from those that hold the app's own names.
    static func all(in line: FieldMap) -> [Change] {
        var changes: [Change] = []
        for member in line {
            for sort in Sort.allCases {
                guard let changed = changed(line, member, sort) else { continue }
                changes.append(Change(sort: sort, key: member.name.rawValue, line: changed))
            }
            guard ["winner", "loser", "ancestor", "related", "gaps"].contains(member.name), let object = member.value.object else {
                continue
            }
            for inner in all(in: object) {
                var whole = line
                whole[member.name] = .object(inner.line)
                changes.append(Change(sort: inner.sort, key: "\(member.name).\(inner.key)", line: whole))
            }
        }
        return changes
    }

    private static func changed(_ line: FieldMap, _ member: FieldMap.Element, _ sort: Sort) -> FieldMap? {
        var line = line
        switch sort {
        case .removed: line[member.name] = nil
        case .misspelt:
            line[member.name] = nil
            line[FieldName(member.name.rawValue + "s")] = member.value
        case .retyped:
            if ["value", "result"].contains(member.name) { return nil }
            line[member.name] = if case .string = member.value { 7 } else { "x" }
        }
        return line
    }
}
