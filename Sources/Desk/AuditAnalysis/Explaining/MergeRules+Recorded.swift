package import ConflictAudit
package import SyncMerge
import SyncModel

extension MergeRules {
    /// The rules that a conflict's line names; nil where the name alone does not say how it decides: an app's own rule, or a list of
    /// devices.
    package init?(recordedIn conflict: Conflict) {
        self.init()
        if conflict.winner.operation != conflict.loser.operation, conflict.field != nil || !conflict.policy.hasPrefix(Scope.recordPrefix) {
            guard let rule = DeletePolicy(name: conflict.policy) else { return nil }
            deletes = rule
            // Of one put and one delete the delete rule alone decides.
            if conflict.field == nil { standard = .record(.lastWriterWins) }
            return
        }
        guard let scope = Scope(name: conflict.policy) else { return nil }
        standard = scope
    }
}

extension MergePolicy {
    /// Whether time alone decides among puts, so that what becomes of two of them does not depend on others.
    package var goesByTime: Bool {
        switch self {
        case .lastWriterWins, .counter, .set, .manual: true
        case .firstWriterWins, .lastArrivalWins, .maximum, .minimum, .preferDevices, .custom: false
        }
    }

    /// Whether a register's decisions can only be made again where its values are known.
    package var goesByValue: Bool {
        switch self {
        case .maximum, .minimum, .counter, .set, .custom: true
        case .lastWriterWins, .firstWriterWins, .lastArrivalWins, .manual, .preferDevices: false
        }
    }
}
