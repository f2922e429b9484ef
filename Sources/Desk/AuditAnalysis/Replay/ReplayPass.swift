package import ConflictAudit
import SyncMerge
import SyncModel

/// One way to decide a trace, and what came of it.
package struct ReplayPass {
    /// An edit: what one write did to one field, or to the whole record where it deleted it.
    struct Edit: Hashable {
        let key: RecordKey
        let dot: Dot
        let field: FieldName?
    }

    /// A conflict that discarded something.
    struct Loss {
        let register: ConflictStatistics.FieldKey
        let edits: [Edit]
        let isByDelete: Bool
        /// Whether the app was to decide, so that nothing is lost yet.
        let isWaiting: Bool
        /// Whether the conflict is not proven.
        let isSuspected: Bool
    }

    /// Which of the two writes that a conflict names won, in a few bytes, since there may be millions.
    struct Winner {
        fileprivate let register: Int32
        let isFirst: Bool
    }

    let name: String
    let rules: MergeRules
    package private(set) var auditor: TraceAuditor
    private(set) var conflicts: [ConflictStatistics.FieldKey: Int] = [:]
    private var registerNumbers: [ConflictStatistics.FieldKey: Int32] = [:]
    private(set) var losses: [Loss] = []
    private(set) var lostEdits: Set<Edit> = []
    /// Who won each conflict.
    private(set) var winners: [ConflictID: Winner] = [:]
    private var registers: [ConflictStatistics.FieldKey] = []
    /// As recorded alone, the puts that lost to puts, whether or not their values differed: under `counter` each is an increment lost.
    private(set) var defeatedPuts: [(register: ConflictStatistics.FieldKey, edit: Edit, isLoss: Bool)] = []

    private var defeatedPlaces: [Edit: Int] = [:]

    private let isRecorded: Bool

    init(_ candidate: PolicyReplay.Candidate, isRecorded: Bool = false) {
        self.isRecorded = isRecorded
        name = candidate.name
        rules = candidate.rules
        let intervals = candidate.rules.intervals
        auditor = TraceAuditor(
            mergeRules: candidate.rules, auditRules: AuditRules(window: intervals.window, clockTolerance: intervals.tolerance))
    }

    /// Takes a write, its values read as this pass's policies take them.
    mutating func observe(_ write: TaggedWrite, _ changes: [FieldName: PlainValueReading.Change]) {
        for conflict in auditor.observe(write.read(changes, under: rules)) { record(conflict) }
    }

    /// Takes versions of a record that met elsewhere.
    mutating func observe(_ merge: RecordedMerge) {
        for conflict in auditor.observe(merge) { record(conflict) }
    }

    private mutating func record(_ conflict: Conflict) {
        let register = ConflictStatistics.FieldKey(type: conflict.key.type, field: conflict.field)
        conflicts[register, default: 0] += 1
        winners[conflict.id] = Winner(register: number(of: register), isFirst: conflict.winner.dot < conflict.loser.dot)
        if isRecorded, [.updateUpdate, .insertInsert].contains(conflict.kind), let field = conflict.field {
            let edit = Edit(key: conflict.key, dot: conflict.loser.dot, field: field)
            if let known = defeatedPlaces[edit] {
                // What was harmless at first may be lost to a later winner.
                if conflict.losesEdit { defeatedPuts[known].isLoss = true }
            } else {
                defeatedPlaces[edit] = defeatedPuts.count
                defeatedPuts.append((register, edit, conflict.losesEdit))
            }
        }
        guard conflict.losesEdit else { return }
        let edits = Self.editsLost(in: conflict)
        lostEdits.formUnion(edits)
        losses.append(
            Loss(
                register: register, edits: edits, isByDelete: conflict.severity == .destructive,
                isWaiting: conflict.resolution == .manualPending, isSuspected: !conflict.basis.isProof))
    }

    /// The register that a conflict was about.
    func register(of winner: Winner) -> ConflictStatistics.FieldKey { registers[Int(winner.register)] }

    private mutating func number(of register: ConflictStatistics.FieldKey) -> Int32 {
        if let number = registerNumbers[register] { return number }
        let number = Int32(clamping: registers.count)
        registers.append(register)
        registerNumbers[register] = number
        return number
    }

    private static func editsLost(in conflict: Conflict) -> [Edit] {
        let (key, loser) = (conflict.key, conflict.loser)
        if loser.operation == .delete { return [Edit(key: key, dot: loser.dot, field: nil)] }
        if let field = conflict.field { return [Edit(key: key, dot: loser.dot, field: field)] }
        let kept = conflict.winner.value?.object
        return (loser.value?.object ?? FieldMap()).lazy.filter { kept?[$0.name] != $0.value }.map {
            Edit(key: key, dot: loser.dot, field: $0.name)
        }
    }
}
