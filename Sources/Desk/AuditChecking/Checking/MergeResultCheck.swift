import AuditAnalysis
import ConflictAudit
import SyncMerge
import SyncModel

/// Holds what a conflict handler made of three versions against them.
enum MergeResultCheck {
    /// Each field that shows what neither side has and the rules do not make of them, that drops what one side alone had changed, or that
    /// keeps the older of two edits where the rules keep the later one.
    static func problems(with merge: RecordedMerge, _ rules: MergeRules) -> [String] {
        guard let result = merge.result else { return [] }
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
                ? [] : ["the result of the merge of \(record) is a delete, and neither side nor the rules delete the record"]
        }
        let versions = sides.compactMap(\.self)
        let names = Set((versions + [fields]).flatMap { $0.names.map(\.self) })
        return names.sorted().compactMap { name in
            let shown = fields[name] ?? .null
            if let made, made[name] ?? .null == shown { return nil }
            let result = "the result of the merge of \(EventText.register(merge.key, name)) is \(EventText.value(shown))"
            let byRules = "by \(rules.policyName(for: merge.key.type, field: name)) it is \(EventText.value(made?[name] ?? .null))"
            if let dropped = dropped(merge, name, shown) { return "\(result), which drops \(dropped)" }
            guard versions.contains(where: { $0[name] ?? .null == shown }) else { return "\(result), which neither side has; \(byRules)" }
            return isOlder(merge, name, shown) ? "\(result), the older of two edits; \(byRules)" : nil
        }
    }

    /// The edits of a field that one side alone had made since the ancestor, or both, where the result shows the ancestor's value.
    private static func dropped(_ merge: RecordedMerge, _ name: FieldName, _ shown: FieldValue) -> String? {
        guard let ancestor = merge.ancestor?.fields, let client = merge.client.fields, let server = merge.server.fields else { return nil }
        let (before, mine, theirs) = (ancestor[name] ?? .null, client[name] ?? .null, server[name] ?? .null)
        guard shown == before else { return nil }
        if mine == before { return theirs == before ? nil : "the server's \(EventText.value(theirs)): nobody else had changed it" }
        return theirs == before
            ? "the client's \(EventText.value(mine)): nobody else had changed it"
            : "both the client's \(EventText.value(mine)) and the server's \(EventText.value(theirs))"
    }

    /// Whether a field that both sides have edited since the ancestor shows what the earlier of them wrote.
    private static func isOlder(_ merge: RecordedMerge, _ name: FieldName, _ shown: FieldValue) -> Bool {
        guard let ancestor = merge.ancestor?.fields, let client = merge.client.fields, let server = merge.server.fields,
            let mine = merge.client.time, let theirs = merge.server.time
        else { return false }
        let before = ancestor[name] ?? .null
        guard client[name] ?? .null != before, server[name] ?? .null != before else { return false }
        return shown == client[name] ?? .null ? mine < theirs : theirs < mine
    }
}
