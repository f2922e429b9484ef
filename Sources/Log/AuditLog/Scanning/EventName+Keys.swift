import ConflictAudit
import SyncLines

extension EventName {
    /// The keys that every line of the event must have; of those that are left to the decoder what every line has.
    var requiredKeys: [LineKey] {
        switch self {
        case .conflict:
            [
                .timestamp, .event, .id, .kind, .severity, .basis, .recordType, .recordID, .winner, .loser, .gap, .withinWindow, .window,
                .policy,
                .resolution, .reason, .clockSuspect,
            ]
        case .write: [.timestamp, .event, .device, .recordType, .recordID, .operation]
        case .remoteChange: [.timestamp, .event, .changes, .refreshVersion]
        case .clock: [.timestamp, .event, .device, .offset, .uncertainty]
        case .checkpoint: [.timestamp, .event, .seen, .records, .digest]
        case .sync: [.timestamp, .event, .phase, .state, .writes, .bytes, .duration]
        case .network, .account: [.timestamp, .event, .status]
        case .acknowledgement: [.timestamp, .event, .device, .number, .recordType, .recordID, .hubSequence, .earliest]
        case .outbox: [.timestamp, .event, .writes, .bytes, .warningBytes]
        case .refresh:
            [.timestamp, .event, .trigger, .decision, .shownVersion, .refreshVersion, .reloads, .foreground, .pulse]
        case .statistics, .log, .merge, .rules: [.timestamp, .event]
        }
    }

    /// The keys that mean something in lines of the event.
    var keys: [LineKey] { [.version, .sequence, .source] + requiredKeys + optionalKeys }

    /// The keys that lines of the event may have beyond those and what every line may have.
    private var optionalKeys: [LineKey] {
        switch self {
        case .conflict: [.field, .related, .ancestor, .result, .automatic] + LineKey.allCases.filter { $0.flag?.isOnEveryLine == false }
        case .write: [.number, .counter, .received, .hubSequence, .fields, .seen, .cursor, .order, .revision, .parents, .app, .carried]
        case .sync: [.error, .delays, .storeBytes, .device]
        case .network: [.interface]
        case .acknowledgement: [.fields, .arrived, .recordArrived, .stillShown]
        case .outbox: [.setAside, .oldest]
        case .refresh: [.missedPulses]
        case .remoteChange, .account, .clock, .checkpoint, .statistics, .log, .merge, .rules: []
        }
    }
}

extension LineKey {
    /// What is so of a conflict where the value is true.
    var flag: Conflict.Flag? {
        switch self {
        case .withinWindow: .withinWindow
        case .clockSuspect: .clockSuspect
        case .stale: .stale
        case .cleared: .cleared
        case .repeated: .repeated
        case .bookkeeping: .bookkeeping
        default: nil
        }
    }
}
