import SyncBytes
public import SyncModel

/// A record as a replica knows it: the maximal writes to each of its fields.
///
/// The state is a function of the set of writes merged: merging is commutative, associative and idempotent. A value type; its owner guards
/// it.
///
/// - Complexity: memory is bounded by the record's fields and the devices that wrote it, not by the number of writes, except under a
///   record-level policy: what a winner had seen may be any earlier state, so there the puts are kept until their owner says that they are
///   settled. So are the names of elements removed from a set.
///
/// ```swift
/// var state = RecordState(key: write.key)
/// let decisions = state.merge(write, rules: rules)
/// print(decisions.count, "conflicts; shown:", state.shown(rules: rules) ?? [:])
/// ```
public struct RecordState: Sendable {
    /// The record.
    public let key: RecordKey

    /// The maximal writes of any kind.
    package var record = SharedMaximalSet()
    /// The deletes among themselves: what a field that is named for the first time has already been through.
    package var deletes = SharedMaximalSet()
    /// The fields ever named, in order; where they are very many, see ``indexByName``.
    package var names: [FieldName] = []
    /// The indices of the fields of a record with very many of them, so that naming one more moves no other; empty where they are in order.
    package var indexByName: [FieldName: Int] = [:]
    /// The maximal writes to each of them.
    package var fields: [SharedMaximalSet] = []
    /// The sum of each field; empty where no field adds up, as in nearly every record.
    package var tallies: [Tally?] = []
    /// Under a record-level policy, the writes merged, without those that ``forgetHistory(settled:rules:)`` has found to show nowhere any
    /// more.
    package var history: [TaggedWrite] = []
    /// Under a record-level policy, what the record shows, where that is known: nothing or one, so that other records pay for a pointer.
    var view: [RecordView] = []
    /// The lowest number in the hub's order among the writes that have arrived.
    package var firstPosition = UInt64.max

    /// A record that nothing has been written to.
    public init(key: RecordKey) {
        self.key = key
    }

    /// Merges a write.
    ///
    /// - Parameters:
    ///   - write: A write to this record, in any order of arrival, any number of times.
    ///   - rules: The rules; the same for every write to the record.
    /// - Returns: The decisions between the write and concurrent ones, none of them made before.
    /// - Precondition: `write.key == key`.
    /// - Complexity: O(*f* *m* log *d*) for *f* fields concerned, *m* concurrent writes and *d* devices.
    public mutating func merge(_ write: TaggedWrite, rules: MergeRules) -> [MergeDecision] {
        precondition(write.isTo(key), "a write is merged into its own record")
        var nameLists = NameLists.none
        var memory = RecordMemory.ofReplica
        return merge(write, dominates: record.isDominated(by: write), rules: rules, &memory, sharing: &nameLists)
    }

    /// Merges a write that is known to be to this record, which shares its list of names with others.
    ///
    /// - Parameter dominates: Whether the write dominates the record, and so every field of it. Nearly every write does.
    mutating func merge(
        _ write: TaggedWrite, dominates: Bool, rules: MergeRules, _ memory: inout RecordMemory, sharing nameLists: inout NameLists
    ) -> [MergeDecision] {
        if let decisions = setPosition(of: write, rules: rules) { return decisions }
        if isCreated(by: write) {
            return mergePlaced(write.asFirst(), dominates: dominates, rules: rules, &memory, sharing: &nameLists)
        }
        return mergePlaced(write, dominates: dominates, rules: rules, &memory, sharing: &nameLists)
    }

    /// Merges a write of which it is known whether it creates the record.
    private mutating func mergePlaced(
        _ write: TaggedWrite, dominates: Bool, rules: MergeRules, _ memory: inout RecordMemory, sharing nameLists: inout NameLists
    ) -> [MergeDecision] {
        if let position = write.hubSequence { firstPosition = min(firstPosition, position) }
        // Of a device that has written to the record, what the record lacks is taken for writes to others.
        if memory.isNextOpen, let seen = write.seen {
            memory.isNextOpen = !seen.entries.allSatisfy { write.isOfDevice($0.device) || record.value.knows($0.device) }
        }
        memory.append(write, dominates: dominates, isCovered: !dominates && record.covers(write, intervals: rules.intervals))
        switch rules.scope(for: key.type) {
        case .record:
            if !record.covers(write, intervals: rules.intervals) || !history.contains(where: { $0.dot == write.dot }) {
                history.append(write)
            }
            view = dominates ? view.map { $0.followed(by: write) } : []
            let key = key
            return record.modify { $0.merge(write, rules: rules, key: key, field: nil, &memory) }
        case .fields:
            if record.isUntouched, rules.keepWhole(write) {
                begin(with: write)
                return []
            }
            var step = SharedMaximalSet.Step()
            var decisions: [MergeDecision] = []
            mergeFields(write, dominates, rules: rules, &memory, &nameLists, &step, into: &decisions)
            mergeRecord(write, dominates, rules: rules, &memory, &step, into: &decisions)
            return decisions
        }
    }

