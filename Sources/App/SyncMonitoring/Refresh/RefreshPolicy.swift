package import ConflictAudit

/// The situation in which a view that shows records decides whether to read them again.
package struct RefreshSituation: Hashable, Sendable {
    /// Whether other devices' writes were merged since the records were last read.
    package var hasRemoteChange: Bool
    /// Whether the user has edited something that is not written to the replica yet.
    package var hasUnsavedEdits: Bool
    /// Whether the user sees the view.
    package var isInForeground: Bool

    /// Describes a situation.
    package init(hasRemoteChange: Bool, hasUnsavedEdits: Bool, isInForeground: Bool) {
        self.hasRemoteChange = hasRemoteChange
        self.hasUnsavedEdits = hasUnsavedEdits
        self.isInForeground = isInForeground
    }

    /// What to do.
    ///
    /// Without a change from elsewhere there is nothing to read. With one, the view is refreshed, but not over the user's unsaved edits,
    /// and not where nobody looks.
    package var decision: RefreshDecision {
        guard hasRemoteChange else { return .nothing }
        return isInForeground && !hasUnsavedEdits ? .refresh : .deferred
    }
}
