package import ConflictAudit
package import SyncModel

/// Everything that can be told of one conflict, as values: what `show` draws.
package struct ConflictDetails: Hashable, Sendable {
    /// The conflict.
    package let conflict: Conflict
    /// What happened and why, in words.
    package let explanation: ConflictExplanation
    /// Who wrote what when.
    package let timeline: ConflictTimeline
    /// The value that both sides had seen, where a line says: the conflict's own, or the write that it was.
    package let ancestor: FieldValue?
    /// Whether the log can give back what was discarded.
    package let recoverability: Recoverability
    /// The characters of text that were lost; see `Loss/characters`.
    package let charactersLost: Int
    /// The write that gave the losing value back, where one did.
    package let restoredBy: Dot?
    /// The write that has replaced the winner since, where one has.
    package let successor: Dot?
    /// Other conflicts between the same two writes that lost something, in order.
    package let siblings: [ConflictID]
    /// The versions between which an edit was lost, where a table of saved rows is at hand.
    package let versions: [SavedVersion]

    /// Puts together what logs tell of a conflict.
    package init(_ logged: LoggedConflict, history: RecordHistory, versions: [SavedVersion] = []) {
        self.versions = versions
        conflict = logged.conflict
        explanation = ConflictExplanation(logged, history: history)
        timeline = ConflictTimeline(history)
        let shared = timeline.entries.first { $0.role == .ancestor }.flatMap { entry in history.writes.first { $0.dot == entry.dot } }
        let field = logged.conflict.field
        ancestor = logged.conflict.ancestor ?? shared.flatMap { field.map($0.value(of:)) ?? $0.fields.map(FieldValue.object) }
        recoverability = Recoverability(of: conflict)
        charactersLost = Loss.characters(lostIn: conflict)
        restoredBy = history.restoring?.dot
        successor = history.successor
        siblings = history.siblings.sorted()
    }

    /// Whether the losing value was written again later, by what the writes show or a line says.
    package var isRestored: Bool { restoredBy != nil || conflict.resolution == .restored }
}
