public import ConflictAudit
import SyncBytes
public import SyncModel

extension Replica: LostEditKeeper {
    /// The edits of all launches that were lost and neither restored nor dismissed, each by a conflict that it lost, the latest first.
    ///
    /// Those of this device are the ones whose loser it wrote. They are kept in the store, in the transaction that lost them, within
    /// ``ReplicaConfiguration/lostEditLimits``; a store that was written by an earlier version of the package begins with none. An edit
    /// leaves the list when a write that has seen both sides gives its value back, on whichever device, and when it is shown again.
    ///
    /// ```swift
    /// for conflict in try replica.lostEdits { print(conflict.key, "lost", conflict.loser.value ?? "", "to", conflict.winner.dot.device) }
    /// ```
    ///
    /// - Parameter limit: How many at most; `lostEdits` has all.
    /// - Throws: ``SyncLayerError`` where the store cannot be read.
    /// - Complexity: O(*n*) in the edits returned and those dismissed.
    public func lostEdits(limit: Int) throws -> [Conflict] {
        do {
            return try store.read { reader in try LostEditList.conflicts(limit: limit, StoredLostEdits(reader)) }
        } catch let failure as CodingFailure {
            throw SyncLayerError(damaged: "the list of lost edits", failure)
        }
    }

    /// Takes the edit that a conflict discarded off the list for good, on this device; does nothing where it is not there.
    public func dismiss(_ conflict: Conflict) throws {
        try transact { core, writer in try core.lostEdits { try $0.dismiss(conflict, StoredLostEdits(writer)) } }
    }

    /// Calls a body, on any thread, after each change of ``lostEdits(limit:)``, until nobody holds the observation returned.
    public func observeLostEdits(_ body: @escaping @Sendable () -> Void) -> LostEditObservation { lostEditObservers.add(body) }

    /// Gives back what a conflict discarded, see ``WriteBatch/restore(_:force:)``.
    ///
    /// ```swift
    /// if let conflict = try replica.lostEdits.first { try replica.restore(conflict) }
    /// ```
    @discardableResult
    public func restore(_ conflict: Conflict, force: Bool = false) throws -> Dot {
        try write { try $0.restore(conflict, force: force) }
    }
}
