package import AuditAnalysis
package import AuditLog
import ConflictAudit
import SyncBytes
import SyncModel

/// Looks in logs for mass effects and alternating winners alone, as ``LogChecker`` does beside all else.
///
/// Conflicts are read at a second look, and of them those alone over records where winners may alternate; there seldom are any.
///
/// - Complexity: O(log *n*) a line and at the end that of ``MassEffects``. Memory grows with the distinct writes
///   and conflicts. A value type; its owner guards it.
package struct EffectsCheck: EventObserver, Sendable {
    private var history = RecordedHistory()
    private var masses = MassEffectCheck(limit: MassEffects.Limit())
    private var alternations = AlternationCheck()
    private var rivals = Rivalries()
    /// The records of whose conflicts the second look is taken.
    private var chosen: ChosenRecords?
    private var isSecondLook = false
    private var known: Set<ConflictID> = []
    private var findings = FindingList()

    /// Whether there was a write, without which nothing can be known of mass effects.
    package private(set) var hasWrites = false

    /// Nothing looked at.
    package init() {}

    package static var choosesLines: Bool { true }

    /// Begins an input.
    package mutating func begin(_ input: EventSource.Input) { findings.begin(file: input.name, path: input.path) }

    /// Chooses writes, and the exports behind them; at the second look conflicts.
    package mutating func chooses(_ line: ScannedLine, _ names: ScannedNames) -> Bool {
        if isSecondLook { return line.isConflict && chosen?.contain(line, names) != false }
        switch line.content {
        case .write: return true
        case .sync: return hasWrites
        case .conflict:
            rivals.observe(line, names)
            return false
        default: return false
        }
    }

    /// Takes a line; those of a file come one after the other.
    package mutating func observe(_ line: AuditLine, at position: AuditLogReader.Location) {
        let location = LineLocation(file: findings.file, line: UInt32(clamping: position.line))
        switch line.event.content {
        case .conflict(let conflict):
            guard isSecondLook else { return rivals.observe(conflict) }
            guard rivals.records?.contains(conflict.key) != false, known.insert(conflict.id).inserted else { return }
            alternations.observe(conflict, at: location, &findings)
        case .write(let write) where !isSecondLook:
            hasWrites = true
            history.observe(write, line, at: location)
            masses.observe(write, source: line.source)
        case .sync(let activity) where !isSecondLook: masses.observe(activity, source: line.source)
        default: break
        }
    }

    /// Whether winners may alternate somewhere.
    package mutating func looksAgain() -> Bool {
        guard !isSecondLook, rivals.records?.isEmpty != true else { return false }
        isSecondLook = true
        chosen = rivals.records.map(ChosenRecords.init)
        return true
    }

    /// Ends the look: what was found, at most 20 of each kind, and how many there are of each.
    package mutating func finish() -> (findings: [CheckFinding], counts: [CheckFinding.Kind: Int]) {
        history.sort()
        masses.finish(history, &findings)
        return (findings.kept, findings.counts)
    }
}
