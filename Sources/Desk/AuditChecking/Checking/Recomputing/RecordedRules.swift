import AuditAnalysis
import AuditLog
import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel

/// The rules by which the conflicts of some logs were decided, as their lines name them.
///
/// Most lines decide where lines disagree, so that a single forged name is noticed instead of believed.
///
/// - Complexity: memory grows with the registers that have conflicts.
struct RecordedRules: Sendable {
    private struct Register: Hashable, Sendable {
        let type: RecordType
        let field: FieldName?
    }

    private var names: [Register: [String: Int]] = [:]
    /// What deleted values of registers are changes of, which says how they were merged where no line does.
    private var changes: [Register: MergePolicy] = [:]
    /// For each type the lines that know whole records and those that know fields as registers.
    private var scopes: [RecordType: (record: Int, fields: Int)] = [:]
    private var deletes: [DeletePolicy: Int] = [:]
    /// By register, what lines tell of lists of devices.
    private var preferences: [Register: DevicePreferences] = [:]
    /// Constraints of which a line tells that they were broken.
    private(set) var uniqueFields: Set<ConflictStatistics.FieldKey> = []
    private(set) var references: Set<AuditRules.Reference> = []
    /// Whether a line tells of a conflict outside its window: then none outside is left out.
    var logsOutsideWindow: Bool { hasOutsideWindow || stated.configuration?.auditRules.outsideWindow == .log }
    private var hasOutsideWindow = false
    private(set) var windowMilliseconds: Int64?

    /// What an audit says of its own rules, which goes before what the lines of its conflicts tell.
    var stated = StatedRules()

    /// The fields of which lines say that nobody edits them.
    private var bookkeeping = BookkeepingFields()

    /// More names for one register are no sign of anything but bad faith.
    private static let nameLimit = 8

    mutating func observe(_ conflict: Conflict, at location: LineLocation) {
        if !conflict.withinWindow { hasOutsideWindow = true }
        if conflict.windowMilliseconds >= 0 { windowMilliseconds = conflict.windowMilliseconds }
        let type = conflict.key.type
        switch conflict.kind {
        case .uniqueKey:
            if let field = conflict.field { uniqueFields.insert(ConflictStatistics.FieldKey(type: type, field: field)) }
            return
        case .danglingReference:
            if let field = conflict.field, let target = conflict.related?.type {
                references.insert(AuditRules.Reference(from: type, field: field, to: target))
            }
            return
        default: break
        }
        if conflict.isBookkeeping, let field = conflict.field { bookkeeping.types[type, default: []].insert(field) }
        // What a conflict handler kept says nothing of the rules.
        if conflict.policy == ThreeWayMerge.handlerPolicy { return }
        let isMixed = conflict.winner.operation != conflict.loser.operation
        let isRecord = conflict.policy.hasPrefix(MergeRules.Scope.recordPrefix) || isMixed && conflict.field == nil
        scopes[type, default: (0, 0)].record += isRecord ? 1 : 0
        scopes[type, default: (0, 0)].fields += isRecord ? 0 : 1
        if isMixed {
            if let rule = DeletePolicy.allCases.first(where: { $0.name == conflict.policy }) { deletes[rule, default: 0] += 1 }
            if let field = conflict.field, let value = (conflict.winner.value ?? conflict.loser.value),
                let policy = MergePolicy(adding: value)
            {
                changes[Register(type: type, field: field)] = policy
            }
            return
        }
        if MergeRules.Scope.policyName(conflict.policy) == MergePolicy.preferDevices([]).name {
            preferences[Register(type: type, field: conflict.field), default: DevicePreferences()].observe(conflict, at: location)
        }
        var counts = names.removeValue(forKey: Register(type: type, field: conflict.field)) ?? [:]
        if counts[conflict.policy] != nil || counts.count < Self.nameLimit { counts[conflict.policy, default: 0] += 1 }
        names[Register(type: type, field: conflict.field)] = counts
    }

