import AuditAnalysis
import ConflictAudit
import SyncMerge
import SyncModel

/// Holds what a conflict handler made of three versions against them.
enum MergeResultCheck {
    /// The first field that shows what neither side has and the rules do not make of them, or that drops what one side alone had changed;
    /// nil where there is none.
    static func problem(with merge: RecordedMerge, _ rules: MergeRules) -> String? {
        guard let result = merge.result else { return nil }
        let outcome = merge.outcome(rules)
        let record = EventText.register(merge.key, nil)
        var made: FieldMap?
        if case .record(let entries) = outcome.version {
            var fields = FieldMap()
            for (name, entry) in entries { fields[name] = entry.value }
            made = fields
        }
        let sides = [merge.client.fields, merge.server.fields, made]
        guard let fields = result.fields else {
            return sides.contains(nil)
                ? nil : "the result of the merge of \(record) is a delete, and neither side nor the rules delete the record"
        }
        let versions = sides.compactMap(\.self)
        let names = Set((versions + [fields]).flatMap { $0.names.map(\.self) })
        for name in names.sorted() {
            let shown = fields[name] ?? .null
            if let made, made[name] ?? .null == shown { continue }
            let field = EventText.register(merge.key, name)
            if let dropped = dropped(merge, name, shown) {
                return "the result of the merge of \(field) is \(EventText.value(shown)), which drops the "
                    + "\(dropped.side)'s \(EventText.value(dropped.value)): nobody else had changed it"
            }
            if versions.contains(where: { $0[name] ?? .null == shown }) { continue }
            return "the result of the merge of \(field) is \(EventText.value(shown)), which neither side has; "
                + "by \(rules.policyName(for: merge.key.type, field: name)) it is \(EventText.value(made?[name] ?? .null))"
        }
        return nil
    }

    /// The edit of a field that one side alone had made since the ancestor, where the result shows the ancestor's value.
    private static func dropped(_ merge: RecordedMerge, _ name: FieldName, _ shown: FieldValue) -> (side: String, value: FieldValue)? {
        guard let ancestor = merge.ancestor?.fields, let client = merge.client.fields, let server = merge.server.fields else { return nil }
        let (before, mine, theirs) = (ancestor[name] ?? .null, client[name] ?? .null, server[name] ?? .null)
        guard shown == before else { return nil }
        if mine == before, theirs != before { return ("server", theirs) }
        return theirs == before && mine != before ? ("client", mine) : nil
    }
}
