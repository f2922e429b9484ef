package import SyncModel

/// What a field shows under the policies by which nobody loses, by comparing every write with every other.
package enum TallyOracle {
    /// What a put says about a set.
    private enum Change {
        case elements(added: [FieldValue], removed: [FieldValue])
        /// A plain value, or none: the writer sets the value instead of changing it.
        case reset(FieldValue)
    }

    /// The sum of each device's latest running total and of the number last set, among the writes that no setting write had seen.
    ///
    /// A value that is no number of 64 bits is shown where nothing counts beside it.
    ///
    /// - Parameter writes: The writes to one record, each once.
    package static func counter(
        _ field: FieldName, _ writes: [TaggedWrite], deletes: Oracle.Deletes = .deleteWins, inference: Oracle.Inference = .init()
    )
        -> FieldValue
    {
        let writes = writes.filter { concerns($0, field) }
        let relation = Relation(writes: writes, inference: inference)
        let totals = writes.map { total($0, field) }
        let resets = writes.indices.filter { totals[$0] == nil }
        var latest: [DeviceID: (sequence: UInt64, total: Int64)] = [:]
        for (index, write) in writes.enumerated() {
            guard let total = totals[index], !resets.contains(where: { relation.saw[$0] & (1 << UInt64(index)) != 0 }) else { continue }
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
        let puts = standing.filter { !writes[$0].isDelete }
        let countable = puts.filter { canBeCountedFrom(plainValue(writes[$0], field)) }
        let put = (countable.isEmpty ? puts : countable).max { relation.rank[$0] < relation.rank[$1] }
        let start = isDeleted ? .null : put.map { plainValue(writes[$0], field) } ?? .null
        if latest.isEmpty, start != .null { return start }
        return .number(JSONNumber(latest.values.reduce(Int128(start.integer ?? 0)) { $0 + Int128($1.total) }))
    }

    /// Whether a value that sets a counter leaves a number: the removal of one leaves 0.
    static func canBeCountedFrom(_ value: FieldValue) -> Bool { value == .null || value.integer != nil }

    /// What a put adds to a counter; nil where it sets it.
    static func total(_ write: TaggedWrite, _ field: FieldName) -> Int64? {
        guard case .object(let object) = plainValue(write, field), object.count == 1 else { return nil }
        return object["$counter"]?.integer
    }

    private static func plainValue(_ write: TaggedWrite, _ field: FieldName) -> FieldValue {
        guard case .put(let fields) = write.operation else { return .null }
        return fields[field] ?? .null
    }

    /// The elements that somebody added and that nobody who had seen the addition removed.
    ///
    /// - Parameter writes: The writes to one record, each once.
    package static func set(_ field: FieldName, _ writes: [TaggedWrite], inference: Oracle.Inference = .init()) -> [FieldValue] {
        let writes = writes.filter { concerns($0, field) }
        let relation = Relation(writes: writes, inference: inference)
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

    /// Whether an element that a put adds to a set is one that is wanted.
    static func hasElement(addedBy write: TaggedWrite, of field: FieldName, _ isWanted: (FieldValue) -> Bool) -> Bool {
        !write.isDelete && concerns(write, field) && added(change(write, field)).contains(where: isWanted)
    }

    /// Whether who had seen an element takes it out by a write.
    static func removes(_ element: FieldValue, by write: TaggedWrite, from field: FieldName) -> Bool {
        concerns(write, field) && removes(change(write, field), element)
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
        return .elements(added: object["$add"]?.array ?? [], removed: object["$remove"]?.array ?? [])
    }

    private static func added(_ change: Change) -> [FieldValue] {
        switch change {
        case .elements(let added, _): added
        case .reset(.array(let elements)): elements
        case .reset(.null): []
        case .reset(let value): [value]
        }
    }

    private static func removes(_ change: Change, _ element: FieldValue) -> Bool {
        switch change {
        // An element that stands in both is added.
        case .elements(let added, let removed): removed.contains(element) && !added.contains(element)
        case .reset: true
        }
    }
}
