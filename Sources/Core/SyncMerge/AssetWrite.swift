public import SyncModel

/// A large value, such as a picture, that counts against a limit of its own.
///
/// In JSON `{"$asset": "…"}`.
///
/// ```swift
/// let picture = AssetWrite(text: "iVBORw0KGgo=")
/// try replica.put(["picture": picture.value], to: key)
/// ```
public struct AssetWrite: Hashable, Sendable {
    /// The content as text, such as base64.
    public let text: String

    /// An asset.
    public init(text: String) {
        self.text = text
    }

    /// Reads an asset; nil where the value is something else.
    public init?(_ value: FieldValue) {
        guard let fields = value.object, fields.count == 1, let text = fields["$asset"]?.string else { return nil }
        self.text = text
    }

    /// The value as it is written.
    public var value: FieldValue { ["$asset": .string(text)] }

    /// The bytes of the content: decoded where the text is base64, alone or in a data URL, and the text's own otherwise.
    ///
    /// - Complexity: O(*n*) in the length of the text.
    public var byteCount: Int {
        var encoded = text.utf8[...]
        if text.hasPrefix("data:") {
            guard let comma = encoded.firstIndex(of: UInt8(ascii: ",")), text[..<comma].hasSuffix(";base64") else { return encoded.count }
            encoded = encoded[encoded.index(after: comma)...]
        }
        let count = encoded.count
        let padding = encoded.suffix(2).count { $0 == UInt8(ascii: "=") }
        guard count % 4 == 0, encoded.dropLast(padding).allSatisfy(Self.isBase64) else { return text.utf8.count }
        return count / 4 * 3 - padding
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
