import ConflictAudit
package import SyncBytes
package import SyncMerge
package import SyncModel

/// The rules that audits wrote into their logs, as long as all of them are the same.
package struct StatedRules: EventObserver, Sendable {
    private var stated: FieldValue?
    private var agrees = true
    private var rules: AuditConfiguration?

    /// No rules.
    package init() {}

    /// The rules; nil where none are stated, or where logs state different ones.
    package var configuration: AuditConfiguration? { agrees ? rules : nil }

    /// The rules by which replicas merged, with the intervals of the audit.
    package var mergeRules: MergeRules? { configuration.map { $0.mergeRules.with($0.auditRules.intervals) } }

    /// Keeps rules.
    ///
    /// - Throws: `ValueProblem` where they mean nothing to this version.
    package mutating func record(_ value: FieldValue) throws(ValueProblem) {
        guard value != stated else { return }
        let configuration = try AuditConfiguration(rules: value)
        agrees = stated == nil
        (stated, rules) = (value, configuration)
    }

    /// Keeps the rules that a line states; of those that mean nothing to this version `check` tells.
    package mutating func observe(_ line: AuditLine, at location: AuditLogReader.Location) {
        if case .rules(let value) = line.event.content { try? record(value) }
    }

    package static var choosesLines: Bool { true }

    /// Lines of rules are no ordinary ones.
    package func chooses(_ line: ScannedLine, _ names: ScannedNames) -> Bool { false }
}
