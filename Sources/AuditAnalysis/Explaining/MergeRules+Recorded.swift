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
        guard let policy = MergePolicy(recorded: conflict.policy) else { return nil }
        standard = conflict.policy.hasPrefix(Self.recordPrefix) ? .record(policy) : .fields(policy)
    }

    /// What the name of a policy begins with in a log where the register is the whole record.
    static let recordPrefix = "record:"
}

extension MergePolicy {
    /// The policy that a conflict's line names; nil where the name alone does not say how it decides: an app's own rule, or a list of devices.
    init?(recorded name: String) {
        switch Self.bareName(recorded: name) {
        case MergePolicy.lastWriterWins.name: self = .lastWriterWins
        case MergePolicy.firstWriterWins.name: self = .firstWriterWins
        case MergePolicy.lastArrivalWins.name: self = .lastArrivalWins
        case MergePolicy.maximum.name: self = .maximum
        case MergePolicy.minimum.name: self = .minimum
        case MergePolicy.counter.name: self = .counter
        case MergePolicy.set.name: self = .set
        case MergePolicy.manual.name: self = .manual
        default: return nil
        }
    }

    /// The name without what says that the register is the whole record.
    static func bareName(recorded name: String) -> String {
        name.hasPrefix(MergeRules.recordPrefix) ? String(name.dropFirst(MergeRules.recordPrefix.count)) : name
    }

    /// Whether time alone decides among puts, so that what becomes of two of them does not depend on others.
    var goesByTime: Bool {
        switch self {
        case .lastWriterWins, .counter, .set, .manual: true
        case .firstWriterWins, .lastArrivalWins, .maximum, .minimum, .preferDevices, .custom: false
        }
    }

    /// Whether a register's decisions can only be made again where its values are known.
    var goesByValue: Bool {
        switch self {
        case .maximum, .minimum, .counter, .set, .custom: true
        case .lastWriterWins, .firstWriterWins, .lastArrivalWins, .manual, .preferDevices: false
        }
    }
}
