public import ConflictAudit
public import SyncModel

/// One line of an audit log: an event, and where and as the how-manieth it was logged.
public struct AuditLine: Hashable, Sendable {
    /// The version of the format that this package writes and reads.
    public static let formatVersion = 1

    /// The line's number among all lines of its writer, from 1 without gaps; nil in traces of other systems.
    public var sequence: UInt64?

    /// The device that logged it; nil in traces of other systems.
    public var source: DeviceID?

    /// What is logged.
    public var event: AuditEvent

    /// A line.
    public init(sequence: UInt64? = nil, source: DeviceID? = nil, event: AuditEvent) {
        self.sequence = sequence
        self.source = source
        self.event = event
    }
}
