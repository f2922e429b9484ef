import AuditLog
import ConflictAudit
import SyncMerge
import SyncModel

extension ParsedArguments {
    /// The rules of merging that a verb's options state; the options are named as in `audit` unless told otherwise.
    func mergeRules(
        policy: String = "policy", policyFor: String = "policy-for", deletes: String = "deletes"
    ) throws(UsageError) -> MergeRules {
        var rules = MergeRules()
        if let name = text(policy) { rules.standard = try scope(name, option: policy) }
        for assignment in try assignments(policyFor) { try assign(assignment, to: &rules, option: policyFor) }
        try checkFields(of: rules, option: policyFor)
        if let rule = try choice(deletes, as: DeletePolicy.self) { rules.deletes = rule }
        if let proximity = try duration("proximity") { rules.proximity = proximity }
        return rules
    }

    /// Sets the policy of everything, of a type or of a field.
    func assign(_ assignment: Assignment, to rules: inout MergeRules, option: String) throws(UsageError) {
        let scope = try scope(assignment.value, option: option)
        switch assignment.target {
        case .everything:
            rules.standard = scope
            rules.types = [:]
            rules.fields = [:]
        case .type(let type): rules.types[type] = scope
        case .field(let key):
            guard let field = key.field, case .fields(let policy) = scope else {
                throw UsageError(
                    "--\(option): record-last-writer-wins keeps or drops a record as a whole and cannot hold for one field; name the type alone",
                    verb: verb.name)
            }
            rules.fields[key.type, default: [:]][field] = policy
        }
    }

    /// Makes sure that only fields that are registers have policies of their own.
    func checkFields(of rules: MergeRules, option: String) throws(UsageError) {
        for type in rules.fields.keys.sorted() {
            guard case .record = rules.scope(for: type) else { continue }
            throw UsageError(
                "--\(option): records of type \(type.rawValue.quoted) are kept or dropped as a whole, so no field of them can have a policy of its own",
                verb: verb.name)
        }
    }

    private func scope(_ name: String, option: String) throws(UsageError) -> MergeRules.Scope {
        switch name {
        case "last-writer-wins": return .fields(.lastWriterWins)
        case "record-last-writer-wins": return .record(.lastWriterWins)
        case "first-writer-wins": return .fields(.firstWriterWins)
        case "maximum": return .fields(.maximum)
        case "minimum": return .fields(.minimum)
        case "counter": return .fields(.counter)
        case "set": return .fields(.set)
        case "manual": return .fields(.manual)
        default:
            guard name.hasPrefix(ValueParser.preferDevices) else {
                throw UsageError("--\(option): there is no policy \(name.quoted)", verb: verb.name)
            }
            let devices = name.dropFirst(ValueParser.preferDevices.count).split(separator: ",").map { DeviceID(String($0)) }
            return .fields(.preferDevices(devices))
        }
    }

    /// What `audit`'s options say is looked for and reported.
    func auditRules() throws(UsageError) -> AuditRules {
        var rules = try constraints()
        if let window = try duration("window") { rules.window = window }
        if let outside = try choice("outside-window", as: AuditRules.OutsideWindow.self) { rules.outsideWindow = outside }
        return rules
    }

    /// The constraints that options declare, and nothing else.
    func constraints() throws(UsageError) -> AuditRules {
        var rules = AuditRules()
        rules.uniqueFields = Set(try fields("unique"))
        for assignment in try assignments("reference") {
            guard case .field(let key) = assignment.target, let field = key.field else { continue }
            rules.references.insert(AuditRules.Reference(from: key.type, field: field, to: RecordType(assignment.value)))
        }
        return rules
    }

    /// Which values `audit`'s options allow in the output: all, where nothing is said, since the trace holds them already.
    func valuePrivacy() throws(UsageError) -> ValuePrivacy {
        var privacy = ValuePrivacy.full
        for assignment in try assignments("privacy") {
            guard let rule = ValuePrivacy.Rule(rawValue: assignment.value) else { continue }
            switch assignment.target {
            case .everything: privacy.standard = rule
            case .field(let key): privacy.fields[key] = rule
            case .type: break
            }
        }
        return privacy
    }
}
