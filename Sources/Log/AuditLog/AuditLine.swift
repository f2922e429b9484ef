public import ConflictAudit
public import SyncModel

/// A line of an audit log: an event with its log's device and its number in the log.
///
/// ```swift
/// let line = AuditLine(sequence: 1, source: "iPhone", event: event)
/// print(line.event.time)
/// ```
public struct AuditLine: Hashable, Sendable {
    /// The version of the format that this package writes and reads.
    public static let formatVersion = 1

    /// The line's number among all lines of its writer, from 1 without gaps; nil in traces of other systems.
    public var sequence: UInt64?

    /// The device that logged it; nil in traces of other systems.
    public var source: DeviceID?

    /// The event that is logged.
    public var event: AuditEvent

    /// What the members of a line that was read say against each other, as a sentence without its full stop; nil where nothing.
    ///
    /// It says nothing of the event, and is no part of what makes two lines equal.
    package var contradiction: String?

    /// A line.
    public init(sequence: UInt64? = nil, source: DeviceID? = nil, event: AuditEvent) {
        self.sequence = sequence
        self.source = source
        self.event = event
    }

    /// Whether two lines tell of the same event under the same number of the same log.
    public static func == (left: Self, right: Self) -> Bool {
        (left.sequence, left.source) == (right.sequence, right.source) && left.event == right.event
    }

    /// Hashes what makes two lines equal.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(sequence)
        hasher.combine(source)
        hasher.combine(event)
    }
}