    /// Whether a write with a cursor had seen none of those that have arrived: its writer created the record, as far as is known.
    private func isCreated(by write: TaggedWrite) -> Bool {
        guard let cursor = write.cursor, cursor < firstPosition, !write.isDelete else { return false }
        return record.isUntouched || !record.value.knows(write.dot.device)
    }

    private mutating func mergeFields(
        _ write: TaggedWrite, _ dominates: Bool, rules: MergeRules, _ memory: inout RecordMemory, _ nameLists: inout NameLists,
        _ step: inout SharedMaximalSet.Step, into decisions: inout [MergeDecision]
    ) {
        if write.isDelete {
            for index in fields.indices { mergeField(at: index, write, nil, dominates, rules: rules, &memory, &step, into: &decisions) }
            return
        }
        if names.isEmpty {
            // The list of names is shared with the write, and with all others that name the same.
            names = write.fieldNames ?? []
            let deletes = deletes
            fields = names.map { _ in deletes }
            if names.contains(where: { rules.policy(for: key.type, field: $0).addsUp }) {
                tallies = names.map { newTally(of: $0, rules: rules) }
            }
        }
        // Nearly every write names all fields of its record, or one.
        if write.namesSame(as: names) {
            for index in fields.indices { mergeField(at: index, write, index, dominates, rules: rules, &memory, &step, into: &decisions) }
            return
        }
        for field in 0..<write.fieldCount {
            let index = index(ofField: field, of: write) ?? addField(of: write, field, rules: rules, &nameLists)
            mergeField(at: index, write, field, dominates, rules: rules, &memory, &step, into: &decisions)
        }
    }

    /// Adds a field that only the record's deletes have written to so far.
    private mutating func addField(of write: TaggedWrite, _ field: Int, rules: MergeRules, _ nameLists: inout NameLists) -> Int {
        guard let name = write.fieldNames?[field] else { preconditionFailure("a put has fields") }
        let index = insert(name, &nameLists)
        // A record gets a few more fields at most.
        if fields.count == fields.capacity { fields.reserveCapacity(fields.count + 2 + fields.count / 4) }
        fields.insert(deletes, at: index)
        let tally = newTally(of: name, rules: rules)
        if !tallies.isEmpty {
            tallies.insert(tally, at: index)
        } else if tally != nil {
            tallies = Array(repeating: nil, count: names.count)
            tallies[index] = tally
        }
        return index
    }

    private static let maximumInOrder = 4096

    /// Inserts a name that is not there: in its order, or behind the others where too many would have to move.
    private mutating func insert(_ name: FieldName, _ nameLists: inout NameLists) -> Int {
        if names.count < Self.maximumInOrder { return nameLists.insert(name, into: &names) }
        if indexByName.isEmpty { indexByName = Dictionary(uniqueKeysWithValues: zip(names, names.indices)) }
        indexByName[name] = names.count
        names.append(name)
        return names.count - 1
    }

    /// The index of a field of a put; nil where no write has named the field.
    func index(ofField field: Int, of write: TaggedWrite) -> Int? {
        if indexByName.isEmpty { return write.index(ofField: field, in: names) }
        return write.fieldNames.flatMap { indexByName[$0[field]] }
    }

    /// The indices of the fields, by name.
    package var indicesInOrder: [Int] { indexByName.isEmpty ? Array(names.indices) : names.indices.sorted { names[$0] < names[$1] } }

    private func newTally(of field: FieldName, rules: MergeRules) -> Tally? {
        rules.policy(for: key.type, field: field).addsUp ? Tally(resets: deletes.value) : nil
    }

