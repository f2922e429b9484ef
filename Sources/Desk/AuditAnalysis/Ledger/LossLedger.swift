package import AuditLog
import ConflictAudit
import SyncBytes
import SyncLines
package import SyncModel

/// The values that logs say were discarded, each once, and what has become of them.
///
/// A conflict that several devices logged is one loss, and none where a log calls it benign, or all writes together do: who calls it
/// harmless knows more, as the audit of a whole trace does, while a replica that does not remember what was shown calls nothing so. A loss
/// counts as restored where a line says so, or where a later write that had seen both sides gave the value back; that can be known only
/// where the logs hold writes.
///
/// - Complexity: observing is O(1) in dictionary look-ups, and for a write O(*n*) in the losses of its record that its values may give
///   back. Memory grows with the distinct losses, and the values of those that pass the filter, not with the lines read. A value type; its
///   owner guards it.
package struct LossLedger: EventObserver, Sendable {
    /// Which losses are looked at.
    package let filter: ReportFilter
    /// How far the lines can tell of losses; a write that several devices logged counts several times.
    package private(set) var evidence = AuditEvidence()
    /// Whether any write was seen, so that a value written again would have been noticed.
    package var hasWrites: Bool { evidence.hasWriteLines }

    /// How many losses of the lines took nothing from anybody, by all writes together, and are not told.
    package private(set) var benignCount = 0

    private var found: [ConflictID: Loss] = [:]
    /// The conflict by which each edit is told: it may have lost to several writes.
    private var tellers: [DiscardedEdit: ConflictID] = [:]
    /// All conflicts of the edits that several tell of, by the first of them.
    private var alternatives: [ConflictID: [Conflict]] = [:]
    /// The conflicts that a log calls benign.
    private var benign: Set<Decision> = []
    /// Hashes of the edits that were lost in conflicts which do not pass the filter: such an edit may be lost there alone.
    private var filteredOut: Set<UInt64> = []
    /// The conflicts that lines tell of in several ways, so that what one of them lost another may not.
    private var contested: Set<ConflictID> = []
    /// The losses that nothing is known to have made good, by what a write would have to do.
    private var wishes: [Wish: [ConflictID]] = [:]
    /// At the second look, the records of the losses.
    private var records: (keys: Set<RecordKey>, chosen: ChosenRecords)?
    /// The writes looked at then, by hashes of their dots and times: every device of a fleet may have logged them, and a store that was put
    /// back may have given a number twice.
    private var looked: Set<UInt64> = []
    /// The writes to all those records, where it is asked which losses took nothing.
    private var history: LossHistory?

    /// A conflict as it was decided: devices may disagree on the winner, and a store that was put back may have given a number twice.
    private struct Decision: Hashable, Sendable {
        let id: ConflictID
        let winner: DeviceID
        let milliseconds: Int64
        let gap: UInt64

        init(_ conflict: Conflict) {
            (id, winner, milliseconds) = (conflict.id, conflict.winner.dot.device, conflict.milliseconds)
            gap = conflict.gapMilliseconds.magnitude
        }

        init(_ line: ScannedLine, _ names: ScannedNames) {
            (id, winner) = (ConflictID(rawValue: line.id), DeviceID(names.devices.name(Int(line.device)).text))
            (milliseconds, gap) = (line.milliseconds, line.gap.magnitude)
        }
    }

    /// A field set to a value; without a field, whatever concerns the record as a whole.
    private struct Wish: Hashable, Sendable {
        let key: RecordKey
        var field: FieldName?
        var value: FieldValue?
    }

    /// A ledger of the losses that pass a filter.
    ///
    /// - Parameter findsBenign: Whether ``dropBenign()`` is to find losses that took nothing.
    package init(filter: ReportFilter = ReportFilter(), findsBenign: Bool = false) {
        self.filter = filter
        if findsBenign { history = LossHistory() }
    }

    /// Records a loss, or at the second look a write that has made one good.
    package mutating func observe(_ line: AuditLine, at location: AuditLogReader.Location) {
        if let records {
            history?.observe(line, isKept: records.keys.contains)
            if case .write(let write) = line.event.content { markOnce(by: write) }
            return
        }
        evidence.observe(line.event)
        if case .conflict(let conflict) = line.event.content { add(conflict) }
    }

    package static var choosesLines: Bool { true }

    /// Chooses the lines that tell of a loss that is not known, or at the second look of a write that may have made one good.
    package mutating func chooses(_ line: ScannedLine, _ names: ScannedNames) -> Bool {
        if records != nil {
            history?.note(line, names)
            if line.content == .write, let dot = line.dot, looked.contains(LossHistory.name(dot, line.milliseconds)) { return false }
            return line.content == .write && records?.chosen.contain(line, names) == true
        }
        if line.isConflict, line.traits.losesEdit, line.traits.isPending || line.traits.isFinal || !isKnown(ConflictID(rawValue: line.id)) {
            return true
        }
        if line.isConflict, line.traits.severity == .benign { benign.insert(Decision(line, names)) }
        if line.isConflict, line.traits.losesEdit, let known = conflict(ConflictID(rawValue: line.id)) {
            contest(known.id, Decision(line, names) != Decision(known))
        }
        evidence.observe(line)
        return false
    }

    private func conflict(_ id: ConflictID) -> Conflict? {
        guard let loss = found[id], loss.conflict.id != id else { return found[id]?.conflict }
        return alternatives[id]?.first { $0.id == id }
    }

    private func isKnown(_ id: ConflictID) -> Bool { found[id]?.recoverability == .available }

    /// Whether writes may have made losses good, or tell that they took nothing: of several logs the one that tells of a write may be read
    /// before the one that tells of the conflict.
    package mutating func looksAgain() -> Bool {
        guard records == nil, hasWrites else { return false }
        let keys = history == nil ? Set(wishes.keys.map(\.key)) : Set(found.values.map(\.conflict.key))
        if keys.isEmpty { return false }
        records = (keys, ChosenRecords(keys))
        return true
    }

    /// Leaves out the losses of which all writes together say, after the second look, that they took nothing from anybody.
    ///
    /// - Complexity: O(*n* log *n*) in the writes to the records, and the losses.
    package mutating func dropBenign() { if let history { dropBenign(by: history) } }

    /// The same, where somebody else has looked at the writes.
    mutating func dropBenign(by history: LossHistory) {
        let before = told.count
        let conflicts = found.flatMap { alternatives[$0] ?? [$1.conflict] }.filter {
            !contested.contains($0.id) && (filteredOut.isEmpty || !filteredOut.contains(EditHash.value(of: $0)))
        }
        for conflict in history.benign(among: conflicts) { benign.insert(Decision(conflict)) }
        benignCount = before - told.count
    }

    /// The losses, latest first.
    ///
    /// - Complexity: O(*n* log *n*).
    package var losses: [Loss] {
        told.ordered {
            $0.milliseconds == $1.milliseconds ? $0.conflict.id < $1.conflict.id : $0.milliseconds > $1.milliseconds
        }
    }

    /// How many of the losses were made good later.
    ///
    /// - Complexity: O(*n*).
    package var restored: Int { told.count { $0.status == .restored } }

    /// The losses that no log calls harmless.
    private var told: [Loss] {
        if benign.isEmpty { return Array(found.values) }
        return found.compactMap { id, loss in
            (alternatives[id] ?? [loss.conflict]).allSatisfy { benign.contains(Decision($0)) } ? nil : loss
        }
    }

    /// Records what a conflict discarded.
    mutating func add(_ conflict: Conflict) {
        if conflict.severity == .benign { benign.insert(Decision(conflict)) }
        guard let loss = Loss(conflict) else { return }
        guard filter.matches(conflict) else {
            filteredOut.insert(EditHash.value(of: conflict))
            return
        }
        let edit = conflict.discardedEdit
        let id = tellers[edit] ?? conflict.id
        guard let known = found[id] else {
            tellers[edit] = id
            found[id] = loss
            record(conflict, as: id)
            return
        }
        // Another log may hold the value that this one leaves out, and a later line the decision.
        let tellsMore = known.recoverability != .available && loss.recoverability == .available
        if known.conflict.id == loss.conflict.id {
            contest(conflict.id, Decision(conflict) != Decision(known.conflict))
        } else {
            var others = alternatives[id] ?? [known.conflict]
            if let other = others.first(where: { $0.id == conflict.id }) {
                contest(conflict.id, Decision(conflict) != Decision(other))
            } else {
                others.append(conflict)
            }
            alternatives[id] = others
        }
        var merged = loss.conflict.tells(ratherThan: known.conflict) ? loss : known
        merged.status = max(known.status, loss.status)
        merged.otherConflicts = alternatives[id]?.map(\.id).filter { $0 != merged.conflict.id }.sorted() ?? []
        found[id] = merged
        if tellsMore { record(conflict, as: id) }
    }

    private mutating func contest(_ id: ConflictID, _ isContested: Bool) {
        if isContested { contested.insert(id) }
    }

    private mutating func record(_ conflict: Conflict, as id: ConflictID) {
        switch conflict.restoringOperation {
        case .delete: wishes[Wish(key: conflict.key), default: []].append(id)
        case .put(let fields):
            let only = fields.count == 1 ? fields.first : nil
            wishes[Wish(key: conflict.key, field: only?.name, value: only?.value), default: []].append(id)
        case nil: break
        }
    }

    /// Marks the losses that a write has made good.
    package mutating func mark(by write: TaggedWrite) {
        mark(write, Wish(key: write.key))
        for field in write.fields ?? FieldMap() { mark(write, Wish(key: write.key, field: field.name, value: field.value)) }
    }

    /// Marks the losses that a write has made good, where no other log has told all of it.
    private mutating func markOnce(by write: TaggedWrite) {
        mark(by: write)
        if !write.isNumbered || write.leavesOutValues { return }
        looked.insert(LossHistory.name(write.dot, write.timestamp.milliseconds))
    }

    /// Whether a write gave back what any conflict of an edit had discarded.
    private func isRestored(_ id: ConflictID, by write: TaggedWrite) -> Bool {
        if let all = alternatives[id] { return all.contains { $0.isRestored(by: write) } }
        return found[id]?.conflict.isRestored(by: write) != false
    }

    private mutating func mark(_ write: TaggedWrite, _ wish: Wish) {
        guard let open = wishes[wish] else { return }
        let rest = open.filter { !isRestored($0, by: write) }
        guard rest.count < open.count else { return }
        for id in Set(open).subtracting(rest) { found[id]?.status = .restored }
        wishes[wish] = rest.isEmpty ? nil : rest
    }
}

extension TaggedWrite {
    /// Whether the log left values out.
    var leavesOutValues: Bool { fields?.contains { Recoverability(ofValue: $0.value) != .available } ?? false }
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
