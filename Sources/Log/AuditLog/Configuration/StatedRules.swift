package import ConflictAudit
package import SyncBytes
package import SyncMerge
import SyncModel

/// The rules that audits wrote into their logs, as long as all of them are the same.
package struct StatedRules: Sendable {
    private var stated: FieldValue?
    private var agrees = true
    private var rules: AuditConfiguration?

    /// No rules.
    package init() {}

    /// The rules; nil where none are stated, or where logs state different ones.
    package var configuration: AuditConfiguration? { agrees ? rules : nil }

    /// The rules by which replicas merged, with the intervals of the audit.
    package var mergeRules: MergeRules? { configuration.map { $0.mergeRules.with($0.auditRules.intervals) } }

    /// Looks at an event, and keeps the rules that it states.
    ///
    /// - Throws: `ValueProblem` where they mean nothing to this version.
    package mutating func observe(_ event: AuditEvent) throws(ValueProblem) {
        guard case .rules(let value) = event.content, value != stated else { return }
        let configuration = try AuditConfiguration(rules: value)
        agrees = stated == nil
        (stated, rules) = (value, configuration)
    }
}