    /// Merges a write into the register of a field.
    ///
    /// - Parameter field: The index of the field among those of a put; nil for a delete.
    private mutating func mergeField(
        at index: Int, _ write: TaggedWrite, _ field: Int?, _ dominates: Bool, rules: MergeRules, _ memory: inout RecordMemory,
        _ step: inout SharedMaximalSet.Step, into decisions: inout [MergeDecision]
    ) {
        if memory.findsReverts, let field, let edit = fields.span[index].edit(undoneBy: write, atField: field) {
            memory.append(Revert(write: write, edit: edit, field: names[index]))
        }
        let addsUp = !tallies.isEmpty && tallies[index] != nil
        if !addsUp, fields[index].advance(by: write, intervals: rules.intervals, dominates: dominates, like: &step) { return }
        var register = register(at: index)
        // Left to the register alone, so that it is changed where it lies.
        fields[index] = SharedMaximalSet()
        if addsUp { tallies[index] = nil }
        let decided = register.merge(write, rules: rules, key: key, &memory)
        fields[index] = register.maximal
        if addsUp { tallies[index] = register.tally }
        // Two deletes are one matter of the whole record, not one of every field.
        for decision in decided where !(decision.winner.isDelete && decision.loser.isDelete) { decisions.append(decision) }
    }

    /// Finds what concerns the record as a whole.
    private mutating func mergeRecord(
        _ write: TaggedWrite, _ dominates: Bool, rules: MergeRules, _ memory: inout RecordMemory,
        _ step: inout SharedMaximalSet.Step, into decisions: inout [MergeDecision]
    ) {
        if write.isDelete { deletes.modify { _ = $0.insert(write, intervals: rules.intervals) } }
        if record.advance(by: write, intervals: rules.intervals, dominates: dominates, like: &step) { return }
        let existence = existence(rules)
        let isMaximal = record.modify { $0.insert(write, intervals: rules.intervals, leadBy: existence) }
        guard isMaximal, record.only == nil else { return }
        let rival = record.modify { write.isDelete ? $0.latestDelete(beside: write) : $0.latestPut(sharingNothingWith: write) }
        guard let rival else { return }
        let didArrivingWin = rival.precedes(write)
        decisions.append(
            MergeDecision(
                contention: write.isDelete ? .bothDeleted : .differentFields, field: nil, winner: didArrivingWin ? write : rival,
                loser: didArrivingWin ? rival : write, didArrivingWin: didArrivingWin,
                reason: .byTime(write.timestamp, rival.timestamp), policy: rules.policyName(for: key.type, field: nil),
                ancestor: memory.ask(about: nil, displaced: record.value.displaced) {
                    $0.ancestor(of: write, rival, RegisterRules(rules, key: key, field: nil), rules.intervals)
                }, result: nil, isPending: false))
    }

    /// The register of a field, nil where nothing ever named it.
    func register(of field: FieldName) -> Register? {
        if !indexByName.isEmpty { return indexByName[field].map(register) }
        let index = names.position(of: field)
        return index < names.count && names[index] == field ? register(at: index) : nil
    }

    func register(at index: Int) -> Register {
        Register(field: names[index], maximal: fields[index], tally: tallies.isEmpty ? nil : tallies[index])
    }
}

extension RecordState {
    /// The record as it is shown; nil where it was never put or is deleted.
    ///
    /// - Complexity: O(*f*) for *f* fields; under a record-level policy O(*w* *l*) in the writes merged and those whose fields
    ///   show through.
    public func shown(rules: MergeRules) -> FieldMap? {
        switch rules.scope(for: key.type) {
        case .record:
            if let view = view.first { return view.fields }
            return view(among: history, rules: rules)
        case .fields:
            if let fields = fieldsOfOnlyWrite { return fields }
            guard isAlive(rules: rules) else { return nil }
            var values: [FieldValue] = []
            values.reserveCapacity(names.count)
            var shown: [Int] = []
            for index in indicesInOrder {
                guard let value = register(at: index).shown(rules: rules, key: key) else { continue }
                values.append(value)
                shown.append(index)
            }
            // Where nothing is missing, the list of names is shared.
            let isShared = indexByName.isEmpty && shown.count == names.count
            return FieldMap(sortedNames: isShared ? names : shown.map { names[$0] }, values: values)
        }
    }

