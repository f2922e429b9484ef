import ConflictAudit
import SyncBytes
import SyncCoding
import SyncMerge
import SyncModel

/// The conflicts that wait for the app's decision, in memory as in the store.
struct ActiveFindings: Sendable {
    struct Entry: Sendable {
        let number: UInt64
        let finding: Finding
    }

    /// By each record concerned.
    private var byKey: [RecordKey: [Entry]] = [:]

    init() {}

    /// Reads what the store holds.
    init(_ reader: any ReplicaStoreReader) throws {
        var last: UInt64 = 0
        while let stored = try reader.entries(in: .activeConflicts, after: last, limit: 1, bytes: .max).first {
            let finding = try decoding("a conflict that waits for a decision", stored.content) { decoder throws(CodingFailure) in
                try Finding(from: &decoder)
            }
            insert(Entry(number: stored.number, finding: finding))
            last = stored.number
        }
    }

    /// All findings, oldest first.
    var all: [Finding] { entries.map(\.finding) }

    /// All findings with their numbers, oldest first.
    var entries: [Entry] {
        var byNumber: [UInt64: Entry] = [:]
        for entry in byKey.values.joined() { byNumber[entry.number] = entry }
        return byNumber.sorted { $0.key < $1.key }.map(\.value)
    }

    var isEmpty: Bool { byKey.isEmpty }

    func entries(about key: RecordKey) -> [Entry] { byKey[key] ?? [] }

    /// The finding of a name.
    func finding(_ id: ConflictID) -> Finding? { all.first { $0.id == id } }

    mutating func insert(_ finding: Finding, number: UInt64, _ writer: any ReplicaStoreWriter) throws {
        var encoder = StateEncoder()
        finding.encode(into: &encoder)
        try writer.setEntry(StoreEntry(number: number, content: encoder.bytes), in: .activeConflicts)
        insert(Entry(number: number, finding: finding))
    }

    mutating func remove(_ entry: Entry, _ writer: any ReplicaStoreWriter) throws {
        try writer.removeEntry(entry.number, from: .activeConflicts)
        for key in entry.finding.keys {
            byKey[key]?.removeAll { $0.number == entry.number }
            if byKey[key]?.isEmpty == true { byKey[key] = nil }
        }
    }

    private mutating func insert(_ entry: Entry) {
        for key in entry.finding.keys { byKey[key, default: []].append(entry) }
    }
}

extension Finding {
    /// The records concerned: one, or for a broken constraint two.
    fileprivate var keys: Set<RecordKey> { [winner.key, loser.key] }

    /// Whether the two writes still stand against each other.
    func isOpen(rules: MergeRules, record: (RecordKey) throws -> RecordState?) rethrows -> Bool {
        switch self {
        case .decision(let decision):
            return try record(decision.winner.key)?
                .areMaximal(decision.winner.dot, decision.loser.dot, in: decision.field, rules: rules) ?? false
        case .constraint(let finding):
            let deleted = finding.kind == .danglingReference
            let winner = try record(finding.winner.key)?.winner(of: deleted ? nil : finding.field, rules: rules)
            let loser = try record(finding.loser.key)?.winner(of: finding.field, rules: rules)
            return winner?.dot == finding.winner.dot && loser?.dot == finding.loser.dot
        }
    }
}
