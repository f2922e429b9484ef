import SyncBytes
import SyncMerge
import SyncModel

extension SimulationChecks {
    /// Counters show what was counted, and sets hold what was added and not taken out again.
    func tallies() -> [String] {
        var problems: [String] = []
        for (key, fields) in records.ordered(by: { $0.key < $1.key }) {
            guard case .fields = rules.scope(for: key.type), let writes = writes[key] else { continue }
            for field in fields {
                switch rules.policy(for: key.type, field: field.name) {
                case .counter:
                    guard let sum = sum(of: field.name, writes), field.value.integer != sum else { continue }
                    problems.append("\(key).\(field.name) shows \(field.value), and \(sum) was counted")
                case .set:
                    let members = members(of: field.name, writes)
                    if Set(field.value.array ?? []) != members {
                        problems.append("\(key).\(field.name) holds \(field.value), not \(members)")
                    }
                default: continue
                }
            }
        }
        return problems
    }

    /// The sum of the devices' latest totals; nil where something has set the counter back, which is not so simple.
    private func sum(of field: FieldName, _ writes: [TaggedWrite]) -> Int64? {
        var totals: [DeviceID: Int64] = [:]
        var latest: [DeviceID: UInt64] = [:]
        for write in writes {
            if write.isDelete { return nil }
            guard let value = write.fields?[field] else { continue }
            guard let total = value.object?["$counter"]?.integer else { return nil }
            // What was given back to the hub may come after what followed it.
            if let last = latest[write.dot.device], last > write.dot.sequence { continue }
            latest[write.dot.device] = write.dot.sequence
            totals[write.dot.device] = total
        }
        return totals.values.reduce(0, +)
    }

    /// The elements that somebody added and that nobody who had seen that took out.
    private func members(of field: FieldName, _ writes: [TaggedWrite]) -> Set<FieldValue> {
        if result.faults.haveEmptiedHub { return membersInAnyOrder(of: field, writes) }
        var members: [FieldValue: [TaggedWrite]] = [:]
        for write in writes {
            let value = write.isDelete ? FieldValue.null : write.fields?[field]
            guard let value else { continue }
            let change = value.object
            let added = (change == nil ? value : change?["$add"])?.array ?? []
            // A plain value takes out everything.
            let removed = change == nil ? Array(members.keys) : change?["$remove"]?.array ?? []
            // Whoever has seen a write has it from the hub, or made it: it stands earlier in the hub's order.
            for element in removed where !(change != nil && added.contains(element)) {
                members[element]?.removeAll { write.dot.device == $0.dot.device || write.seen?.covers($0.dot) == true }
            }
            for element in added { members[element, default: []].append(write) }
        }
        return Set(members.filter { !$0.value.isEmpty }.keys)
    }

    /// The same where the writes' order says nothing, by comparing each with each.
    private func membersInAnyOrder(of field: FieldName, _ writes: [TaggedWrite]) -> Set<FieldValue> {
        var added: [(element: FieldValue, write: TaggedWrite)] = []
        var removed: [(element: FieldValue?, write: TaggedWrite)] = []
        for write in writes {
            guard let value = write.isDelete ? FieldValue.null : write.fields?[field] else { continue }
            let change = value.object
            let elements = (change == nil ? value : change?["$add"])?.array ?? []
            added += elements.map { ($0, write) }
            if change == nil { removed.append((nil, write)) }
            removed += (change?["$remove"]?.array ?? []).filter { !elements.contains($0) }.map { ($0, write) }
        }
        return Set(
            added.lazy.filter { addition in
                !removed.contains { ($0.element ?? addition.element) == addition.element && $0.write.hasBeenAfter(addition.write) }
            }.map(\.element))
    }
}
