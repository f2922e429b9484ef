public import SyncBytes

/// The name of one sequential writer: a phone, a browser tab, a server process.
///
/// ```swift
/// let device: DeviceID = "iPhone"
/// print(device.rawValue)  // iPhone
/// ```
public struct DeviceID: StringIdentifier {
    @usableFromInline package let bytes: IdentifierBytes

    /// The name as the device gave it.
    public var rawValue: String { bytes.string }

    /// Names a device.
    public init(_ rawValue: String) {
        bytes = IdentifierBytes(rawValue)
    }

    /// Names a device by its bytes.
    ///
    /// - Precondition: The bytes are valid UTF-8.
    package init(_ utf8: Span<UInt8>) {
        bytes = IdentifierBytes(utf8)
    }

    /// Names a device by bytes that go into an arena.
    ///
    /// - Precondition: The bytes are valid UTF-8.
    package init(_ utf8: Span<UInt8>, in arena: inout IdentifierArena) {
        bytes = IdentifierBytes(utf8, in: &arena)
    }

    /// Whether both are the same, byte for byte.
    @inlinable public static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }

    /// Whether the left name sorts first, by its UTF-8 bytes.
    public static func < (left: Self, right: Self) -> Bool { left.bytes.order(to: right.bytes) < 0 }
}

/// The name of a field within a record.
///
/// ```swift
/// let name: FieldName = "email"
/// let fields: FieldMap = [name: "john@new.example"]
/// ```
public struct FieldName: StringIdentifier {
    @usableFromInline package let bytes: IdentifierBytes

    /// The name as it is in the data.
    public var rawValue: String { bytes.string }

    /// Names a field.
    public init(_ rawValue: String) {
        bytes = IdentifierBytes(rawValue)
    }

    /// Names a field by its bytes.
    ///
    /// - Precondition: The bytes are valid UTF-8.
    package init(_ utf8: Span<UInt8>) {
        bytes = IdentifierBytes(utf8)
    }

    /// Whether both are the same, byte for byte.
    @inlinable public static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }

    /// Whether the left name sorts first, by its UTF-8 bytes.
    public static func < (left: Self, right: Self) -> Bool { left.bytes.order(to: right.bytes) < 0 }
}

/// The name of a kind of record, such as a table or a model class.
///
/// ```swift
/// let type: RecordType = "Card"
/// let key = RecordKey(type: type, id: "42")
/// ```
public struct RecordType: StringIdentifier {
    @usableFromInline package let bytes: IdentifierBytes

    /// The name as it is in the data.
    public var rawValue: String { bytes.string }

    /// Names a record type.
    public init(_ rawValue: String) {
        bytes = IdentifierBytes(rawValue)
    }

    /// Names a record type by its bytes.
    ///
    /// - Precondition: The bytes are valid UTF-8.
    package init(_ utf8: Span<UInt8>) {
        bytes = IdentifierBytes(utf8)
    }

    /// Names a record type by bytes that go into an arena.
    ///
    /// - Precondition: The bytes are valid UTF-8.
    package init(_ utf8: Span<UInt8>, in arena: inout IdentifierArena) {
        bytes = IdentifierBytes(utf8, in: &arena)
    }

    /// Whether both are the same, byte for byte.
    @inlinable public static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }

    /// Whether the left type sorts first, by its UTF-8 bytes.
    public static func < (left: Self, right: Self) -> Bool { left.bytes.order(to: right.bytes) < 0 }
}

/// The identity of a record among the records of its type.
///
/// ```swift
/// let id = RecordID("42")
/// let key = RecordKey(type: "Card", id: id)
/// ```
public struct RecordID: StringIdentifier {
    @usableFromInline package let bytes: IdentifierBytes

    /// The identity as it is in the data.
    public var rawValue: String { bytes.string }

    /// Names a record.
    public init(_ rawValue: String) {
        bytes = IdentifierBytes(rawValue)
    }

    /// Names a record by its bytes.
    ///
    /// - Precondition: The bytes are valid UTF-8.
    package init(_ utf8: Span<UInt8>) {
        bytes = IdentifierBytes(utf8)
    }

    /// Names a record by bytes that go into an arena.
    ///
    /// - Precondition: The bytes are valid UTF-8.
    package init(_ utf8: Span<UInt8>, in arena: inout IdentifierArena) {
        bytes = IdentifierBytes(utf8, in: &arena)
    }

    /// Whether both are the same, byte for byte.
    @inlinable public static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }

    /// Whether the left identity sorts first, by its UTF-8 bytes.
    public static func < (left: Self, right: Self) -> Bool { left.bytes.order(to: right.bytes) < 0 }
}

/// The name of one record for ever: its type and its identity within the type.
///
/// Keys are ordered by type, then by identity, both as UTF-8 bytes.
///
/// ```swift
/// let key = RecordKey(type: "Card", id: "42")
/// print(key)  // Card/42
/// ```
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

/// The name of one write for ever: the device that made it and the number that the device gave it.
///
/// ```swift
/// let dot = Dot(device: "iPhone", sequence: 7)
/// print(dot)  // iPhone:7
/// ```
public struct Dot: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The writer.
    public let device: DeviceID

    /// The number of the write among those of its device, 1 for the first, without gaps.
    ///
    /// The device itself counts, over all records and launches, and keeps the count where it keeps its data: of two writes of a device the
    /// one with the higher number was made later, whatever its clock says. It is not the hub's number, ``TaggedWrite/Receipt/hubSequence``.
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