    /// The rules.
    ///
    /// - Parameters:
    ///   - declared: The rules that somebody says hold, those that the log states unless given: for registers of which no line tells, and
    ///     for what a name alone does not say.
    ///   - told: Decides where nothing says how.
    func mergeRules(declared: MergeRules?, intervals: IntervalRule, logged: LoggedWinners) -> MergeRules {
        let declared = declared ?? stated.configuration?.mergeRules
        var rules = declared ?? MergeRules()
        rules.intervals = intervals
        rules.bookkeeping.formUnion(bookkeeping)
        if let rule = deletes.max(by: { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) })?.key { rules.deletes = rule }
        func policy(_ name: String, _ type: RecordType, _ field: FieldName?) -> MergePolicy {
            let bare = MergeRules.Scope.policyName(name)
            if let given = declared?.policy(for: type, field: field), given.name == bare { return given }
            if let known = MergePolicy(name: bare) { return known }
            guard bare == MergePolicy.preferDevices([]).name else { return .custom(CustomPolicy(name: bare) { logged.resolve($0) }) }
            let orders = orders(of: type)
            return .custom(CustomPolicy(name: bare) { logged.resolve($0, orders[$0.field]) })
        }
        func best(_ register: Register, isRecord: Bool) -> String? {
            names[register]?.filter { $0.key.hasPrefix(MergeRules.Scope.recordPrefix) == isRecord }
                .max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        }
        for (type, votes) in scopes {
            let name = best(Register(type: type, field: nil), isRecord: votes.record > votes.fields)
            let given = declared?.scope(for: type)
            if votes.record > votes.fields {
                let known: MergePolicy? = if case .record(let policy)? = given { policy } else { nil }
                rules.types[type] = .record(name.map { policy($0, type, nil) } ?? known ?? .lastWriterWins)
                rules.fields[type] = nil
            } else {
                let known: MergePolicy? = if case .fields(let policy)? = given { policy } else { nil }
                rules.types[type] = .fields(name.map { policy($0, type, nil) } ?? known ?? .lastWriterWins)
            }
        }
        for (register, policy) in changes where names[register] == nil {
            guard let field = register.field, case .fields = rules.scope(for: register.type), declared == nil else { continue }
            rules.fields[register.type, default: [:]][field] = policy
        }
        for register in names.keys {
            guard let field = register.field, case .fields = rules.scope(for: register.type), let name = best(register, isRecord: false)
            else { continue }
            rules.fields[register.type, default: [:]][field] = policy(name, register.type, field)
        }
        return rules
    }

    /// The lists of devices by which conflicts over a type's fields, or over its whole records, were decided, as far as they are known.
    private func orders(of type: RecordType) -> [FieldName?: DeviceOrder] {
        Dictionary(
            preferences.filter { $0.key.type == type }.map { ($0.key.field, $0.value.order()) }, uniquingKeysWith: { first, _ in first })
    }

    /// Tells the reason that a line should give where a list of devices that nobody gave decided; nil where that is not known.
    var reasons: (Conflict) -> Conflict.Reason? {
        let orders = preferences.mapValues { $0.order() }
        return { line in
            guard line.kind == .updateUpdate || line.kind == .insertInsert,
                let order = orders[Register(type: line.key.type, field: line.field)]
            else { return nil }
            let winner = line.winner.dot.device.firstWriter
            if order.listed.contains(winner) { return .policy }
            guard order.unlisted.contains(winner) else { return nil }
            return line.reasonByTime
        }
    }

    /// What lines say of lists of devices that no list can say, but where a list is declared.
    func contradictions(declared: MergeRules?, name: (LineLocation) -> String) -> [DevicePreferences.Contradiction] {
        preferences.ordered { ($0.key.type, $0.key.field?.rawValue ?? "") < ($1.key.type, $1.key.field?.rawValue ?? "") }.flatMap {
            register, preferences -> [DevicePreferences.Contradiction] in
            let declared = declared ?? stated.configuration?.mergeRules
            if declared?.policy(for: register.type, field: register.field).name == MergePolicy.preferDevices([]).name { return [] }
            return preferences.contradictions(name: name)
        }
    }

    /// What was looked for, as somebody or the log says, and beyond that as lines tell.
    func auditRules(_ declared: AuditRules) -> AuditRules {
        var rules = declared
        if let windowMilliseconds { rules.windowMilliseconds = windowMilliseconds }
        rules.uniqueFields.formUnion(uniqueFields)
        rules.references.formUnion(references)
        return rules
    }
}

extension MergeRules {
    /// Whether a register has a policy whose decisions only the log tells.
    var asksTold: Bool {
        func asks(_ scope: Scope) -> Bool {
            switch scope {
            case .record(let policy), .fields(let policy): policy.isToldOrCustom
            }
        }
        return asks(standard) || types.values.contains(where: asks)
            || fields.values.contains { $0.values.contains(where: \.isToldOrCustom) }
    }

    /// Lets what a conflict handler kept decide everything.
    mutating func decideByHandler(_ logged: LoggedWinners) {
        let handler = CustomPolicy(name: ThreeWayMerge.handlerPolicy) { logged.resolve($0) }
        (standard, types, fields) = (.fields(.custom(handler)), [:], [:])
    }

    /// The name of the policy that decides between a conflict's sides where only the log tells how; nil where it is known.
    func loggedPolicy(of line: Conflict) -> String? {
        guard case .custom(let policy) = policy(for: line.key.type, field: line.field) else { return nil }
        return line.winner.operation == line.loser.operation || deletes == .lastWriterWins ? policy.name : nil
    }
}

extension MergePolicy {
    /// The policy by which a value is added to others; nil where it stands for itself.
    fileprivate init?(adding value: FieldValue) {
        if CounterWrite(value) != nil {
            self = .counter
        } else if SetWrite(value) != nil {
            self = .set
        } else {
            return nil
        }
    }

    /// Whether a name alone does not say how the policy decides.
    var isToldOrCustom: Bool { if case .custom = self { true } else { false } }
}
