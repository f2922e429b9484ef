package import ConflictAudit
package import SyncModel

/// What a gate makes of a check: which of its limits hold, and what it passed over.
package struct GateOutcome: Sendable {
    /// A limit, and what was measured.
    package struct Limit: Sendable {
        /// The limit as it was written, such as `lossy>0`.
        package let text: String
        /// What is measured, by its name.
        package let name: String
        /// The measure; nil where nothing tells of it.
        package let value: Double?
        /// Whether the limit holds, so that the check fails.
        package let holds: Bool
        /// The devices that make it hold, the worst first.
        package let devices: [DeviceID]
        /// The kinds of findings that it counts.
        package let kinds: Set<CheckFinding.Kind>
        /// Some of the conflicts that make it hold.
        package let conflicts: [ConflictID]

        /// A limit that was measured.
        package init(
            text: String, name: String, value: Double?, holds: Bool, devices: [DeviceID] = [], kinds: Set<CheckFinding.Kind> = [],
            conflicts: [ConflictID] = []
        ) {
            (self.text, self.name, self.value, self.holds) = (text, name, value, holds)
            (self.devices, self.kinds, self.conflicts) = (devices, kinds, conflicts)
        }
    }

    /// The limits that were asked for; without any the check fails on every finding that is no warning.
    package let limits: [Limit]
    /// What was passed over.
    package let filter: FindingFilter

    /// An outcome; without limits and a filter that of a check that nobody has limited.
    package init(_ limits: [Limit] = [], _ filter: FindingFilter = FindingFilter()) { (self.limits, self.filter) = (limits, filter) }

    /// The limits that hold.
    package var exceeded: [Limit] { limits.filter(\.holds) }

    /// Whether findings of a kind let the check fail.
    package func fails(_ kind: CheckFinding.Kind) -> Bool {
        limits.isEmpty ? !kind.isWarning : limits.contains { $0.holds && $0.kinds.contains(kind) }
    }
}
