package import AuditLog
package import ConflictAudit
package import SyncMerge
package import SyncModel

/// Decides a recorded trace again under several sets of rules at once, side by side with the recorded one.
///
/// Every decision is made by `TraceAuditor`, the same as in `syncaudit audit`. How plain values are read under `counter` and `set` is
/// told in ``PlainValueReading``.
///
/// - Complexity: as one audit for each set of rules, and up to four more for the recommendations. Memory grows with the registers and the
///   conflicts of each.
package struct PolicyReplay: EventObserver {
    /// A set of rules by a name.
    package struct Candidate: Sendable {
        /// What it is called in reports.
        package let name: String
        /// The rules.
        package let rules: MergeRules

        /// Names a set of rules.
        package init(name: String, rules: MergeRules) {
            self.name = name
            self.rules = rules
        }

        fileprivate func with(_ bookkeeping: BookkeepingFields) -> Candidate {
            var rules = rules
            rules.bookkeeping = bookkeeping
            return Candidate(name: name, rules: rules)
        }
    }

    /// The only records that are decided again; none for all.
    package var onlyRecords: Set<RecordKey> = []
    /// Writes taken.
    package private(set) var writes = 0
    private var writesWithContext = 0
    private var writers: Set<DeviceID> = []
    /// Whether a write came that only repeats what its writer was shown of the record, or two versions of a record met.
    private var hasRepeatedRecord = false
    private var edits: EditReading
    private var reading: PlainValueReading
    private(set) var profiles: [ConflictStatistics.FieldKey: FieldProfile] = [:]
    private(set) var bookkeeping = BookkeepingSearch()
    private(set) var recorded: ReplayPass
    package private(set) var candidates: [ReplayPass]
    /// What recommendations need and nobody asked for.
    private var extras: [Extra: ReplayPass] = [:]
    /// The candidates that are what recommendations need.
    private var asked: [Extra: Int] = [:]

    /// The rules that recommendations are made from.
    enum Extra: CaseIterable {
        case counter
        case set
        case editWins
        case fields
    }

    /// Prepares to replay.
    ///
    /// - Parameters:
    ///   - recorded: The rules by which the replicas merged.
    ///   - candidates: The rules to compare with them.
    ///   - wholeRecords: The types whose puts are read as the difference to what their writers had seen, by the recorded rules.
    package init(recorded: Candidate, candidates: [Candidate], wholeRecords: AuditRules.WholeRecords = .none) {
        edits = EditReading(wholeRecords, rules: recorded.rules)
        reading = PlainValueReading(rules: recorded.rules)
        self.recorded = ReplayPass(recorded, isRecorded: true)
        self.candidates = candidates.map { ReplayPass($0.with(recorded.rules.bookkeeping)) }
        for extra in Extra.allCases {
            guard let rules = extra.rules(besides: recorded.rules) else { continue }
            if let index = candidates.firstIndex(where: { $0.rules.isPlainly(rules) }) {
                asked[extra] = index
            } else {
                extras[extra] = ReplayPass(Candidate(name: "", rules: rules).with(recorded.rules.bookkeeping))
            }
        }
    }

    /// What the rules that recommendations are made from make of the trace; nil where they would change nothing.
    func pass(_ extra: Extra) -> ReplayPass? { asked[extra].map { candidates[$0] } ?? extras[extra] }

    /// Writes of numbers or lists that do not say what they had seen, so that they could only be taken as plain values.
    package var plainWritesWithoutContext: Int { reading.writesWithoutContext }

    /// How far the writes taken can tell of conflicts.
    package var evidence: TraceEvidence {
        TraceEvidence(
            AuditEvidence(auditedWrites: writes, withContext: writesWithContext), writers: writers.count,
            hasRepeatedRecord: hasRepeatedRecord || recorded.auditor.hasRepeatedRecord, isDisordered: recorded.auditor.isDisordered)
    }

    /// Decides again what a line tells of, in the order of arrival.
    package mutating func observe(_ line: AuditLine, at location: AuditLogReader.Location) {
        switch line.event.content {
        case .write(let write) where isOfRecord(write.key): observe(write)
        case .merge(let merge) where isOfRecord(merge.key): observe(merge)
        default: break
        }
    }

    private func isOfRecord(_ key: RecordKey) -> Bool { onlyRecords.isEmpty || onlyRecords.contains(key) }

    /// Takes a write, in the order of arrival.
    package mutating func observe(_ write: TaggedWrite) {
        writes += 1
        bookkeeping.observe(write)
        if write.hasCausalContext { writesWithContext += 1 }
        writers.insert(write.dot.device)
        guard let write = edits.edits(of: write) else {
            // It repeats all that its writer was shown of the record.
            hasRepeatedRecord = true
            return
        }
        let changes = reading.read(write)
        for element in write.fields ?? FieldMap() {
            let key = ConflictStatistics.FieldKey(type: write.key.type, field: element.name)
            profiles[key, default: FieldProfile()].observe(element.value, changes[element.name])
        }
        recorded.observe(write, [:])
        for index in candidates.indices { candidates[index].observe(write, changes) }
        for extra in Extra.allCases { extras[extra]?.observe(write, changes) }
    }

    /// Takes versions of a record that met in a conflict handler: two writes to each set of rules.
    package mutating func observe(_ merge: RecordedMerge) {
        writes += 2
        if merge.ancestor != nil { writesWithContext += 2 }
        writers.formUnion([merge.client.device ?? merge.device, merge.server.device ?? .server])
        hasRepeatedRecord = true
        recorded.observe(merge)
        for index in candidates.indices { candidates[index].observe(merge) }
        for extra in Extra.allCases { extras[extra]?.observe(merge) }
    }

    /// The merged records under the recorded rules, in order.
    package var records: [(key: RecordKey, fields: FieldMap)] { recorded.auditor.records() }

    /// What came of it.
    ///
    /// - Complexity: O(*n* log *n*) in records and conflicts, for each set of rules.
    package func result() -> ReplayResult {
        let shown = recorded.auditor.records()
        let outcomes = ([recorded] + candidates).map { pass in
            var outcome = ReplayResult.Outcome(pass, against: recorded, shown: shown)
            outcome.fieldsMadeLists = pass.conflicts.keys.count(where: { makesList(of: $0, pass.rules) })
            return outcome
        }
        return ReplayResult(
            writes: writes, evidence: evidence,
            finding: evidence.finding(recorded.auditor.statistics, suspectedWithin: recorded.rules.intervals.windowMilliseconds),
            plainWritesWithoutContext: plainWritesWithoutContext, outcomes: outcomes, recommendations: recommendations())
    }

    private func makesList(of field: ConflictStatistics.FieldKey, _ rules: MergeRules) -> Bool {
        guard field.field != nil, case .set = rules.policy(for: field.type, field: field.field) else { return false }
        if case .set = recorded.rules.policy(for: field.type, field: field.field) { return false }
        return profiles[field]?.holdsLists == false
    }
}

extension PolicyReplay.Extra {
    /// The rules, nil where they would change nothing.
    fileprivate func rules(besides recorded: MergeRules) -> MergeRules? {
        var rules = MergeRules(deletes: recorded.deletes, intervals: recorded.intervals)
        switch self {
        case .counter: rules.standard = .fields(.counter)
        case .set: rules.standard = .fields(.set)
        case .editWins:
            guard recorded.deletes != .editWins else { return nil }
            rules = recorded
            rules.deletes = .editWins
        case .fields:
            guard ([recorded.standard] + recorded.types.values).contains(where: \.isRecord) else { return nil }
        }
        return rules
    }
}

extension MergeRules {
    /// Whether both are the same one policy for everything; false also where that is not easily told.
    fileprivate func isPlainly(_ other: MergeRules) -> Bool {
        guard types.isEmpty, fields.isEmpty, other.types.isEmpty, other.fields.isEmpty, deletes == other.deletes,
            intervals == other.intervals
        else { return false }
        return switch (standard, other.standard) {
        case (.fields(.lastWriterWins), .fields(.lastWriterWins)), (.fields(.counter), .fields(.counter)), (.fields(.set), .fields(.set)):
            true
        default: false
        }
    }
}
