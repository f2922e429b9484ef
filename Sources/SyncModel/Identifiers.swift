/// The name of one sequential writer: a phone, a browser tab, a server process.
public struct DeviceID: ExactText {
    /// The name as the device gave it.
    public let rawValue: String

    /// Names a device.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The name of a field within a record.
public struct FieldName: ExactText {
    /// The name as it stands in the data.
    public let rawValue: String

    /// Names a field.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The name of a kind of record, such as a table or a model class.
public struct RecordType: ExactText {
    /// The name as it stands in the data.
    public let rawValue: String

    /// Names a record type.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The identity of a record among the records of its type.
public struct RecordID: ExactText {
    /// The identity as it stands in the data.
    public let rawValue: String

    /// Names a record.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}

/// Names one record for ever: its type and its identity within the type.
///
/// Keys are ordered by type, then by identity, both as UTF-8 bytes.
public struct RecordKey: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The kind of record.
    public let type: RecordType

    /// The identity within the type.
    public let id: RecordID

    /// Names a record.
    public init(type: RecordType, id: RecordID) {
        self.type = type
        self.id = id
    }

    /// Type and identity with a slash between them, for messages.
    public var description: String { "\(type)/\(id)" }

    /// Whether the left key sorts first.
    public static func < (left: RecordKey, right: RecordKey) -> Bool {
        left.type == right.type ? left.id < right.id : left.type < right.type
    }
}

/// Names one write for ever: the device that made it and the device's own count of its writes.
public struct Dot: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The writer.
    public let device: DeviceID

    /// The writer's count of its writes, 1 for the first, without gaps.
    public let sequence: UInt64

    /// Names a write.
    ///
    /// - Precondition: `sequence` is at least 1.
    public init(device: DeviceID, sequence: UInt64) {
        precondition(sequence >= 1, "a device's writes are numbered from 1")
        self.device = device
        self.sequence = sequence
    }

    /// Device and number with a colon between them, for messages.
    public var description: String { device.rawValue + ":" + String(sequence) }

    /// Whether the left dot sorts first: by device, then by number.
    public static func < (left: Dot, right: Dot) -> Bool {
        left.device == right.device ? left.sequence < right.sequence : left.device < right.device
    }
}
