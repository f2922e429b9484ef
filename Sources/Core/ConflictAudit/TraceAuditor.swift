package import SyncBytes
public import SyncMerge
public import SyncModel

/// Plays a recorded trace through the merge and audits what it decides.
///
/// The same merge as in a live replica: the trace's order is the order of arrival, and what arrived first counts as the local side.
///
/// - Complexity: memory is bounded by the registers of the trace, not by its writes; see `RecordState`.
///
/// ```swift
/// var auditor = TraceAuditor(sink: sink)
/// for write in writes { auditor.observe(write) }
/// print(auditor.statistics.dataLost, "edits lost")
/// ```
public struct TraceAuditor {
    private let mergeRules: MergeRules
    private let auditRules: AuditRules
    private let auditor: ConflictAuditor
    private var states: RecordTable
    private var nameLists = NameLists()
    private var constraints: ConstraintAuditor?
    private var offsets = ClockOffsets()
    private var revisions = TraceRevisions()
    private var reading: EditReading
    /// What records that have been deleted were called before.
    private var earlierNames: [RecordKey: RecordName] = [:]
    private static let mostEarlierNames = 100_000
    /// Writes observed: counted here, and not one by one behind the auditor's lock.
    private var writes = 0
    private var writesWithContext = 0

    /// Writes that carried the name of another write to their record but said something else, as far as that was noticed while the other
    /// was maximal.
    ///
    /// They count as that write arriving again, so which of the two is merged depends on the order of arrival.
    package private(set) var dotCollisions = 0

    /// Prepares to audit a trace.
    ///
    /// - Parameters:
    ///   - mergeRules: The rules by which the replicas that wrote the trace merge, but for the window and the tolerance.
    ///   - auditRules: What is looked for and reported, by which window and with which tolerance.
    ///   - sink: Where conflicts go, in the order in which they are found.
    public init(
        mergeRules: MergeRules = MergeRules(), auditRules: AuditRules = AuditRules(), sink: some AuditSink = BroadcastingAuditSink([])
    ) {
        self.mergeRules = mergeRules.with(auditRules.intervals)
        self.auditRules = auditRules
        states = RecordTable(rules: self.mergeRules)
        auditor = ConflictAuditor(rules: auditRules, sink: sink)
        constraints = ConstraintAuditor(auditRules, mergeRules: self.mergeRules)
        reading = EditReading(auditRules.wholeRecords, rules: self.mergeRules)
    }

    /// Prepares to audit a trace whose reader has hashed the names of the records.
    ///
    /// - Parameters:
    ///   - hashKey: By which it does.
    ///   - isReplica: Whether what is said of a conflict follows from what a replica remembers, instead of from the whole trace.
    package init(mergeRules: MergeRules, auditRules: AuditRules, hashKey: HashKey = HashKey(), isReplica: Bool = false) {
        self.init(mergeRules: mergeRules, auditRules: auditRules, sink: BroadcastingAuditSink([]))
        states = RecordTable(rules: self.mergeRules, hashKey: hashKey, keepsHistory: !isReplica)
    }

    /// Whether any record has been written to more than once.
    package var hasRepeatedRecord: Bool { states.hasRepeatedRecord }

    /// Whether a write has come after one whose writer had seen it, so that what is said of losers follows from less than the whole trace.
    package var isDisordered: Bool { states.isDisordered }

    /// The edits that the last write undid, whose writer had seen them.
    package var reverts: [Revert] { states.reverts }

    /// Everything counted so far.
    public var statistics: ConflictStatistics {
        var statistics = auditor.statistics
        statistics.recordWrites(writes, withContext: writesWithContext)
        statistics.recordReverts(states.revertCount)
        return statistics
    }

    /// The conflicts that wait for a decision, oldest first.
    public var activeConflicts: [Conflict] { auditor.activeConflicts }

    /// Audits a write of the trace.
    ///
    /// One that says what its writer had seen by a ``/SyncModel/TaggedWrite/revision`` alone has seen what the revision's parents lead back
    /// to, where all of that came before it.
    ///
    /// - Returns: The conflicts to report that its arrival brought to light.
    @discardableResult
    public mutating func observe(_ write: TaggedWrite) -> [Conflict] {
        let write = write.revision == nil ? write : revisions.placed(write)
        return observe(write, hash: states.hash(of: write), isOpen: false)
    }

    /// The same, of a write whose record's hash is known.
    ///
    /// - Parameter isOpen: Whether it names writes as seen that are not in the trace before it, so that what its writer was shown is known
    ///   only where it follows from others.
    package mutating func observe(_ write: TaggedWrite, hash: UInt64, isOpen: Bool) -> [Conflict] {
        count(write)
        // Nearly every write is merged as it is, and then not copied.
        if offsets.isEmpty, reading.changesNothing { return merge(write, hash: hash, isOpen: isOpen) }
        guard let write = reading.edits(of: offsets.correct(write)) else { return [] }
        return merge(write, hash: hash, isOpen: isOpen)
    }

