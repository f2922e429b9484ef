import AuditLog
public import ConflictAudit
public import SyncModel

/// Whether a log can give back what a conflict discarded.
public enum Recoverability: String, Hashable, Sendable, CaseIterable {
    /// The log holds it.
    case available
    /// The log's privacy rules left the value out.
    case omitted
    /// The value was too long for the log and was cut.
    case truncated
    /// Nothing was discarded, or nothing that one write to the record could bring back.
    case notApplicable = "not_applicable"

    /// Looks at a conflict.
    public init(of conflict: Conflict) {
        guard conflict.severity.isLoss, conflict.kind != .danglingReference, conflict.kind != .uniqueKey else {
            self = .notApplicable
            return
        }
        switch (conflict.loser.operation, conflict.loser.value) {
        case (.delete, _): self = .available
        case (.put, nil): self = .omitted
        case (.put, let value?):
            let parts = conflict.field == nil ? value.object?.map(\.value) ?? [value] : [value]
            if parts.contains(where: ValuePrivacy.isOmitted) {
                self = .omitted
            } else {
                self = parts.contains { TruncatedValue($0) != nil } ? .truncated : .available
            }
        }
    }
}

extension Conflict {
    /// Whether a write gives back what this conflict discarded: its writer had merged both sides and wrote the losing value.
    ///
    /// Of a write that does not say what it had seen, its place in the total order tells.
    public func isRestored(by write: TaggedWrite) -> Bool {
        guard write.key == key, write.dot != winner.dot, write.dot != loser.dot, follows(write, winner), follows(write, loser) else {
            return false
        }
        guard loser.operation == .put else { return write.isDelete }
        guard let value = loser.value, let fields = write.fields else { return false }
        guard let field else { return value.object?.allSatisfy { fields[$0.name] == $0.value } ?? false }
        return fields[field] == value
    }

    private func follows(_ write: TaggedWrite, _ side: Side) -> Bool {
        if write.dot.device == side.dot.device { return write.dot.sequence > side.dot.sequence }
        if let seen = write.seen { return seen.covers(side.dot) }
        return write.timestamp == side.timestamp ? side.dot < write.dot : side.timestamp < write.timestamp
    }
}
