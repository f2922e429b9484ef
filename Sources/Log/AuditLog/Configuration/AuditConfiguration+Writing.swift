import ConflictAudit
package import SyncBytes
import SyncMerge
package import SyncModel

extension AuditConfiguration {
    /// What was audited: an audit writes its rules into its log, and this beside them.
    package enum Form: String, CaseIterable {
        /// A trace of writes.
        case lines
        /// The rows of a table, each taken as a write that somebody has to merge.
        case rows
        /// The rows of a table that remembers what was saved: what the server kept was read, and nothing decided.
        case saved
        /// The logs of several devices' observers, together.
        case joined
    }

    /// The key of the form among the rules that a log holds.
    private static let form: FieldName = "form"

    /// The rules of an audit, from a log.
    ///
    /// - Throws: `ValueProblem`, what means nothing to this version.
    package init(rules: FieldValue) throws(ValueProblem) {
        var object = rules.object ?? [:]
        let form = object[Self.form]?.string
        object[Self.form] = nil
        do throws(ConfigurationProblem) {
            try self.init(.object(object), folder: "")
        } catch {
            throw ValueProblem(error.sentence)
        }
        self.form = form.flatMap(Form.init)
    }

    /// The rules as a log has them: what ``init(contentsOfFile:)`` reads, without what only a person needs.
    package func rules(of form: Form) -> FieldValue {
        var object: FieldMap = [
            "window": .string(DurationText.text(milliseconds: auditRules.windowMilliseconds)),
            "tolerance": .string(DurationText.text(milliseconds: auditRules.clockToleranceMilliseconds)),
            "policy": .string(mergeRules.standard.ruleName), "deletes": .string(mergeRules.deletes.rawValue),
            "outsideWindow": .string(auditRules.outsideWindow.rawValue), "values": .string(privacy.standard.rawValue),
            Self.form: .string(form.rawValue),
        ]
        let bookkeeping = mergeRules.bookkeeping
        if !bookkeeping.inAnyType.isEmpty { object["bookkeeping"] = .array(bookkeeping.inAnyType.sorted().map { .string($0.rawValue) }) }
        if case .all = auditRules.wholeRecords { object["wholeRecords"] = true }
        var types: [RecordType: TypeRules] = [:]
        for (type, field) in auditRules.displayFields { types[type, default: TypeRules()].own["name"] = .string(field.rawValue) }
        for (type, scope) in mergeRules.types { types[type, default: TypeRules()].own["policy"] = .string(scope.ruleName) }
        if case .types(let names) = auditRules.wholeRecords {
            for type in names { types[type, default: TypeRules()].own["wholeRecords"] = true }
        }
        func set(_ key: FieldName, _ value: FieldValue, _ type: RecordType, _ field: FieldName?) {
            guard let field else { return }
            types[type, default: TypeRules()].fields[field, default: [:]][key] = value
        }
        for (type, policies) in mergeRules.fields {
            for (field, policy) in policies { set("policy", .string(MergeRules.Scope.fields(policy).ruleName), type, field) }
        }
        for (type, fields) in bookkeeping.types { for field in fields { set("bookkeeping", true, type, field) } }
        for key in auditRules.uniqueFields { set("unique", true, key.type, key.field) }
        for (from, targets) in Dictionary(grouping: auditRules.references, by: \.from) {
            set("refersTo", Self.targets(targets.map(\.to)), from.type, from.field)
        }
        for (key, rule) in privacy.fields { set("values", .string(rule.rawValue), key.type, key.field) }
        var anyType: [FieldName: FieldMap] = [:]
        for field in auditRules.uniqueInAnyType { anyType[field, default: [:]]["unique"] = true }
        for (field, targets) in auditRules.referencesInAnyType { anyType[field, default: [:]]["refersTo"] = Self.targets(Array(targets)) }
        for (field, rule) in privacy.fieldsOfAnyType { anyType[field, default: [:]]["values"] = .string(rule.rawValue) }
        if !anyType.isEmpty { object["fields"] = Self.object(anyType.map { ($0.key, .object($0.value)) }) }
        if !types.isEmpty {
            object["types"] = Self.object(types.map { (FieldName($0.key.rawValue), $0.value.value) })
        }
        return .object(object)
    }

    /// What is said of a type.
    private struct TypeRules {
        var own: FieldMap = [:]
        var fields: [FieldName: FieldMap] = [:]

        var value: FieldValue {
            var object = own
            if !fields.isEmpty { object["fields"] = AuditConfiguration.object(fields.map { ($0.key, .object($0.value)) }) }
            return .object(object)
        }
    }

    private static func object(_ values: [(name: FieldName, value: FieldValue)]) -> FieldValue {
        let sorted = values.sorted { $0.name < $1.name }
        return .object(FieldMap(sortedNames: sorted.map(\.name), values: sorted.map(\.value)))
    }

    private static func targets(_ types: [RecordType]) -> FieldValue {
        let names = types.map(\.rawValue).sorted().map(FieldValue.string)
        return names.count == 1 ? names[0] : .array(names)
    }
}

extension MergeRules.Scope {
    /// The name in a configuration; in logs of an app's own policy, which no configuration can name.
    fileprivate var ruleName: String { optionName ?? name }
}
