package import SyncModel

/// What a field shows under the policies by which nobody loses, by comparing every write with every other.
package enum TallyOracle {
    /// What a put says about a counter or a set.
    private enum Change {
        case total(Int64)
        case elements(added: [FieldValue], removed: [FieldValue])
        /// A plain value, or none: the writer sets the value instead of changing it.
        case reset(FieldValue)
    }

    /// The sum of each device's latest running total and of the number last set, among the writes that no setting write had seen.
    ///
    /// - Parameter writes: The writes to one record, each once.
    package static func counter(
        _ field: FieldName, _ writes: [TaggedWrite], deletes: Oracle.Deletes = .deleteWins, proximity: Int64 = 60_000
    )
        -> Int64
    {
        let writes = writes.filter { concerns($0, field) }
        let relation = Relation(writes: writes, proximity: proximity)
        let changes = writes.map { change($0, field) }
        let resets = writes.indices.filter { if case .reset = changes[$0] { true } else { false } }
        var latest: [DeviceID: (sequence: UInt64, total: Int64)] = [:]
        for (index, write) in writes.enumerated() {
            guard case .total(let total) = changes[index], !resets.contains(where: { relation.saw[$0] & (1 << UInt64(index)) != 0 }) else {
                continue
            }
            if write.dot.sequence > latest[write.dot.device]?.sequence ?? 0 { latest[write.dot.device] = (write.dot.sequence, total) }
        }
        let standing = resets.filter { one in !resets.contains { relation.saw[$0] & (1 << UInt64(one)) != 0 } }
        // The number counted from is that of the latest put among them, unless a delete wins over it; then it is 0.
        let latestSetting = standing.max { relation.rank[$0] < relation.rank[$1] }
        let isDeleted =
            switch deletes {
            case .deleteWins: standing.contains { writes[$0].isDelete }
            case .editWins: false
            case .lastWriterWins: latestSetting.map { writes[$0].isDelete } ?? false
            }
        let put = standing.filter { !writes[$0].isDelete }.max { relation.rank[$0] < relation.rank[$1] }
        var start: Int64 = 0
        if !isDeleted, let put, case .reset(let value) = changes[put] { start = value.integer ?? 0 }
        return latest.values.reduce(start) { $0 + $1.total }
    }

    /// The elements that somebody added and that nobody who had seen the addition removed.
    ///
    /// - Parameter writes: The writes to one record, each once.
    package static func set(_ field: FieldName, _ writes: [TaggedWrite], proximity: Int64 = 60_000) -> [FieldValue] {
        let writes = writes.filter { concerns($0, field) }
        let relation = Relation(writes: writes, proximity: proximity)
        let changes = writes.map { change($0, field) }
        var members: [FieldValue] = []
        for index in writes.indices {
            for element in added(changes[index]) where !members.contains(element) {
                let isTakenBack = writes.indices.contains { other in
                    relation.saw[other] & (1 << UInt64(index)) != 0 && removes(changes[other], element)
                }
                if !isTakenBack { members.append(element) }
            }
        }
        return members.sorted()
    }

    private static func concerns(_ write: TaggedWrite, _ field: FieldName) -> Bool {
        switch write.operation {
        case .delete: true
        case .put(let fields): fields[field] != nil
        }
    }

    private static func change(_ write: TaggedWrite, _ field: FieldName) -> Change {
        guard case .put(let fields) = write.operation, let value = fields[field] else { return .reset(.null) }
        guard case .object(let object) = value else { return .reset(value) }
        if let total = object["$counter"]?.integer { return .total(total) }
        return .elements(added: object["$add"]?.array ?? [], removed: object["$remove"]?.array ?? [])
    }

    private static func added(_ change: Change) -> [FieldValue] {
        switch change {
        case .total: []
        case .elements(let added, _): added
        case .reset(.array(let elements)): elements
        case .reset(.null): []
        case .reset(let value): [value]
        }
    }

    private static func removes(_ change: Change, _ element: FieldValue) -> Bool {
        switch change {
        case .total: false
        // An element that stands in both is added.
        case .elements(let added, let removed): removed.contains(element) && !added.contains(element)
        case .reset: true
        }
    }
}
