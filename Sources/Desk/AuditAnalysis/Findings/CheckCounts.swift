package import ConflictAudit
package import SyncModel

/// What a check looked at.
package struct CheckCounts: Hashable, Sendable {
    /// Files.
    package var files = 0
    /// Lines.
    package var lines = 0
    /// Lines that were understood, and lines that could not be.
    package var understood = 0
    package var problems = 0
    /// Distinct writes.
    package var writes = 0
    /// Those of the distinct writes that carried a causal context; nil where that is not known, as of writes that only statistics tell of.
    package var writesWithContext: Int? = 0
    /// Whether there are writes and no line that only whoever has looked for conflicts logs.
    package var isUnaudited = false
    /// Devices whose logs end before writes of theirs that others have, so that their last sync is not known.
    package var cutOff: Set<DeviceID> = []
    /// Distinct conflicts, and of these those that a baseline knows.
    package var all = Conflicts()
    package var known = Conflicts()
    /// The first of those that discarded a value and that a baseline does not know, at most ``NewLoss/limit``.
    package var newLosses: [NewLoss] = []
    /// Whether any of them is proven, and whether any is suspected from what rows repeat.
    package var hasProven = false
    package var isOfRows = false
    /// What the lines tell of sync itself.
    package var health = SyncHealth()
    /// The time of the latest line, in milliseconds since 1970, against which ages are measured.
    package var newestMilliseconds: Int64?

    /// Lines that tell of a conflict.
    package var conflictLines = 0
    /// Those of them that could be held against their writes.
    package var heldLines = 0

    /// How many conflicts there are of each sort that can be limited.
    package struct Conflicts: Hashable, Sendable {
        /// All.
        package var conflicts = 0
        /// Those that discarded a value.
        package var lossy = 0
        /// The distinct edits that were discarded, each of which several conflicts may have discarded.
        package var lostEdits = 0
        /// Those in which a delete discarded edits.
        package var destructive = 0
        /// Those that wait for a decision.
        package var unresolved = 0
        /// Those whose winner may owe its victory to a wrong clock.
        package var clockSuspect = 0

        /// None.
        package init() {}

        /// Those that are not among others.
        package static func - (left: Conflicts, right: Conflicts) -> Conflicts {
            var rest = left
            rest.conflicts -= right.conflicts
            rest.lossy -= right.lossy
            rest.lostEdits -= right.lostEdits
            rest.destructive -= right.destructive
            rest.unresolved -= right.unresolved
            rest.clockSuspect -= right.clockSuspect
            return rest
        }
    }

    /// A conflict that discarded something and that a baseline does not know.
    package struct NewLoss: Hashable, Sendable {
        /// How many are kept.
        package static let limit = 1000

        /// The conflict.
        package let id: ConflictID
        /// A hash of the edit.
        package let edit: UInt64
        /// Whether a delete discarded it.
        package let isDestructive: Bool
        /// Whether another conflict of the baseline has told of the edit.
        package var isKnownEdit = false

        /// A conflict with the hash of its edit.
        package init(id: ConflictID, edit: UInt64, isDestructive: Bool) {
            (self.id, self.edit, self.isDestructive) = (id, edit, isDestructive)
        }
    }

    /// Nothing.
    package init() {}
}

extension CheckCounts {
    /// How far the lines can tell of conflicts.
    package var evidence: AuditEvidence {
        var evidence = AuditEvidence(auditedWrites: writes, withContext: writesWithContext)
        evidence.hasAudit = !isUnaudited
        return evidence
    }

    /// How many of the writes carried a causal context, and what follows from that for the conflicts.
    package var contextSentence: String {
        evidence.contextSentence(hasProven: hasProven, suspectedFrom: AuditEvidence.source(isOfRows: isOfRows))
    }
}
