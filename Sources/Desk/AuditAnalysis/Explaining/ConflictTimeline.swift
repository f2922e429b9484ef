package import ConflictAudit
import SyncBytes
package import SyncModel

/// The writes that matter for a conflict, in the order of their times.
package struct ConflictTimeline: Hashable, Sendable {
    /// What a write is to the conflict.
    package enum Role: String, Hashable, Sendable, CaseIterable {
        /// The latest write that both sides had seen.
        case ancestor
        /// The write that won.
        case winner
        /// The write that lost.
        case loser
        /// Another write that one of the sides had not seen, or both.
        case other
        /// The write that gave the losing value back.
        case restoring
    }

    /// One write.
    package struct Entry: Hashable, Sendable {
        /// The write's name.
        package let dot: Dot
        /// The device's clock when it was made.
        package let timestamp: HybridTimestamp
        /// What it did.
        package let operation: Conflict.Side.Operation
        /// What it is to the conflict.
        package let role: Role
        /// What its writer had merged of the record; nil where no line says.
        package let seen: VersionVector?
    }

    /// The writes, earliest first.
    package let entries: [Entry]
    /// Writes to the register that are not among them: earlier and later ones.
    package let omittedCount: Int

    /// The most writes shown beside the two sides.
    private static let limit = 40

    init(_ history: RecordHistory) {
        let conflict = history.conflict
        func entry(_ side: Conflict.Side, _ role: Role) -> Entry {
            Entry(dot: side.dot, timestamp: side.timestamp, operation: side.operation, role: role, seen: history.write(of: side)?.seen)
        }
        func entry(_ write: TaggedWrite, _ role: Role) -> Entry {
            Entry(dot: write.dot, timestamp: write.timestamp, operation: write.isDelete ? .delete : .put, role: role, seen: write.seen)
        }
        var entries = [entry(conflict.winner, .winner), entry(conflict.loser, .loser)]
        let others = history.writes.filter { $0.dot != conflict.winner.dot && $0.dot != conflict.loser.dot }
        if let winner = history.write(of: conflict.winner), let loser = history.write(of: conflict.loser) {
            let shared = others.filter { winner.saw($0) && loser.saw($0) }
            if let ancestor = shared.max(by: { $0.precedes($1) }) { entries.append(entry(ancestor, .ancestor)) }
            let aside = others.filter { !(winner.saw($0) && loser.saw($0)) && !($0.saw(winner) && $0.saw(loser)) }
            entries += aside.ordered { $0.precedes($1) }.prefix(Self.limit).map { entry($0, .other) }
        }
        if let restoring = history.restoring { entries.append(entry(restoring, .restoring)) }
        self.entries = entries.ordered { WriteOrder($0.timestamp, $0.dot) < WriteOrder($1.timestamp, $1.dot) }
        let known = Set(entries.map(\.dot))
        omittedCount = history.writes.count { !known.contains($0.dot) }
    }
}

extension TaggedWrite {
    /// Whether this write's author says that it had merged another, or wrote the other itself before.
    fileprivate func saw(_ other: TaggedWrite) -> Bool {
        if dot.device == other.dot.device { return dot.sequence > other.dot.sequence }
        return seen?.covers(other.dot) ?? false
    }
}
