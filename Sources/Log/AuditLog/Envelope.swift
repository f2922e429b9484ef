import SyncModel

/// A line of another logger that carries one of ours as its text.
///
/// It is an object without `event` that holds the text under `eventMessage` (Apple's `log show --style ndjson`), `MESSAGE` (journald's
/// JSON, where a text that is not plain is a list of bytes) or `log` (container logs).
enum Envelope {
    private static let keys: [FieldName] = ["eventMessage", "MESSAGE", "log"]

    /// The text that an object carries without the white space around it; nil where the object is no envelope.
    static func text(in object: FieldMap) -> ArraySlice<UInt8>? {
        if object["event"] != nil { return nil }
        for key in keys {
            switch object[key] {
            case .string(let text): return trimmed(Array(text.utf8))
            case .array(let elements):
                let bytes = elements.compactMap { $0.integer.flatMap(UInt8.init(exactly:)) }
                return bytes.count == elements.count ? trimmed(bytes) : nil
            // What journald says of a text that is too long for it.
            case .null: return []
            case .bool, .number, .object, nil: continue
            }
        }
        return nil
    }

    /// Whether a line is what Apple's `log stream` prints before its first record.
    static func isHeading(_ bytes: Span<UInt8>) -> Bool {
        let heading = "Filtering the log data".utf8
        return bytes.count >= heading.count && zip(bytes.indices, heading).allSatisfy { bytes[$0] == $1 }
    }

    /// Whether an object is what Apple's `log show` prints after its last record, `{"count":2,"finished":1}`.
    static func isFooting(_ object: FieldMap) -> Bool {
        object["event"] == nil && object["count"]?.integer != nil && object["finished"]?.integer != nil
    }

    /// Whether a text looks like an object at all; what other programs say need not.
    static func mayBeLine(_ text: ArraySlice<UInt8>) -> Bool { text.first == UInt8(ascii: "{") }

    private static func trimmed(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0d).contains(byte) }
        guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) }) else { return [] }
        return bytes[first...last]
    }
}
