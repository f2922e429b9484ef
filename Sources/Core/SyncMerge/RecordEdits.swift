public import SyncModel

/// The write that set what is shown: who made it, and when.
///
/// ```swift
/// if let name = state.edits(rules: rules)?.fields["name"] {
///     print("The name is from \(name.device), \(name.timestamp)")
/// }
/// ```
public struct LastEdit: Hashable, Sendable {
    /// The writer and its count of its writes.
    public let dot: Dot

    /// The writer's time.
    public let timestamp: HybridTimestamp

    /// Says who made a write, and when.
    package init(dot: Dot, timestamp: HybridTimestamp) {
        self.dot = dot
        self.timestamp = timestamp
    }

    /// Says who made a write, and when.
    init(_ write: TaggedWrite) {
        dot = write.dot
        timestamp = write.timestamp
    }

    /// The device that made the edit, also where its writes carry a name like `phone~1f3a9c02` since its store was put back or copied.
    public var device: DeviceID { dot.device.firstWriter }
}

/// The writers of what a record shows, with times: "last edited on iPad at 14:05".
///
/// ```swift
/// if let edits = state.edits(rules: rules) {
///     print("Last edited on \(edits.latest.device)")
/// }
/// ```
public struct RecordEdits: Hashable, Sendable {
    /// The latest of the edits that the record is made of.
    ///
    /// An edit that removed a field counts; one that lost to another, or to a delete, does not.
    public let latest: LastEdit

    /// The edit of each field that is shown.
    ///
    /// The value of a counter or a set is made of several edits: the latest counts of those that no other writer had seen. Under a
    /// record-level policy a field that the winning write does not name shows through from what its writer had seen, and so does its edit.
    public let fields: [FieldName: LastEdit]
}

extension RecordState {
    /// The writers of what the record shows; nil where the record is not shown.
    ///
    /// Decides nothing by itself: the edits are those of the writes that ``winner(of:rules:)`` and ``shown(rules:)`` choose. Nothing is
    /// kept for it. A record under a record-level policy that has forgotten settled writes, as a replica's has once all devices know them,
    /// names for their fields the settled write that was shown.
    ///
    /// - Complexity: as ``shown(rules:)``.
    public func edits(rules: MergeRules) -> RecordEdits? {
        guard isShown(rules: rules) else { return nil }
        var fields: [FieldName: LastEdit] = [:]
        var latest: TaggedWrite?
        func add(_ write: TaggedWrite, to name: FieldName, isShown: Bool) {
            if latest?.precedes(write) ?? true { latest = write }
            if isShown { fields[name] = LastEdit(write) }
        }
        switch rules.scope(for: key.type) {
        case .record:
            var named: Set<FieldName> = []
            for write in winners(among: history, rules: rules) {
                for field in write.fields ?? FieldMap() where named.insert(field.name).inserted {
                    add(write, to: field.name, isShown: field.value != .null)
                }
            }
        case .fields:
            for name in names {
                guard let write = winner(of: name, rules: rules), !write.isDelete else { continue }
                add(write, to: name, isShown: register(of: name)?.shown(rules: rules, key: key) != nil)
            }
        }
        // A record may be there without any field.
        return (latest ?? winner(of: nil, rules: rules)).map { RecordEdits(latest: LastEdit($0), fields: fields) }
    }
}