    private mutating func merge(_ write: TaggedWrite, hash: UInt64, isOpen: Bool) -> [Conflict] {
        keepName(of: write)
        return record(states.merge(write, hash: hash, isOpen: isOpen, sharing: &nameLists), of: write)
    }

    private mutating func count(_ write: TaggedWrite) {
        writes += 1
        if write.hasCausalContext { writesWithContext += 1 }
    }

    private mutating func record(_ merged: (decisions: [MergeDecision], isDotCollision: Bool), of write: TaggedWrite) -> [Conflict] {
        if merged.isDotCollision { dotCollisions += 1 }
        var conflicts =
            merged.decisions.isEmpty ? [] : auditor.record(merged.decisions, names: names(in: merged.decisions, about: write.key))
        if constraints != nil, let state = states[write.key] {
            let found = constraints?.observe(state) { states[$0] } ?? []
            conflicts += auditor.record(found) { name(of: $0.key, besides: [$0.winner, $0.loser]) }
        }
        return conflicts
    }

    /// Remembers what a record is called that a write deletes: afterwards nothing of it may be shown.
    private mutating func keepName(of write: TaggedWrite) {
        guard write.isDelete, auditRules.namesRecords else { return }
        guard let name = name(of: write.key, besides: []) else { return }
        // A name is a help: of very many deleted records it is not worth the memory.
        if earlierNames.count >= Self.mostEarlierNames { earlierNames = [:] }
        earlierNames[write.key] = name
    }

    private func name(of key: RecordKey, besides writes: [TaggedWrite]) -> RecordName? {
        auditRules.name(of: key, besides: writes, earlier: earlierNames[key]) { states[key]?.value(of: $0, rules: mergeRules) }
    }

    /// What the record is called that decisions are about, for each of them; empty where the rules name no field of its type.
    private func names(in decisions: [MergeDecision], about key: RecordKey) -> [RecordName?] {
        guard auditRules.namesRecords else { return [] }
        let (state, earlier) = (states[key], earlierNames[key])
        return decisions.map { decision in
            auditRules.name(of: key, besides: [decision.winner, decision.loser], earlier: earlier) {
                state?.value(of: $0, rules: mergeRules)
            }
        }
    }

    /// Records a comparison of clocks; decisions from now on are checked against it, and writes that come from now on are taken to have
    /// been made when the device's clock, so corrected, says.
    public mutating func observe(_ measurement: ClockMeasurement) {
        auditor.record(measurement)
        offsets.record(measurement)
    }

    /// Audits three versions of a record that met elsewhere; they count as two writes, and what is merged of writes stays as it is.
    ///
    /// - Returns: The conflicts to report.
    @discardableResult
    public mutating func observe(_ merge: RecordedMerge) -> [Conflict] {
        writes += 2
        if merge.ancestor != nil { writesWithContext += 2 }
        let (decisions, name) = (merge.decisions(mergeRules), merge.name(auditRules))
        return auditor.record(
            decisions, basis: merge.ancestor == nil ? .window : .ancestor,
            names: name.map { Array(repeating: $0, count: decisions.count) } ?? [])
    }

    /// Whether a write to the record has been observed.
    package func holds(recordOf write: TaggedWrite, hash: UInt64) -> Bool { states.holds(recordOf: write, hash: hash) }

    /// Forgets all records, and keeps what was counted and what is known of clocks.
    ///
    /// No write to any of them may come later.
    package mutating func removeRecords() {
        states.removeAll()
        nameLists = NameLists()
        earlierNames = [:]
    }

    /// What is known of clocks, as ``observe(_:)`` has recorded it.
    package var clocks: ClockOffsets {
        get { offsets }
        set {
            offsets = newValue
            auditor.replaceOffsets(newValue)
        }
    }

    /// What is known of a record, nil where no write named it.
    package func state(of key: RecordKey) -> RecordState? { states[key] }

    /// Who wrote what a record shows; nil where it is not shown.
    ///
    /// - Complexity: O(*f*) for *f* fields; under a record-level policy as `RecordState.shown(rules:)`.
    package func edits(of key: RecordKey) -> RecordEdits? { states[key]?.edits(rules: mergeRules) }

    /// The merged records, deleted ones left out, in order of type and identity.
    ///
    /// - Complexity: O(*n* log *n*) in the number of records.
    public func records() -> [(key: RecordKey, fields: FieldMap)] {
        states.keys.sorted().compactMap { key in
            states[key]?.shown(rules: mergeRules).map { (key, $0) }
        }
    }
}
