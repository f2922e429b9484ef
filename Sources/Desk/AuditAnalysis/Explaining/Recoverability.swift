import AuditLog
package import ConflictAudit
package import SyncModel

/// Whether a log can give back what a conflict discarded.
package enum Recoverability: String, Hashable, Sendable, CaseIterable {
    /// The log holds it.
    case available
    /// The log's privacy rules left the value out.
    case omitted
    /// The value was too long for the log and was cut.
    case truncated
    /// Nothing was discarded, or nothing that one write to the record could bring back.
    case notApplicable = "not_applicable"

    /// Looks at a conflict.
    package init(of conflict: Conflict) {
        guard conflict.severity.isLoss, conflict.kind != .danglingReference, conflict.kind != .uniqueKey else {
            self = .notApplicable
            return
        }
        switch (conflict.loser.operation, conflict.loser.value) {
        case (.delete, _): self = .available
        case (.put, nil): self = .omitted
        case (.put, let value?):
            let parts = conflict.field == nil ? value.object?.map(\.value) ?? [value] : [value]
            self = parts.map(Self.init(ofValue:)).first { $0 != .available } ?? .available
        }
    }

    /// Looks at a value as it is in a line.
    package init(ofValue value: FieldValue) {
        self = ValuePrivacy.isOmitted(value) ? .omitted : TruncatedValue(value) != nil ? .truncated : .available
    }
}

extension Conflict {
    /// Whether this one tells of an edit rather than another that the edit lost too, or that another log tells with less.
    ///
    /// It is the one with more of the value, then the graver one, then that with the lower identifier: no order of logs decides it.
    package func tells(ratherThan other: Conflict) -> Bool {
        let (left, right) = (Recoverability(of: self).rank, Recoverability(of: other).rank)
        if left != right { return left > right }
        return isGraver(than: other)
    }
}

extension Recoverability {
    /// How much there is of what was discarded.
    fileprivate var rank: Int {
        switch self {
        case .notApplicable: 0
        case .omitted: 1
        case .truncated: 2
        case .available: 3
        }
    }
}
