package import SyncBytes
package import SyncModel

/// Merge rules in the form in which a store keeps them: what decides where, without the code of an app's own policies.
///
/// Canonical: rules that decide alike are equal. What a type or field says again, and what a record-level policy leaves without effect, is
/// left out.
package struct KeptRules: Hashable, Sendable {
    /// A policy by its name.
    package struct Policy: Hashable, Sendable {
        package let name: String
        /// Those that are preferred, first to last.
        package let devices: [DeviceID]
        /// Whether the name is one that the app gave.
        package let isCustom: Bool
        /// Whether it decides over whole records.
        package let isOfRecord: Bool

        /// A policy as a store kept it.
        package init(name: String, devices: [DeviceID], isCustom: Bool, isOfRecord: Bool) {
            (self.name, self.devices, self.isCustom, self.isOfRecord) = (name, devices, isCustom, isOfRecord)
        }
    }

    package let version: Int
    package let standard: Policy
    package let types: [RecordType: Policy]
    package let fields: [RecordType: [FieldName: Policy]]
    package let deletes: DeletePolicy
    package let intervals: IntervalRule

    /// Rules as a store kept them.
    package init(
        version: Int, standard: Policy, types: [RecordType: Policy], fields: [RecordType: [FieldName: Policy]], deletes: DeletePolicy,
        intervals: IntervalRule
    ) {
        (self.version, self.standard, self.types, self.fields) = (version, standard, types, fields)
        (self.deletes, self.intervals) = (deletes, intervals)
    }

    package init(_ rules: MergeRules) {
        version = rules.version
        let standard = Policy(rules.standard)
        self.standard = standard
        types = rules.types.mapValues(Policy.init).filter { $0.value != standard }
        let scopes = types
        fields = rules.fields.reduce(into: [:]) { kept, entry in
            let scope = scopes[entry.key] ?? standard
            if scope.isOfRecord { return }
            let own = entry.value.mapValues { Policy($0, isOfRecord: false) }.filter { $0.value != scope }
            if !own.isEmpty { kept[entry.key] = own }
        }
        deletes = rules.deletes
        intervals = rules.intervals
    }

    /// The policy of a register: a field, or a type's own where the field is nil.
    package func policy(of type: RecordType, _ field: FieldName?) -> Policy {
        field.flatMap { fields[type]?[$0] } ?? types[type] ?? standard
    }

    /// Whether the hub's order decides anywhere.
    package var decidesByArrival: Bool {
        ([standard] + types.values + fields.values.flatMap(\.values)).contains(where: \.isLastArrival)
    }

    /// The first type or field for which the app's rules decide otherwise, as a sentence without its full stop; nil where they decide
    /// alike.
    package func difference(from app: KeptRules) -> String? {
        if let first = differences(from: app).first {
            return "\(first.name): the store was merged by \(first.kept.described), the app says \(first.app.described)"
        }
        if deletes != app.deletes { return "deletes: the store was merged by \(deletes.rawValue), the app says \(app.deletes.rawValue)" }
        if intervals != app.intervals {
            return "window: the store was merged by \(intervals.described), the app says \(app.intervals.described)"
        }
        return nil
    }

    /// Why a store that was merged by these rules cannot be merged anew by an app's, as a sentence without its full stop; nil where it can.
    ///
    /// A policy that chooses among the maximal writes to a field can follow on every other, for the writes are kept. A counter or a set can
    /// follow on any of those: the values that are shown are what it begins with. What one of these two has added up is no value that
    /// another policy could show, and what another window would have taken for seen is gone. Records merged whole are looked at one by one,
    /// for there may be none.
    package func obstacle(to app: KeptRules) -> String? {
        for field in differences(from: app) where field.kept.addsUp && !field.kept.isOfRecord && !field.app.isOfRecord {
            return "\(field.name): what \(field.kept.described) has added up cannot be shown by \(field.app.described); use a new field"
        }
        guard intervals == app.intervals else {
            return "window: what was taken for seen within \(intervals.described) cannot be told apart again; leave it as it is"
        }
        return nil
    }

    private struct Difference {
        let name: String
        let kept: Policy
        let app: Policy
    }

    private func differences(from app: KeptRules) -> [Difference] {
        var differences: [Difference] = []
        func compare(_ name: String, _ kept: Policy, _ other: Policy) {
            if kept != other { differences.append(Difference(name: name, kept: kept, app: other)) }
        }
        for type in Set(fields.keys).union(app.fields.keys).sorted() {
            let names = Set((fields[type] ?? [:]).keys).union((app.fields[type] ?? [:]).keys)
            for field in names.sorted() { compare("\(type).\(field)".shortened, policy(of: type, field), app.policy(of: type, field)) }
        }
        for type in Set(types.keys).union(app.types.keys).sorted() {
            compare(type.rawValue.shortened, policy(of: type, nil), app.policy(of: type, nil))
        }
        compare("every other record type", standard, app.standard)
        return differences
    }
}