    /// A field as it is shown; nil where it is absent or the record is not shown.
    ///
    /// - Complexity: O(log *f*) for *f* fields and O(*m*) for *m* concurrent writes, O(*f*) where the record was deleted; under a
    ///   record-level policy as ``shown(rules:)``.
    package func shown(_ field: FieldName, rules: MergeRules) -> FieldValue? {
        guard case .fields = rules.scope(for: key.type) else { return shown(rules: rules)?[field] }
        return isAlive(rules: rules) ? register(of: field)?.shown(rules: rules, key: key) : nil
    }

    /// Whether the record is shown: it was put, and is not deleted.
    package func isShown(rules: MergeRules) -> Bool {
        guard case .fields = rules.scope(for: key.type) else { return winner(of: nil, rules: rules)?.isDelete == false }
        return isAlive(rules: rules)
    }

    /// What the record's only write set, where nothing else is to be seen: nearly every record that was never changed.
    private var fieldsOfOnlyWrite: FieldMap? {
        guard let shown = record.only?.fields, shown.count == names.count, hasOnlyWhatTheRecordHas else { return nil }
        return shown.withoutNulls
    }

    /// Whether the maximal writes to each field are those to the record, kept once, and nothing is added up.
    var hasOnlyWhatTheRecordHas: Bool { tallies.isEmpty && fields.allSatisfy { $0.isIdentical(to: record) } }

    /// The write that is shown in a register: a field, or the whole record where the field is nil; nil where nothing is.
    ///
    /// - Complexity: O(log *f*) for *f* fields and O(*m*) for *m* concurrent writes.
    public func winner(of field: FieldName?, rules: MergeRules) -> TaggedWrite? {
        guard let field, case .fields = rules.scope(for: key.type) else {
            return RegisterRules(rules, key: key, field: nil).verdict(among: record.contenders)?.winner
        }
        guard let register = register(of: field) else { return nil }
        return RegisterRules(rules, key: key, field: field).verdict(among: register.maximal.contenders)?.winner
    }

    /// The rules of whether a record exists: which put wins does not matter, only whether one does.
    func existence(_ rules: MergeRules) -> RegisterRules {
        RegisterRules(key: key, field: nil, policy: .lastWriterWins, deletes: rules.deletes)
    }

    /// Whether the record exists: a put wins among its maximal writes, or in one of its fields.
    ///
    /// A field may show a put although a delete wins over the record's maximal writes: where timestamps do not follow causality, the put
    /// can be later than the delete and yet have been seen by an earlier put to other fields, which loses to the delete.
    private func isAlive(rules: MergeRules) -> Bool {
        if let only = record.only, !only.isDelete { return true }
        let existence = existence(rules)
        if let verdict = existence.verdict(among: record.contenders), !verdict.winner.isDelete { return true }
        return fields.contains { existence.verdict(among: $0.contenders)?.winner.isDelete == false }
    }

    /// The record as the winning writer saw it, and what it wrote on top; nil where it deleted the record.
    ///
    /// What its writer saw is the same question among the writes that it had seen.
    func view(among writes: [TaggedWrite], rules: MergeRules) -> FieldMap? {
        let winners = winners(among: writes, rules: rules)
        if winners.first?.isDelete ?? true { return nil }
        var values: [FieldName: FieldValue] = [:]
        for winner in winners {
            for element in winner.fieldsAndCarried ?? FieldMap() where values[element.name] == nil { values[element.name] = element.value }
        }
        let shown = values.keys.sorted()
        let map = FieldMap(sortedNames: shown, values: shown.compactMap { values[$0] })
        return map.withoutNulls
    }

    /// The winner among some writes, the winner among those that it had seen, and so on, up to where every field is named or the record was
    /// deleted.
    func winners(among writes: [TaggedWrite], rules: MergeRules) -> [TaggedWrite] {
        let register = RegisterRules(rules, key: key, field: nil)
        var unnamed: Set<FieldName> = []
        for write in writes { unnamed.formUnion(write.fieldsAndCarried?.names.map(\.self) ?? []) }
        var winners: [TaggedWrite] = []
        var past = PastWrites(writes)
        while !past.isEmpty, let winner = past.winner(register, intervals: rules.intervals) {
            winners.append(winner)
            guard let fields = winner.fieldsAndCarried else { break }
            for name in fields.names { unnamed.remove(name) }
            if unnamed.isEmpty { break }
            past.keep(seenBy: winner, intervals: rules.intervals)
        }
        return winners
    }
}
