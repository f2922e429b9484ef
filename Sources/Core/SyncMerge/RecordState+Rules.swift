package import SyncBytes
import SyncModel

extension RecordState {
    /// The state that the record would have under other rules.
    ///
    /// Exact, and so the same on every device whenever it changes over, because what the new rules need is what the old ones have kept: a
    /// choice among the maximal writes to a field needs them alone, and a counter or a set that nothing was counted in yet begins with
    /// them. Of a record merged whole, what has settled is kept only as the old rules showed it.
    ///
    /// - Returns: Nil where it is the same state.
    /// - Throws: ``CodingFailure`` where the old rules have not kept what the new ones need.
    package func changed(from old: KeptRules, to new: KeptRules, rules: MergeRules) throws(CodingFailure) -> RecordState? {
        let type = key.type
        let (scope, newScope) = (old.policy(of: type, nil), new.policy(of: type, nil))
        if scope.isOfRecord || newScope.isOfRecord {
            guard scope == newScope, old.deletes == new.deletes else {
                let (before, after) =
                    scope == newScope ? (old.deletes.rawValue, new.deletes.rawValue) : (scope.described, newScope.described)
                throw CodingFailure(
                    "\(type.rawValue.shortened): \(key.description.shortened) was merged by \(before), and \(after) needs what that has not kept; "
                        + "use a new record type, or begin with an empty store under a new device name")
            }
            return nil
        }
        for field in names where new.policy(of: type, field).isLastArrival && !old.policy(of: type, field).isLastArrival {
            guard let write = register(of: field)?.maximal.writes.first(where: { $0.hubSequence == nil }) else { continue }
            throw CodingFailure(
                "\(type.rawValue.shortened).\(field.rawValue.shortened): lastArrivalWins goes by the hub's order, and where the device's own write "
                    + "\(write.dot) stands in it was not kept; use a new field, or begin with an empty store under a new device name")
        }
        let sums = names.filter { new.policy(of: type, $0).addsUp && new.policy(of: type, $0) != old.policy(of: type, $0) }
        if sums.isEmpty { return nil }
        let held = heldWrites
        for write in held {
            for field in sums {
                guard let value = write.value(of: field), value.isChange else { continue }
                throw CodingFailure(
                    "\(type.rawValue.shortened).\(field.rawValue.shortened): write \(write.dot) gave it \(value.described) that a counter or set "
                        + "would take for a change of it; write a plain value first")
            }
        }
        return RecordState(key: key, writes: held, rules: rules)
    }
}
