package import AuditLog
package import ConflictAudit
import SyncBytes
package import SyncMerge
package import SyncModel

/// Decides a recorded trace under several policies and finds the one that explains the final rows of the system that received the writes.
///
/// Every policy is the merge itself: the same state of a record as in `syncaudit audit`, asked what it shows. Which rule for deletes is
/// asked with each policy makes no difference to the state.
///
/// - Complexity: memory grows as that of one audit for each policy, and with the rows. Comparing takes O(*r* log *r*) for *r* records.
package struct OutcomeComparison: EventObserver {
    /// One policy and the records as it merges them.
    private struct Side {
        let name: String
        let rules: MergeRules
        var table: RecordTable
        var nameLists = NameLists()

        init(_ candidate: PolicyReplay.Candidate) {
            name = candidate.name
            rules = candidate.rules
            table = RecordTable(rules: rules)
        }

        mutating func merge(_ write: TaggedWrite) { _ = table.merge(write, sharing: &nameLists) }

        func shown(_ key: RecordKey, _ deletes: DeletePolicy) -> FieldMap? {
            var rules = rules
            rules.deletes = deletes
            return table[key]?.shown(rules: rules)
        }

        /// The policy by which a field's values are compared, nil where the record is one register.
        func policy(of field: FieldName, in type: RecordType) -> MergePolicy? {
            rules.scope(for: type).isRecord ? nil : rules.policy(for: type, field: field)
        }
    }

    /// How many policies can be compared at once.
    package static let mostPolicies = PolicySet.capacity

    /// Writes observed.
    package private(set) var writes = 0
    private var writesWithContext = 0
    /// Of each device the latest of its writes.
    private var arrived = VersionVector()
    /// Whether a write came that only repeats what its writer was shown of the record.
    private var hasRepeat = false
    /// The types of the trace and their fields.
    package private(set) var fields: [RecordType: Set<FieldName>] = [:]
    private var sides: [Side]
    private var edits: EditReading
    private var reading: PlainValueReading?
    /// The records that were ever deleted: of the others every rule for deletes shows the same.
    private var deleted: Set<RecordKey> = []
    /// The rules for deletes, the one stated first.
    private let deleteRules: [DeletePolicy]

    /// Prepares to compare.
    ///
    /// - Parameters:
    ///   - recorded: The rules by which plain numbers and lists are read as steps and edits, and the rule for deletes that is taken where
    ///     the outcome does not tell.
    ///   - candidates: The policies to compare.
    ///   - wholeRecords: The types whose puts are read as the difference to what their writers had seen, by the recorded rules.
    /// - Precondition: There are 1 to 64 candidates.
    package init(recorded: MergeRules, candidates: [PolicyReplay.Candidate], wholeRecords: AuditRules.WholeRecords = .none) {
        precondition((1...PolicySet.capacity).contains(candidates.count), "1 to \(PolicySet.capacity) policies can be compared")
        edits = EditReading(wholeRecords, rules: recorded)
        sides = candidates.map(Side.init)
        deleteRules = [recorded.deletes] + DeletePolicy.allCases.filter { $0 != recorded.deletes }
        if candidates.contains(where: { $0.rules.addsUp }) { reading = PlainValueReading(rules: recorded) }
    }

    /// Takes the write that a line tells of, in the order of arrival.
    package mutating func observe(_ line: AuditLine, at location: AuditLogReader.Location) {
        if case .write(let write) = line.event.content { observe(write) }
    }

    /// Takes a write, in the order of arrival.
    package mutating func observe(_ write: TaggedWrite) {
        writes += 1
        if write.hasCausalContext { writesWithContext += 1 }
        arrived.insert(write.dot)
        for name in write.fieldNames ?? [] { fields[write.key.type, default: []].insert(name) }
        if write.isDelete {
            deleted.insert(write.key)
            fields[write.key.type, default: []].formUnion([])
        }
        guard let write = edits.edits(of: write) else {
            hasRepeat = true
            return
        }
        let changes = reading?.read(write) ?? [:]
        for index in sides.indices { sides[index].merge(write.read(changes, under: sides[index].rules)) }
    }

    /// Compares what the policies show with what the system does.
    ///
    /// - Parameter limit: How many unexplained rows, and how many lost edits, are listed.
    package func result(_ outcome: OutcomeRows, listing limit: Int) -> OutcomeResult {
        let table = sides[0].table
        let keys = table.keys.sorted().filter { outcome.types.contains($0.type) }
        var types: [OutcomeResult.TypeResult] = []
        var listed = Listed(limit: limit)
        var start = keys.startIndex
        while start < keys.endIndex {
            let end = keys[start...].firstIndex { $0.type != keys[start].type } ?? keys.endIndex
            types.append(result(keys[start..<end], outcome, &listed))
            start = end
        }
        countStrangers(in: outcome, &types)
        return OutcomeResult(
            policies: sides.map(\.name), writes: writes,
            evidence: TraceEvidence(
                AuditEvidence(auditedWrites: writes, withContext: writesWithContext), writers: arrived.entries.count,
                hasRepeatedRecord: hasRepeat || table.hasRepeatedRecord, isDisordered: table.isDisordered),
            openWrites: listed.openWrites, rows: outcome.count - outcome.repeats, repeats: outcome.repeats, types: types,
            typesNotHeld: fields.keys.filter { !outcome.types.contains($0) }.sorted(), unexplained: listed.rows,
            unexplainedCount: listed.count, gone: Array((listed.proven + listed.suspected).prefix(limit)))
    }

    /// What is listed one by one, as far as it is.
    private struct Listed {
        let limit: Int
        var rows: [OutcomeResult.UnexplainedRow] = []
        /// How many rows there are.
        var count = 0
        var proven: [OutcomeResult.GoneEdit] = []
        var suspected: [OutcomeResult.GoneEdit] = []
        var openWrites = 0
    }

    private func countStrangers(in outcome: OutcomeRows, _ types: inout [OutcomeResult.TypeResult]) {
        var unknown: [RecordType: Set<FieldName>] = [:]
        var others: [RecordType: Int] = [:]
        for (key, row) in outcome.rows {
            let known = fields[key.type]
            for name in row.fields.sortedNames where known?.contains(name) == false { unknown[key.type, default: []].insert(name) }
            if sides[0].table[key] == nil { others[key.type, default: 0] += 1 }
        }
        for index in types.indices {
            let type = types[index].type
            types[index].unknownFields = unknown[type]?.sorted() ?? []
            types[index].rowsOfOthers = others.removeValue(forKey: type) ?? 0
        }
        for (type, count) in others.ordered(by: { $0.key < $1.key }) {
            var stranger = OutcomeResult.TypeResult(type: type, deletes: deleteRules[0], isRecordLevel: isRecordLevel(type))
            stranger.rowsOfOthers = count
            types.append(stranger)
        }
    }

    private func isRecordLevel(_ type: RecordType) -> [Bool] { sides.map { $0.rules.scope(for: type).isRecord } }

    // MARK: One type

    /// How often each field agrees under one rule for deletes; nil is for the records themselves.
    private typealias Tallies = [FieldName?: OutcomeTally]

    private func result(
        _ keys: ArraySlice<RecordKey>, _ outcome: OutcomeRows, _ listed: inout Listed
    ) -> OutcomeResult.TypeResult {
        let type = keys[keys.startIndex].type
        var result = OutcomeResult.TypeResult(type: type, deletes: deleteRules[0], isRecordLevel: isRecordLevel(type))
        var shared = Tallies()
        var tallies = deleteRules.map { _ in Tallies() }
        var deletes = sides.map { _ in DeleteTally(agreeing: deleteRules.map { _ in 0 }) }
        for key in keys {
            let row = outcome.rows[key]
            if row != nil { result.rows += 1 }
            let rules = deleted.contains(key) ? deleteRules[...] : deleteRules.prefix(1)
            let views = rules.map { deletes in sides.map { $0.shown(key, deletes) } }
            if views.dropFirst().allSatisfy({ $0 == views[0] }) {
                judge(row, views[0], type) { shared[$0, default: OutcomeTally()].add($1) }
                continue
            }
            for rule in deleteRules.indices { judge(row, views[rule], type) { tallies[rule][$0, default: OutcomeTally()].add($1) } }
            for side in sides.indices { deletes[side].add(views.map { $0[side] }, row) { sides[side].policy(of: $0, in: type) } }
        }
        // The rule under which the best policy leaves least unexplained.
        let rule = choose(among: tallies, shared)
        for (name, tally) in tallies[rule] { shared[name, default: OutcomeTally()].add(tally) }
        result.deletes = deleteRules[rule]
        let names = fields[type] ?? []
        result.fieldsNotCompared = names.filter { outcome.lacks($0, of: type) || shared[$0]?.isForeign == true }.sorted()
        for name in result.fieldsNotCompared { shared[name] = nil }
        for (name, tally) in shared {
            result.total.add(tally)
            if let name { result.fields[name] = tally }
        }
        let best = result.best.first ?? 0
        result.deletesDiffering = deletes[best].differing
        for (index, rule) in deleteRules.enumerated() { result.deletesAgreeing[rule] = deletes[best].agreeing[index] }
        for key in keys { explain(key, outcome.rows[key], best, &result, &listed) }
        return result
    }

    private func choose(among tallies: [Tallies], _ shared: Tallies) -> Int {
        func disagreements(_ tallies: Tallies) -> [Int] {
            sides.indices.map { side in tallies.values.reduce(0) { $0 + $1.disagreeing(with: side) } }
        }
        let common = disagreements(shared)
        let counts = tallies.map { tallies in zip(disagreements(tallies), common).map(+).min() ?? 0 }
        return counts.firstIndex(of: counts.min() ?? 0) ?? 0
    }

    /// How often the outcome shows what each rule for deletes has one policy show.
    private struct DeleteTally {
        /// Fields and records in which the rules differ.
        var differing = 0
        /// By rule.
        var agreeing: [Int]

        mutating func add(_ views: [FieldMap?], _ row: OutcomeRows.Row?, _ policy: (FieldName) -> MergePolicy?) {
            if Set(views.map { $0 == nil }).count > 1 { add(views.map { ($0 == nil) == (row == nil) }) }
            guard let row else { return }
            for name in Set(views.flatMap { $0?.sortedNames ?? [] }) where row.holds(name) {
                let values = views.map { $0?[name] }
                if Set(values).count > 1 { add(values.map { row.shows($0, in: name, under: policy(name)) }) }
            }
        }

        private mutating func add(_ agrees: [Bool]) {
            differing += 1
            for rule in agrees.indices where agrees[rule] { agreeing[rule] += 1 }
        }
    }

    /// What the outcome says of one field: what no policy decides otherwise, or with which policies it agrees.
    fileprivate enum Judgement {
        case alike(Bool)
        case differing(PolicySet)

        var isExplained: Bool {
            switch self {
            case .alike(let agrees): agrees
            case .differing(let policies): !policies.isEmpty
            }
        }
    }

    /// Compares a row with what each policy shows.
    private func judge(_ row: OutcomeRows.Row?, _ views: [FieldMap?], _ type: RecordType, _ body: (FieldName?, Judgement) -> Void) {
        let isThere = views.map { $0 != nil }
        if Set(isThere).count > 1 {
            body(nil, .differing(PolicySet(sides.count) { isThere[$0] == (row != nil) }))
        } else if isThere[0] != (row != nil) {
            // That a record is there as it should be is no news.
            body(nil, .alike(false))
        }
        guard let row, isThere.contains(true) else { return }
        let known = fields[type] ?? []
        var names = Set(row.fields.sortedNames.filter { known.contains($0) && row.shown($0, like: nil) != nil })
        for view in views { names.formUnion(view?.sortedNames ?? []) }
        for name in names where row.holds(name) {
            let values = views.map { $0?[name] }
            if sides.indices.dropFirst().allSatisfy({ isSame(values[0], values[$0], (0, $0), name, type) }) {
                // Of equal ones the policy of each says in which way they may be written.
                body(name, .alike(sides.indices.contains { row.shows(values[$0], in: name, under: sides[$0].policy(of: name, in: type)) }))
            } else {
                body(
                    name,
                    .differing(PolicySet(sides.count) { row.shows(values[$0], in: name, under: sides[$0].policy(of: name, in: type)) }))
            }
        }
    }

    private func isSame(_ one: FieldValue?, _ other: FieldValue?, _ pair: (Int, Int), _ field: FieldName, _ type: RecordType) -> Bool {
        one == other
            || ShownValue.areSame(one, other, [sides[pair.0].policy(of: field, in: type), sides[pair.1].policy(of: field, in: type)])
    }

    /// Lists what no policy explains of a record, and counts the edits that it shows to be lost.
    private func explain(
        _ key: RecordKey, _ row: OutcomeRows.Row?, _ best: Int, _ result: inout OutcomeResult.TypeResult, _ listed: inout Listed
    ) {
        let views = sides.map { $0.shown(key, result.deletes) }
        var wrong: [OutcomeResult.UnexplainedRow.Field] = []
        judge(row, views, key.type) { name, judgement in
            if let name, result.fieldsNotCompared.contains(name) { return }
            if judgement.isExplained { return }
            let expected = name.map { views[best]?[$0] } ?? .bool(views[best] != nil)
            let shown = name.map { row?.shown($0, like: expected) } ?? .bool(row != nil)
            wrong.append(OutcomeResult.UnexplainedRow.Field(name: name, shown: shown, expected: expected))
        }
        if !wrong.isEmpty {
            listed.count += 1
            if listed.rows.count < listed.limit {
                wrong.sort { $0.name?.rawValue ?? "" < $1.name?.rawValue ?? "" }
                listed.rows.append(OutcomeResult.UnexplainedRow(key: key, fields: wrong))
            }
        }
        // An edit of a record that was written once is shown, or not explained.
        guard let history = sides[best].table.history(of: key) else { return }
        var rules = sides[best].rules
        rules.deletes = result.deletes
        var edits = FieldEdits(history, key: key, rules: rules) { $0.seen.map { !arrived.covers($0) } ?? false }
        listed.openWrites += edits.openWrites
        // Of what nobody can explain, nobody knows who lost.
        let undecided = Set(wrong.map(\.name))
        if row == nil, undecided.contains(nil) { return }
        for name in edits.names.sorted()
        where !undecided.contains(name) && !result.fieldsNotCompared.contains(name)
            && sides[best].policy(of: name, in: key.type)?.addsUp != true
        {
            for edit in goneEdits(of: name, &edits, row) {
                result.lost[name, default: 0] += 1
                if edit.isProven {
                    if listed.proven.count < listed.limit { listed.proven.append(edit) }
                } else {
                    result.suspected[name, default: 0] += 1
                    if listed.suspected.count < listed.limit { listed.suspected.append(edit) }
                }
            }
        }
    }

    /// The edits of a field that nobody replaced who had seen them, and whose values the outcome does not show.
    private func goneEdits(of field: FieldName, _ edits: inout FieldEdits, _ row: OutcomeRows.Row?) -> [OutcomeResult.GoneEdit] {
        func isShown(_ write: TaggedWrite) -> Bool {
            let value = write.value(of: field).flatMap { $0 == .null ? nil : .some($0) }
            return row?.shows(value, in: field, under: .lastWriterWins) ?? (value == nil)
        }
        // Mostly every value there was is shown.
        guard edits.puts(to: field).contains(where: { !isShown($0) }) else { return [] }
        let found = edits.field(field)
        let repeating = found.repeats.last(where: isShown)
        return found.edits.filter { !isShown($0.write) }.sorted { $0.write.precedes($1.write) }.map { edit in
            let write = edit.write
            let other = repeating.flatMap { !$0.precedes(write) && !$0.isOfSameDevice(as: write) ? $0.dot.device : nil }
            return OutcomeResult.GoneEdit(
                write: write, field: field, shown: row?.shown(field, like: write.value(of: field)), isProven: edit.isProven,
                putBackBy: other)
        }
    }
}

extension OutcomeTally {
    fileprivate mutating func add(_ judgement: OutcomeComparison.Judgement) {
        switch judgement {
        case .alike(let agrees): add(alike: agrees)
        case .differing(let policies): add(policies)
        }
    }
}

extension MergeRules {
    /// Whether any register is a counter or a set.
    fileprivate var addsUp: Bool {
        let scopes = [standard] + types.values
        let policies = scopes.map { scope in
            switch scope {
            case .fields(let policy), .record(let policy): policy
            }
        }
        return (policies + fields.values.flatMap(\.values)).contains(where: \.addsUp)
    }
}
