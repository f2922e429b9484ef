/// The keys of audit lines that mean the same wherever they stand, for all who write and read lines.
package enum LineKey: CaseIterable, Sendable {
    case version
    case timestamp
    case sequence
    case source
    case event
    case id
    case kind
    case severity
    case basis
    case recordType
    case recordID
    case field
    case related
    case winner
    case loser
    case ancestor
    case result
    case gap
    case withinWindow
    case window
    case policy
    case resolution
    case reason
    case automatic
    case clockSuspect
    case stale
    case cleared
    case repeated
    case bookkeeping
    case device
    case number
    case counter
    case received
    case hubSequence
    case operation
    case fields
    case seen
    case cursor
    case order
    case revision
    case parents
    case app
    case carried
    case phase
    case state
    case writes
    case bytes
    case duration
    case error
    case delays
    case changes
    case refreshVersion
    case status
    case interface
    case offset
    case uncertainty
    case records
    case digest
    case value
    case storeBytes
    case warningBytes
    case setAside
    case oldest
    case trigger
    case decision
    case shownVersion
    case reloads
    case foreground
    case missedPulses
    case pulse
    case earliest
    case arrived
    case recordArrived
    case stillShown

    /// The key as it is in a line.
    @inlinable package var text: StaticString {
        switch self {
        case .version: "v"
        case .timestamp: "ts"
        case .sequence: "seq"
        case .source: "source"
        case .event: "event"
        case .id: "id"
        case .kind: "kind"
        case .severity: "severity"
        case .basis: "basis"
        case .recordType: "recordType"
        case .recordID: "recordID"
        case .field: "field"
        case .related: "related"
        case .winner: "winner"
        case .loser: "loser"
        case .ancestor: "ancestor"
        case .result: "result"
        case .gap: "gapMs"
        case .withinWindow: "withinWindow"
        case .window: "windowMs"
        case .policy: "policy"
        case .resolution: "resolution"
        case .reason: "reason"
        case .automatic: "auto"
        case .clockSuspect: "clockSuspect"
        case .stale: "stale"
        case .cleared: "cleared"
        case .repeated: "repeated"
        case .bookkeeping: "bookkeeping"
        case .device: "device"
        case .number: "n"
        case .counter: "counter"
        case .received: "received"
        case .hubSequence: "hubSequence"
        case .operation: "op"
        case .fields: "fields"
        case .seen: "seen"
        case .cursor: "cursor"
        case .order: "order"
        case .revision: "rev"
        case .parents: "parents"
        case .app: "app"
        case .carried: "carried"
        case .phase: "phase"
        case .state: "state"
        case .writes: "writes"
        case .bytes: "bytes"
        case .duration: "durationMs"
        case .error: "error"
        case .delays: "delays"
        case .changes: "changes"
        case .refreshVersion: "refreshVersion"
        case .status: "status"
        case .interface: "interface"
        case .offset: "offsetMs"
        case .uncertainty: "uncertaintyMs"
        case .records: "records"
        case .digest: "digest"
        case .value: "value"
        case .storeBytes: "storeBytes"
        case .warningBytes: "warningBytes"
        case .setAside: "setAside"
        case .oldest: "oldest"
        case .trigger: "trigger"
        case .decision: "decision"
        case .shownVersion: "shownVersion"
        case .reloads: "reloads"
        case .foreground: "foreground"
        case .missedPulses: "missedPulses"
        case .pulse: "pulseMs"
        case .earliest: "earliest"
        case .arrived: "arrived"
        case .recordArrived: "recordArrived"
        case .stillShown: "stillShown"
        }
    }

    /// The key as a string.
    package var name: String { "\(text)" }

    /// Whether the value is a text; a line in which it is not is no ordinary one.
    package var isText: Bool {
        switch self {
        case .timestamp, .source, .event, .id, .kind, .severity, .basis, .recordType, .recordID, .field, .policy,
            .resolution, .reason, .device, .received, .operation, .phase, .state, .error, .status, .interface, .digest, .app,
            .oldest, .trigger, .decision:
            true
        default: false
        }
    }

    /// Whether the value is an object, or of any kind.
    package var isNested: Bool {
        switch self {
        case .related, .winner, .loser, .ancestor, .result, .fields, .seen, .order, .parents, .delays, .value: true
        default: false
        }
    }
}
