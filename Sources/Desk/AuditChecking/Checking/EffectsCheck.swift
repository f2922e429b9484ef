package import AuditAnalysis
package import AuditLog
import ConflictAudit
import SyncBytes

/// Looks in logs for mass effects and alternating winners alone, as ``LogChecker`` does beside all else.
///
/// - Complexity: O(log *n*) a line and at the end that of ``MassEffects``. Memory grows with the distinct writes
///   and conflicts. A value type; its owner guards it.
package struct EffectsCheck: EventObserver, Sendable {
    private var history = RecordedHistory()
    private var masses = MassEffectCheck(limit: MassEffects.Limit())
    private var alternations = AlternationCheck()
    private var known: Set<ConflictID> = []
    private var findings = FindingList()

    /// Whether there was a write, without which nothing can be known of mass effects.
    package private(set) var hasWrites = false

    /// Nothing looked at.
    package init() {}

    /// Begins an input.
    package mutating func begin(_ input: EventSource.Input) { findings.begin(file: input.name, path: input.path) }

    /// Takes a line; those of a file come one after the other.
    package mutating func observe(_ line: AuditLine, at position: AuditLogReader.Location) {
        let location = LineLocation(file: findings.file, line: UInt32(clamping: position.line))
        switch line.event.content {
        case .write(let write):
            hasWrites = true
            history.observe(write, line, at: location)
            masses.observe(write, source: line.source)
        case .sync(let activity): masses.observe(activity, source: line.source)
        case .conflict(let conflict) where known.insert(conflict.id).inserted:
            alternations.observe(conflict, at: location, &findings)
        default: break
        }
    }

    /// Ends the look: what was found, at most 20 of each kind, and how many there are of each.
    package mutating func finish() -> (findings: [CheckFinding], counts: [CheckFinding.Kind: Int]) {
        history.sort()
        masses.finish(history, &findings)
        return (findings.kept, findings.counts)
    }
}
