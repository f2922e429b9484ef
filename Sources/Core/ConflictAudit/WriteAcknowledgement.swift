public import SyncModel

/// A server's acknowledgement of a write, and what its writer can have been shown by the server until it made the write.
///
/// The acknowledgements in the logs of several devices say together who can have seen whom.
///
/// ```swift
/// let acknowledgement = WriteAcknowledgement(
///     dot: Dot(device: "phone", sequence: 7), key: RecordKey(type: "Card", id: "1"), fields: ["title"], number: 12, earliest: 12,
///     arrived: 9)
/// sink.record(AuditEvent(at: systemWallClock(), .acknowledgement(acknowledgement)))
/// ```
public struct WriteAcknowledgement: Hashable, Sendable {
    /// The write's name.
    public let dot: Dot
    /// The record.
    public let key: RecordKey
    /// The fields of the write that were sent; nil where it deletes the record.
    public let fields: [FieldName]?
    /// The server's number of the version that holds the write; it grows with the server's order, at least for one record.
    public let number: UInt64
    /// The least number under which the server can have taken the write: less than ``number`` where an earlier export of it was never
    /// answered.
    public let earliest: UInt64
    /// The highest number of a version of these fields that had arrived when the write was made, 0 for none; nil where a version without a
    /// number had.
    public let arrived: UInt64?
    /// The highest number of a version of the record, whichever its fields, that had arrived when the server's answer came, 0 for none; nil
    /// where that is not known, as of a record that is older than its observer.
    public let recordArrived: UInt64?
    /// Whether it is told again, of a later version: one that another device made, and that shows these fields as the write made them.
    public let isStillShown: Bool

    /// Describes an acknowledgement.
    public init(
        dot: Dot, key: RecordKey, fields: [FieldName]?, number: UInt64, earliest: UInt64, arrived: UInt64?, recordArrived: UInt64? = nil,
        isStillShown: Bool = false
    ) {
        self.dot = dot
        self.key = key
        self.fields = fields
        self.number = number
        self.earliest = earliest
        self.arrived = arrived
        self.recordArrived = recordArrived
        self.isStillShown = isStillShown
    }
}
