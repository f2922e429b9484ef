package import SyncModel

extension RecordState {
    /// The maximal writes to a register: a field, or the whole record where the field is nil.
    package func maximalWrites(of field: FieldName?, rules: MergeRules) -> [TaggedWrite] {
        guard let field, case .fields = rules.scope(for: key.type) else { return record.writes }
        return register(of: field)?.maximal.writes ?? []
    }

    /// Whether a maximal write to the record has the same name and says something else, so that one of the two is misnamed.
    package func contradicts(_ write: TaggedWrite) -> Bool {
        guard let known = record.maximalWrite(named: write.dot) else { return false }
        return known.timestamp != write.timestamp || known.operation != write.operation
    }

    /// The latest running total that a device has counted in a field under the `counter` policy and that no reset took away; 0 without one.
    package func runningTotal(of field: FieldName, by device: DeviceID) -> Int64 {
        let write = register(of: field)?.tally?.totals[device]
        return write?.value(of: field).flatMap(CounterWrite.init)?.total ?? 0
    }
}