extension IntervalRule {
    fileprivate var described: String { "\(windowMilliseconds) ms with a tolerance of \(toleranceMilliseconds) ms" }
}

extension KeptRules.Policy {
    package var isLastArrival: Bool { !isCustom && name == MergePolicy.lastArrivalWins.name }

    init(_ scope: MergeRules.Scope) {
        switch scope {
        case .fields(let policy): self.init(policy, isOfRecord: false)
        case .record(let policy): self.init(policy, isOfRecord: true)
        }
    }

    init(_ policy: MergePolicy, isOfRecord: Bool) {
        name = policy.name
        if case .preferDevices(let devices) = policy { self.devices = devices } else { devices = [] }
        if case .custom = policy { isCustom = true } else { isCustom = false }
        self.isOfRecord = isOfRecord
    }

    /// Whether it keeps sums of what was written.
    var addsUp: Bool { !isCustom && (name == MergePolicy.counter.name || name == MergePolicy.set.name) }

    /// Whether a decision may be left to the app.
    package var mayLeaveOpen: Bool { isCustom || name == MergePolicy.manual.name }

    /// The policy for a sentence, such as `last-writer-wins`.
    package var described: String {
        if isCustom { return (isOfRecord ? "record-level " : "") + "the app's own policy \(name.quoted)" }
        let list = devices.isEmpty ? "" : " (" + devices.map(\.rawValue.quoted).joined(separator: ", ") + ")"
        return (isOfRecord ? "record-level " : "") + name.separatingWords(by: "-") + list
    }
}

extension KeptRules {
    /// The rules themselves, as far as the package knows them.
    ///
    /// An app's own policy leaves everything undecided here; see ``customPolicy(in:)``.
    package func rules() throws(CodingFailure) -> MergeRules {
        var rules = MergeRules(standard: try standard.scope(), deletes: deletes, intervals: intervals, version: version)
        for (type, policy) in types { rules.types[type] = try policy.scope() }
        for (type, own) in fields {
            for (field, policy) in own { rules.fields[type, default: [:]][field] = try policy.policy() }
        }
        return rules
    }

    /// The name of an app's own policy that decides somewhere in records of a type; nil without one.
    package func customPolicy(in type: RecordType) -> String? {
        ([policy(of: type, nil)] + (fields[type] ?? [:]).values).filter(\.isCustom).map(\.name).min()
    }
}

extension KeptRules.Policy {
    fileprivate func scope() throws(CodingFailure) -> MergeRules.Scope { isOfRecord ? .record(try policy()) : .fields(try policy()) }

    fileprivate func policy() throws(CodingFailure) -> MergePolicy {
        if isCustom { return .custom(CustomPolicy(name: name) { _ in .undecided }) }
        let list = MergePolicy.preferDevices(devices)
        guard let policy = name == list.name ? list : MergePolicy(name: name) else {
            throw CodingFailure("there is no policy \(name.quoted)")
        }
        return policy
    }
}
