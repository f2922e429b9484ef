import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel

extension ObserverTransaction {
    /// Looks at the list of lost edits, or changes it.
    mutating func lostEdits<Result>(_ body: (inout LostEditList) throws -> Result) throws -> Result {
        do {
            return try body(&lost)
        } catch let failure as CodingFailure {
            throw SyncObservationError(damagedList: failure)
        }
    }

    /// Keeps the edit that a decision tells to be lost, where it tells of one.
    mutating func keepLostEdit(of decision: MergeDecision, _ basis: Conflict.Basis?, called name: RecordName?) throws {
        let rules = configuration.auditRules
        var conflict = ConflictClassifier(rules: rules).conflict(decision, basis: basis)
        // What the log leaves out is not listed either.
        guard conflict.losesEdit, conflict.withinWindow || rules.outsideWindow == .log else { return }
        conflict.name = name
        let (access, now, limits) = (access, milliseconds, configuration.lostEditLimits)
        try lostEdits { [conflict] in try $0.insert(conflict, at: now, limits, access) }
    }

    /// Takes the edits of a record off the list whose values are shown again.
    ///
    /// - Parameter record: What is known of the record with this step, and not yet kept.
    mutating func removeLostEdits(of key: RecordKey, shownBy record: RecordShadow) throws {
        let fields = lost.fields(of: key)
        guard !fields.isEmpty else { return }
        let before = try self.record(key)
        for case let field? in fields {
            // What is shown as it was is not shown again.
            guard let value = record.shownValue(of: field), value != before?.shownValue(of: field) else { continue }
            lost.removeEdits(key: key, field, value)
        }
        guard before?.isLive != false, !record.isLive else { return }
        let access = access
        try lostEdits { try $0.removeDeletes(of: key, access) }
    }

    /// Forgets what is over some limits.
    mutating func forgetLostEdits(_ limits: LostEditLimits) { lost.prune(at: milliseconds, limits) }

    /// Writes out what the step has changed in the list.
    mutating func finishLostEdits() throws {
        let access = access
        let (hasChanged, forgotten) = try lostEdits { try $0.finish(access) }
        if hasChanged { noteLostEditsChanged() }
        if forgotten > 0 { tell(.forgotten(forgotten, at: milliseconds)) }
    }
}

extension RecordShadow {
    /// The value that a field shows, as far as is known.
    func shownValue(of field: FieldName) -> FieldValue? { isLive ? fields[field]?.current?.value : nil }
}

extension SyncObservationError {
    /// The list of lost edits cannot be read.
    init(damagedList failure: CodingFailure) {
        self.init(
            .damaged,
            "the shadow is damaged: its list of lost edits cannot be read (\(failure.problem)); remove its file and give the device another "
                + "name, and all that was seen is forgotten",
            underlying: failure)
    }
}
