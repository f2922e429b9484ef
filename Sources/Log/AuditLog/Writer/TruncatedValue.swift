import SyncBytes
public import SyncModel

/// A value that was too long for the log, as it is in a line: `{"$truncated":5000,"start":"…"}`.
///
/// `$truncated` is the length of the whole value; `start` is the beginning of the string, or of the value's JSON where it is no string.
/// What was cut off cannot be restored from the log.
///
/// ```swift
/// if let truncated = TruncatedValue(value) {
///     print("\(truncated.start)…, \(truncated.bytes) bytes in all")
/// }
/// ```
public struct TruncatedValue: Hashable, Sendable {
    /// The length of the whole value, in bytes: of the string, or of the value's JSON where it is no string.
    public let bytes: Int

    /// The beginning of the value.
    public let start: String

    /// Reads the mark back; nil for every other value.
    public init?(_ value: FieldValue) {
        guard case .object(let fields) = value, fields.count == 2, case .number(let number)? = fields["$truncated"],
            let bytes = number.integer, bytes >= 0, case .string(let start)? = fields["start"]
        else { return nil }
        self.bytes = Int(clamping: bytes)
        self.start = start
    }

    /// The value as it is in a line.
    public var value: FieldValue { .object(["$truncated": .number(JSONNumber(bytes)), "start": .string(start)]) }

    /// Cuts a value that is longer than a number of bytes, escapes not counted.
    init?(cutting value: FieldValue, to maximumBytes: Int) {
        guard value.length(upTo: maximumBytes) > maximumBytes else { return nil }
        var utf8: [UInt8] = []
        if case .string(let text) = value { utf8 = Array(text.utf8) } else { JSONText.append(value, to: &utf8) }
        bytes = utf8.count
        var end = min(max(maximumBytes, 0), utf8.count)
        // Not in the middle of a character's bytes.
        while end > 0, end < utf8.count, utf8[end] & 0xc0 == 0x80 { end -= 1 }
        start = String(decoding: utf8.prefix(end), as: UTF8.self)
    }
}
