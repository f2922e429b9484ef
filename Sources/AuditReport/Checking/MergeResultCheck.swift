import ConflictAudit
import SyncMerge
import SyncModel

/// Holds what a conflict handler made of three versions against them.
enum MergeResultCheck {
    /// The first field that shows what neither side has and the rules do not make of them; nil where there is none.
    static func problem(with merge: RecordedMerge, _ rules: MergeRules) -> String? {
        guard let result = merge.result else { return nil }
        let outcome = merge.outcome(rules)
        let place = EventText.place(merge.key, nil)
        var made: FieldMap?
        if case .record(let entries) = outcome.version {
            var fields = FieldMap()
            for (name, entry) in entries { fields[name] = entry.value }
            made = fields
        }
        let sides = [merge.client.fields, merge.server.fields, made]
        guard let fields = result.fields else {
            return sides.contains(nil)
                ? nil : "the result of the merge of \(place) is a delete, and neither side nor the rules delete the record"
        }
        let versions = sides.compactMap(\.self)
        let names = Set((versions + [fields]).flatMap { $0.names.map(\.self) })
        for name in names.sorted() {
            let shown = fields[name] ?? .null
            if versions.contains(where: { $0[name] ?? .null == shown }) { continue }
            return "the result of the merge of \(EventText.place(merge.key, name)) is \(EventText.value(shown)), which neither side has; "
                + "by \(rules.policyName(for: merge.key.type, field: name)) it is \(EventText.value(made?[name] ?? .null))"
        }
        return nil
    }
}
