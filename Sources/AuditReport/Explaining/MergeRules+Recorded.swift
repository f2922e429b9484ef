import ConflictAudit
import SyncMerge
import SyncModel

extension MergeRules {
    /// The rules that a conflict's line names; nil where the name alone does not say how it decides: an app's own rule, or a list of devices.
    init?(recordedIn conflict: Conflict) {
        self.init()
        if conflict.winner.operation != conflict.loser.operation, conflict.field != nil || !conflict.policy.hasPrefix(Self.recordPrefix) {
            guard let rule = DeletePolicy.allCases.first(where: { $0.name == conflict.policy }) else { return nil }
            deletes = rule
            // Of one put and one delete the delete rule alone decides.
            if conflict.field == nil { standard = .record(.lastWriterWins) }
            return
        }
        let isRecord = conflict.policy.hasPrefix(Self.recordPrefix)
        let policy: MergePolicy
        switch isRecord ? String(conflict.policy.dropFirst(Self.recordPrefix.count)) : conflict.policy {
        case MergePolicy.lastWriterWins.name: policy = .lastWriterWins
        case MergePolicy.firstWriterWins.name: policy = .firstWriterWins
        case MergePolicy.maximum.name: policy = .maximum
        case MergePolicy.minimum.name: policy = .minimum
        case MergePolicy.counter.name: policy = .counter
        case MergePolicy.set.name: policy = .set
        case MergePolicy.manual.name: policy = .manual
        default: return nil
        }
        standard = isRecord ? .record(policy) : .fields(policy)
    }

    private static let recordPrefix = "record:"
}
