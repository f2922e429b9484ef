package import AuditLog
package import ConflictAudit
import SyncBytes
import SyncLines
package import SyncModel

/// The values that logs say were discarded, each once, and what has become of them.
///
/// A conflict that several devices logged is one loss. A loss counts as restored where a line says so, or where a later write that had seen
/// both sides gave the value back; that can be known only where the logs hold writes.
///
/// - Complexity: observing is O(1) in dictionary look-ups, and for a write O(*n*) in the losses of its record that its values may give
///   back. Memory grows with the distinct losses that pass the filter and the values lost, not with the lines read. A value type; its owner
///   guards it.
package struct LossLedger: Sendable {
    /// Which losses are looked at.
    package let filter: ReportFilter
    /// How far the lines can tell of losses; a write that several devices logged counts several times.
    package private(set) var evidence = AuditEvidence()
    /// Whether any write was seen, so that a value written again would have been noticed.
    package var hasWrites: Bool { evidence.hasWriteLines }

    private var found: [ConflictID: Loss] = [:]
    /// The losses that nothing is known to have made good, by what a write would have to do.
    private var wishes: [Wish: [ConflictID]] = [:]
    /// Whether writes may have made losses good, so that a second look at them is worth while: of several logs the one that tells of a
    /// write may be read before the one that tells of the conflict.
    package var needsSecondLook: Bool { hasWrites && !wishes.isEmpty }
    /// The records of the losses that nothing is known to have made good.
    package var records: Set<RecordKey> { Set(wishes.keys.map(\.key)) }

    /// A field set to a value; without a field, whatever concerns the record as a whole.
    private struct Wish: Hashable, Sendable {
        let key: RecordKey
        var field: FieldName?
        var value: FieldValue?
    }

    /// A ledger of the losses that pass a filter.
    package init(filter: ReportFilter = ReportFilter()) {
        self.filter = filter
    }

    /// Looks at an event.
    package mutating func observe(_ event: AuditEvent) {
        evidence.observe(event)
        if case .conflict(let conflict) = event.content { add(conflict) }
    }

    /// Looks at an ordinary line; false where it tells of no loss that is not known, so that no event need be made of it.
    package mutating func chooses(_ line: ScannedLine) -> Bool {
        if line.isConflict, line.traits.losesEdit, line.traits.isPending || line.traits.isFinal || !isKnown(ConflictID(rawValue: line.id)) {
            return true
        }
        evidence.observe(line)
        return false
    }

    private func isKnown(_ id: ConflictID) -> Bool { found[id]?.recoverability == .available }

    /// Looks a second time at an event, for writes that have made a loss good.
    package mutating func observeAgain(_ event: AuditEvent) {
        if case .write(let write) = event.content { mark(write) }
    }

    /// The losses, latest first.
    ///
    /// - Complexity: O(*n* log *n*).
    package var losses: [Loss] {
        found.values.ordered {
            $0.milliseconds == $1.milliseconds ? $0.conflict.id < $1.conflict.id : $0.milliseconds > $1.milliseconds
        }
    }

    private mutating func add(_ conflict: Conflict) {
        guard filter.matches(conflict), let loss = Loss(conflict) else { return }
        guard let known = found[conflict.id] else {
            found[conflict.id] = loss
            record(conflict)
            return
        }
        // Another log may hold the value that this one leaves out, and a later line the decision.
        let tellsMore = known.recoverability != .available && loss.recoverability == .available
        var merged = tellsMore ? loss : known
        merged.status = max(known.status, loss.status)
        found[conflict.id] = merged
        if tellsMore { record(conflict) }
    }

    private mutating func record(_ conflict: Conflict) {
        switch conflict.restoringOperation {
        case .delete: wishes[Wish(key: conflict.key), default: []].append(conflict.id)
        case .put(let fields):
            let only = fields.count == 1 ? fields.first : nil
            wishes[Wish(key: conflict.key, field: only?.name, value: only?.value), default: []].append(conflict.id)
        case nil: break
        }
    }

    private mutating func mark(_ write: TaggedWrite) {
        mark(write, Wish(key: write.key))
        for field in write.fields ?? FieldMap() { mark(write, Wish(key: write.key, field: field.name, value: field.value)) }
    }

    private mutating func mark(_ write: TaggedWrite, _ wish: Wish) {
        guard let open = wishes[wish] else { return }
        let rest = open.filter { found[$0]?.conflict.isRestored(by: write) == false }
        guard rest.count < open.count else { return }
        for id in Set(open).subtracting(rest) { found[id]?.status = .restored }
        wishes[wish] = rest.isEmpty ? nil : rest
    }
}

extension Loss.Status: Comparable {
    /// Whether the left says less about what has become of a value.
    package static func < (left: Loss.Status, right: Loss.Status) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .lost: 0
        case .waiting: 1
        case .decided: 2
        case .restored: 3
        }
    }
}
