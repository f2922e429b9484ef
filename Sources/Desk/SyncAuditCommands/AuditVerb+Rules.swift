import AuditLog
import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel

extension ParsedArguments {
    /// The rules of merging that a verb's options state; the options are named as in `audit` unless told otherwise.
    func mergeRules(
        policy: String = "policy", policyFor: String = "policy-for", deletes: String = "deletes"
    ) throws(UsageError) -> MergeRules {
        var rules = configuration.mergeRules
        if let name = text(policy) { rules.standard = try scope(name, option: policy) }
        let assignments = try assignments(policyFor)
        for assignment in assignments { try assign(assignment, to: &rules, option: policyFor) }
        for assignment in assignments { try check(assignment, against: rules, option: policyFor) }
        if let rule = try choice(deletes, as: DeletePolicy.self) { rules.deletes = rule }
        if verb.option(named: "bookkeeping") != nil { rules.bookkeeping.formUnion(try bookkeeping()) }
        return rules
    }

    /// The fields that options declare to be edited by nobody.
    func bookkeeping() throws(UsageError) -> BookkeepingFields {
        var declared = BookkeepingFields()
        for meant in try fields("bookkeeping") {
            declared.inAnyType.insert(meant.any)
            for case (let type, let field?) in meant.fields.map({ ($0.type, $0.field) }) { declared.types[type, default: []].insert(field) }
        }
        return declared
    }

    /// The window and the tolerance.
    func intervals() throws(UsageError) -> IntervalRule {
        var intervals = configuration.mergeRules.intervals
        if let window = try duration("window") { intervals.windowMilliseconds = window }
        if let tolerance = try duration("tolerance") { intervals.toleranceMilliseconds = tolerance }
        return intervals
    }

    /// Sets the policy of everything, of a type or of a field.
    func assign(_ assignment: Assignment, to rules: inout MergeRules, option: String) throws(UsageError) {
        let scope = try scope(assignment.value, option: option)
        switch assignment.target {
        case .everything:
            rules.standard = scope
            rules.types = [:]
            rules.fields = [:]
        case .named(_, let type, let fields, _):
            if let type { rules.types[type] = scope }
            guard case .fields(let policy) = scope else { break }
            for case (let type, let field?) in fields.map({ ($0.type, $0.field) }) { rules.fields[type, default: [:]][field] = policy }
        }
    }

    /// Makes sure that no field has a policy of its own in a type that is kept or dropped as a whole.
    func check(_ assignment: Assignment, against rules: MergeRules, option: String) throws(UsageError) {
        guard case .named(_, _, let fields, _) = assignment.target, let type = fields.first?.type,
            fields.allSatisfy({ rules.types[$0.type]?.isRecord == true }), !Self.isRecord(assignment.value)
        else { return }
        throw UsageError(
            "--\(option): records of type \(type.rawValue.quoted) are kept or dropped as a whole, so no field of them can have a policy of its own",
            verb: verb.name)
    }

    static func isRecord(_ policy: String) -> Bool { MergeRules.Scope(optionName: policy)?.isRecord ?? false }

    private func scope(_ name: String, option: String) throws(UsageError) -> MergeRules.Scope {
        guard let scope = MergeRules.Scope(optionName: name) else {
            throw UsageError("--\(option): there is no policy \(name.quoted)", verb: verb.name)
        }
        return scope
    }

    /// What `audit`'s options say is looked for and reported.
    func auditRules() throws(UsageError) -> AuditRules {
        var rules = try constraintsAndWindow()
        if let outside = try choice("outside-window", as: AuditRules.OutsideWindow.self) { rules.outsideWindow = outside }
        (rules.displayFields, rules.displayFieldsInAnyType) = try displayFields()
        return rules
    }

    /// The types that options declare to be saved as a whole.
    var wholeRecords: AuditRules.WholeRecords {
        let types = texts("whole-records-of")
        return isSet("whole-records")
            ? .all : types.isEmpty ? configuration.auditRules.wholeRecords : .types(Set(types.map { RecordType($0) }))
    }

    /// The constraints and the forms that options declare, the window and the tolerance.
    func constraintsAndWindow() throws(UsageError) -> AuditRules {
        var rules = try constraints()
        let intervals = try intervals()
        (rules.window, rules.clockTolerance) = (intervals.window, intervals.tolerance)
        rules.wholeRecords = wholeRecords
        return rules
    }

    /// The constraints that options declare, and nothing else.
    func constraints() throws(UsageError) -> AuditRules {
        var rules = AuditRules()
        let unique = try fields("unique")
        rules.uniqueFields = configuration.auditRules.uniqueFields.union(unique.flatMap(\.fields))
        rules.uniqueInAnyType = configuration.auditRules.uniqueInAnyType.union(unique.map(\.any))
        rules.references = configuration.auditRules.references
        rules.referencesInAnyType = configuration.auditRules.referencesInAnyType
        for assignment in try assignments("reference") {
            guard case .named(_, _, let fields, let anyField) = assignment.target else { continue }
            if let anyField { rules.referencesInAnyType[anyField, default: []].insert(RecordType(assignment.value)) }
            for case (let type, let field?) in fields.map({ ($0.type, $0.field) }) {
                rules.references.insert(AuditRules.Reference(from: type, field: field, to: RecordType(assignment.value)))
            }
        }
        return rules
    }

    /// Which values `audit`'s options allow in the output: all, where neither they nor the configuration say anything, since the trace
    /// holds them already.
    func valuePrivacy() throws(UsageError) -> ValuePrivacy {
        var privacy = configuration.privacy
        for assignment in try assignments("privacy") {
            guard let rule = ValuePrivacy.Rule(rawValue: assignment.value) else { continue }
            switch assignment.target {
            case .everything: privacy.standard = rule
            case .named(_, _, let fields, let anyField):
                for key in fields { privacy.fields[key] = rule }
                if let anyField { privacy.fieldsOfAnyType[anyField] = rule }
            }
        }
        return privacy
    }
}
