package import AuditAnalysis
package import AuditLog
import ConflictAudit
import SyncBytes

/// Looks in logs for mass effects and alternating winners alone, as ``LogChecker`` does beside all else.
///
/// - Complexity: O(log *n*) a line and at the end that of ``MassEffects``. Memory grows with the distinct writes
///   and conflicts. A value type; its owner guards it.
package struct EffectsCheck: Sendable {
    private var history = RecordedHistory()
    private var masses = MassEffectCheck(limit: MassEffects.Limit())
    private var alternations = AlternationCheck()
    private var known: Set<ConflictID> = []
    private var findings = FindingList()
    /// The names of the files as they are shown, and that of the last as it is.
    private var files: [String] = []
    private var file: String?

    /// Whether there was a write, without which nothing can be known of mass effects.
    package private(set) var hasWrites = false

    /// Nothing looked at.
    package init() {}

    /// Takes a line; those of a file come one after the other.
    package mutating func observe(_ line: AuditLine, at position: AuditLogReader.Location) {
        if file != position.file {
            file = position.file
            let name = position.file.escaped(for: .terminal)
            if files.last != name { files.append(name) }
        }
        let location = LineLocation(file: Int32(clamping: files.count - 1), line: UInt32(clamping: position.line))
        switch line.event.content {
        case .write(let write):
            hasWrites = true
            history.observe(write, line, at: location)
            masses.observe(write, source: line.source)
        case .sync(let activity): masses.observe(activity, source: line.source)
        case .conflict(let conflict) where known.insert(conflict.id).inserted:
            alternations.observe(conflict, name: { position.description }, &findings)
        default: break
        }
    }

    /// Ends the look: what was found, at most 20 of each kind, and how many there are of each.
    package mutating func finish() -> (findings: [CheckFinding], counts: [CheckFinding.Kind: Int]) {
        history.sort()
        let names = files
        masses.finish(history, name: { "\(names[Int($0.file)]):\($0.line)" }, &findings)
        return (findings.kept, findings.counts)
    }
}
