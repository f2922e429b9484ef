public import ConflictAudit
import SyncBytes
import SyncModel

extension SyncObserver: LostEditKeeper {
    /// The edits of all launches that were lost and neither restored nor dismissed, each by a conflict that it lost, the latest first.
    ///
    /// They are kept in the shadow, in the transaction that found them, within ``Configuration/lostEditLimits``; a shadow that was written
    /// by an earlier version of the package begins with none. An edit leaves the list when its field shows its value again, whoever saved
    /// it. An engine that empties the store, as for another account, takes all of them off.
    ///
    /// ```swift
    /// for conflict in try observer.lostEdits { print(conflict.key, "lost", conflict.loser.value ?? "") }
    /// ```
    ///
    /// - Parameter limit: How many at most; `lostEdits` has all.
    /// - Throws: ``SyncObservationError`` where the shadow cannot be read.
    /// - Complexity: O(*n*) in the edits returned and those dismissed.
    public func lostEdits(limit: Int) throws -> [Conflict] {
        do {
            return try storage.write(isDurable: false) { access in try LostEditList.conflicts(limit: limit, access) }
        } catch let failure as CodingFailure {
            throw SyncObservationError(damagedList: failure)
        }
    }

    /// Takes the edit that a conflict discarded off the list for good; does nothing where it is not there.
    public func dismiss(_ conflict: Conflict) throws {
        try perform { step in
            let access = step.access
            try step.lostEdits { try $0.dismiss(conflict, access) }
        }
    }

    /// Calls a body, on any thread, after each change of ``lostEdits(limit:)``, until nobody holds the observation returned.
    public func observeLostEdits(_ body: @escaping @Sendable () -> Void) -> LostEditObservation { lostEditObservers.add(body) }

    /// Has the app give back what a conflict discarded, in its own editing context, and takes the edit off the list once it has.
    ///
    /// The observer itself writes nothing. What the app saves is reported like any save.
    ///
    /// ```swift
    /// try observer.restore(conflict) { change in print("set", change.field ?? "", "of", change.key, "to", change.value ?? "nothing") }
    /// ```
    ///
    /// - Parameters:
    ///   - conflict: A conflict that this observer has found.
    ///   - force: Whether to replace also what was saved or has arrived since.
    ///   - apply: Makes the change and saves it; where it throws, the edit stays on the list.
    /// - Throws: ``SyncObservationError`` with ``SyncObservationError/Code/superseded`` and what is shown now where the field has moved on
    ///   since, with ``SyncObservationError/Code/notFound`` where the shadow does not hold the lost value, and what `apply` throws.
    public func restore(_ conflict: Conflict, force: Bool = false, by apply: (ProposedChange) throws -> Void) throws {
        let change = try proposedChange(restoring: conflict.id)
        if !force, let now = try perform({ try $0.record(conflict.key)?.movedOn(since: conflict) }) {
            throw SyncObservationError(.superseded, "\(conflict.key) has moved on since the conflict \(conflict.id): \(now)")
        }
        try apply(change)
        try perform { $0.lost.remove(conflict) }
    }
}

extension RecordShadow {
    /// What is shown instead of a conflict's winner; nil where that is shown, or the loser already, and where nothing is known.
    fileprivate func movedOn(since conflict: Conflict) -> String? {
        if !isLive { return conflict.winner.operation == .delete || conflict.loser.operation == .delete ? nil : "it was deleted" }
        if conflict.winner.operation == .delete { return "it is there again" }
        guard let field = conflict.field, let current = fields[field]?.current else { return nil }
        if current.value == conflict.winner.value || current.value == conflict.loser.value { return nil }
        return "\(field.rawValue.quoted) shows " + (current.isOwn ? "what this device has saved since" : "what has arrived since")
    }
}
