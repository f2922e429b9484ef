import ConflictAudit
import SyncMerge
import SyncModel

extension SimulationChecks {
    /// What a device's app was told is safe is at the hub once, and what became of it is on record.
    ///
    /// At the end a write is shown, or one that had seen it has taken its place, or a conflict line of some device names it as the loser.
    func acknowledgements() -> [String] {
        var problems: [String] = []
        let losers = losers()
        if result.faults.haveChangedIdentities { return acknowledgementsUnderAnyName(losers) }
        for device in result.devices {
            var known: Set<Dot> = []
            for acknowledged in device.acknowledged {
                let dot = acknowledged.dot
                if !known.insert(dot).inserted { problems.append("\(dot) was given to two writes") }
                guard let write = byDot[dot], dot.device == device.id else {
                    problems.append("\(dot) to \(acknowledged.key) is lost")
                    continue
                }
                if write.key != acknowledged.key || !acknowledged.operation.isMade(by: write) {
                    problems.append("\(dot) is not what the app wrote: \(acknowledged.operation)")
                }
                for field in unaccounted(write, losers) {
                    problems.append("\(dot) to \(write.key)\(field.map { ".\($0)" } ?? "") has vanished without a trace")
                }
            }
        }
        return problems
    }

    /// A write, and the register in which a conflict line says that it lost.
    struct Loss: Hashable {
        let dot: Dot
        let field: FieldName?
    }

    func losers() -> Set<Loss> {
        var losers: Set<Loss> = []
        for lineage in lineages {
            // Of two different fields both are kept: no line of that kind accounts for a loss.
            for conflict in lineage.conflicts where conflict.kind != .disjointUpdate {
                losers.insert(Loss(dot: conflict.loser.dot, field: conflict.field))
                // A delete is one matter of the whole record, whatever field its line names.
                if conflict.loser.operation == .delete { losers.insert(Loss(dot: conflict.loser.dot, field: nil)) }
            }
        }
        return losers
    }

    /// The fields of a write of which nothing is known; nil stands for the whole record.
    func unaccounted(_ write: TaggedWrite, _ losers: Set<Loss>) -> [FieldName?] {
        let all = (writes[write.key] ?? [])[...]
        // What was given back to the hub may come after what had seen it.
        let candidates = result.faults.haveEmptiedHub ? all : all.drop { $0.dot != write.dot }.dropFirst()
        let later = candidates.filter { $0.hasBeenAfter(write) }
        if losers.contains(Loss(dot: write.dot, field: nil)) { return [] }
        guard case .fields = rules.scope(for: write.key.type), let fields = write.fields else {
            // A record that is one register, or a delete.
            let isKept = write.fields.map { isShown($0, of: write.key) } ?? (records[write.key] == nil)
            return isKept || !later.isEmpty ? [] : [nil]
        }
        return fields.filter { field in
            !losers.contains(Loss(dot: write.dot, field: field.name)) && !isShown([field.name: field.value], of: write.key)
                && !later.contains { $0.isDelete || $0.fields?[field.name] != nil }
        }.map(\.name)
    }

    private func isShown(_ fields: FieldMap, of key: RecordKey) -> Bool {
        let record = records[key]
        return fields.allSatisfy { field in
            let shown = record?[field.name]
            switch rules.policy(for: key.type, field: field.name) {
            // What these add up to is checked as a whole.
            case .counter, .set: return shown != nil || field.value == .null
            case .custom where shown?.array?.contains(field.value) == true: return true
            default: return shown == field.value || shown == nil && field.value == .null
            }
        }
    }
}

extension TaggedWrite {
    /// Whether the writer had seen another write.
    func hasBeenAfter(_ other: TaggedWrite) -> Bool {
        dot.device == other.dot.device ? dot.sequence > other.dot.sequence : seen?.covers(other.dot) ?? false
    }
}

extension SimulatedApp.Operation {
    /// Whether a write says what the app asked for.
    func isMade(by write: TaggedWrite) -> Bool {
        switch self {
        case .put(let fields): write.fields == fields
        case .delete: write.isDelete
        case .increment(let field, _): write.fields?.count == 1 && write.fields?[field]?.object?["$counter"] != nil
        case .add(let field, let elements): write.fields?[field]?.object?["$add"]?.array == elements
        case .remove(let field, let elements): write.fields?[field]?.object?["$remove"]?.array == elements
        }
    }
}
