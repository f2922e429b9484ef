import AuditLog
package import ConflictAudit
import SyncModel

/// A few lost edits to show, of different records: the proven ones first, of these where a delete discarded edits, then those whose writes
/// were furthest apart.
///
/// Whatever the order in which conflicts are observed and parts are merged, the examples are the same.
///
/// - Complexity: O(1) for a conflict. A value type; its owner guards it.
package struct LossExamples: Hashable, Sendable {
    /// How many are kept at most.
    package static let limit = 3

    /// The examples, the most telling first.
    package private(set) var conflicts: [Conflict] = []

    /// None.
    package init() {}

    /// What decides between two conflicts before their names do.
    struct Weight: Comparable {
        private let value: UInt64

        /// - Parameter gapMilliseconds: How far apart the two writes were.
        init(isProven: Bool, severity: Conflict.Severity, gapMilliseconds: Int64) {
            let gap = min(gapMilliseconds.magnitude, 1 << 60)
            value = (isProven ? 1 << 63 : 0) | (severity == .destructive ? 1 << 62 : 0) | gap
        }

        static func < (left: Weight, right: Weight) -> Bool { left.value < right.value }
    }

    /// The weight that a conflict must have at least to be among the examples.
    var leastWeight: Weight? { conflicts.count < Self.limit ? nil : conflicts.last?.weight }

    /// Takes a conflict in where it is one of the most telling.
    package mutating func observe(_ conflict: Conflict) {
        guard conflict.losesEdit else { return }
        if let leastWeight, conflict.weight < leastWeight { return }
        if let index = conflicts.firstIndex(where: { $0.key == conflict.key }) {
            guard conflict.isMoreTelling(than: conflicts[index]) else { return }
            conflicts.remove(at: index)
        }
        let index = conflicts.firstIndex { conflict.isMoreTelling(than: $0) } ?? conflicts.count
        conflicts.insert(conflict, at: index)
        if conflicts.count > Self.limit { conflicts.removeLast() }
    }

    /// Takes in the examples of another part.
    package mutating func merge(_ other: LossExamples) {
        for conflict in other.conflicts { observe(conflict) }
    }
}

extension Conflict {
    fileprivate var weight: LossExamples.Weight {
        LossExamples.Weight(isProven: isProven, severity: severity, gapMilliseconds: gapMilliseconds)
    }

    /// Whether the conflict is to be shown before another; of two that weigh the same their names and what is told of them decide.
    fileprivate func isMoreTelling(than other: Conflict) -> Bool {
        if weight != other.weight { return weight > other.weight }
        if id != other.id { return id.rawValue < other.id.rawValue }
        if winner.dot != other.winner.dot { return winner.dot < other.winner.dot }
        // What is told differently of one conflict must not depend on who is read first.
        return self != other && line.lexicographicallyPrecedes(other.line)
    }

    private var line: [UInt8] {
        var bytes: [UInt8] = []
        LineEncoder.append(AuditLine(event: AuditEvent(at: milliseconds, .conflict(self))), to: &bytes)
        return bytes
    }
}
