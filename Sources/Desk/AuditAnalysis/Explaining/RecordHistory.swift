package import AuditLog
package import ConflictAudit
package import SyncMerge
package import SyncModel

/// What logs tell of a register before and after a conflict over it: the writes, what is shown now, and whether the loss was made good.
///
/// It goes by the `write` lines that the logs hold, and where they hold none by the conflict alone.
///
/// - Complexity: memory is bounded by ``limit`` writes and the state of one record, see `RecordState`. A value type; its owner guards it.
package struct RecordHistory: EventObserver, Sendable {
    /// The most writes that are kept for a timeline.
    package static let limit = 2000

    /// The conflict.
    package let conflict: Conflict
    /// The writes to the register, the first of each name, as far as they are kept.
    package private(set) var writes: [TaggedWrite] = []
    /// What all lines together say was written to the record: what a new write must have seen to replace it.
    package private(set) var merged: VersionVector
    /// The latest timestamp of any write to the record.
    package private(set) var latest: HybridTimestamp
    /// The first write that gives back what the conflict discarded.
    package private(set) var restoring: TaggedWrite?
    /// The other conflicts between the same two writes, as far as they lost something: one delete discards many fields.
    package private(set) var siblings: Set<ConflictID> = []

    private let rules: MergeRules
    private var chosen: ChosenRecords
    private var state: RecordState
    private var names: Set<Dot> = []
    /// A write that a conflict line says is shown instead of the winner.
    private var laterWinner: Dot?

    /// A history of which nothing is known but the conflict.
    ///
    /// - Parameters:
    ///   - conflict: The conflict.
    ///   - rules: The rules by which the replicas merge; nil to go by what the conflict's line says of them.
    package init(of conflict: Conflict, rules: MergeRules? = nil) {
        self.conflict = conflict
        self.rules = rules ?? MergeRules(recordedIn: conflict) ?? MergeRules()
        chosen = ChosenRecords(conflict.records)
        state = RecordState(key: conflict.key)
        merged = VersionVector([conflict.winner.dot, conflict.loser.dot])
        latest = max(conflict.winner.timestamp, conflict.loser.timestamp)
    }

    package static var choosesLines: Bool { true }

    /// Chooses the lines about the record, and the one related to it.
    package mutating func chooses(_ line: ScannedLine, _ names: ScannedNames) -> Bool { chosen.contain(line, names) }

    /// Looks at a line.
    package mutating func observe(_ line: AuditLine, at location: AuditLogReader.Location) {
        switch line.event.content {
        case .write(let write) where write.key == conflict.key: observe(write)
        case .conflict(let other) where other.key == conflict.key: observe(other)
        default: break
        }
    }

    private mutating func observe(_ write: TaggedWrite) {
        _ = state.merge(write, rules: rules)
        merged.insert(write.dot)
        if let seen = write.seen { merged.formUnion(seen) }
        latest = max(latest, write.timestamp)
        guard conflict.field.map({ write.value(of: $0) != nil }) ?? true else { return }
        if conflict.isRestored(by: write), restoring.map({ write.precedes($0) }) ?? true { restoring = write }
        let isSide = write.dot == conflict.winner.dot || write.dot == conflict.loser.dot
        guard isSide || writes.count < Self.limit, names.insert(write.dot).inserted else { return }
        writes.append(write)
    }

    private mutating func observe(_ other: Conflict) {
        for side in [other.winner, other.loser] {
            merged.insert(side.dot)
            latest = max(latest, side.timestamp)
        }
        if other.field == conflict.field, other.loser.dot == conflict.winner.dot, other.severity.isLoss { laterWinner = other.winner.dot }
        let isSamePair = other.winner.dot == conflict.winner.dot && other.loser.dot == conflict.loser.dot
        if isSamePair, other.id != conflict.id, other.severity.isLoss, siblings.count < 1000 { siblings.insert(other.id) }
    }

    /// The latest write whose value the loser only saved again, where the winner's writer had seen it; nil where none is at hand, or where
    /// the conflict is none of that kind.
    package var repeated: TaggedWrite? {
        guard conflict.harmlessness == .repeated, let winner = write(of: conflict.winner), let loser = write(of: conflict.loser),
            let fields = loser.fields
        else { return nil }
        let names = conflict.field.map { [$0] } ?? Array(fields.names)
        return writes.filter { write in
            [winner, loser].allSatisfy { $0.dot != write.dot && $0.hasSeen(write, intervals: .withoutWindow) }
                && names.allSatisfy { write.value(of: $0) == fields[$0] }
        }.max { $0.precedes($1) }
    }

    /// The write of one of the two sides, where a line holds it.
    package func write(of side: Conflict.Side) -> TaggedWrite? { writes.first { $0.dot == side.dot } }

    /// What is shown now of the register: of a field its value, of a whole record its fields; nil where it is not there, or where the logs
    /// hold no write of the winner and it is not known.
    package var shownNow: FieldValue? {
        guard write(of: conflict.winner) != nil else { return nil }
        guard let field = conflict.field else { return state.shown(rules: rules).map { .object($0) } }
        return state.shown(field, rules: rules)
    }

    /// The write that has replaced the winner since; nil where the winner is still shown, as far as the logs tell.
    ///
    /// - Complexity: O(*m*) for *m* concurrent writes.
    package var successor: Dot? {
        guard write(of: conflict.winner) != nil else { return laterWinner }
        guard let shown = state.winner(of: conflict.field, rules: rules)?.dot, shown != conflict.winner.dot else { return nil }
        // Where the rules are not known the loser may seem to win; that is no later write.
        return shown == conflict.loser.dot ? nil : shown
    }
}

extension Conflict {
    /// Its record, and the one related to it.
    package var records: Set<RecordKey> { Set([key, related].compactMap(\.self)) }
}
