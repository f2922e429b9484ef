import SyncBytes
package import SyncMerge
package import SyncModel

/// An identifier of a conflict: a hash of its register and its two writes, equal on every device whichever side the device saw first.
///
/// ```swift
/// let id = ConflictID("00c0ffee00c0ffee")
/// print(id?.description ?? "no identifier")  // 00c0ffee00c0ffee
/// ```
public struct ConflictID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The 64-bit hash.
    public let rawValue: UInt64

    /// An identifier from a hash computed elsewhere.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Names the conflict of two writes to a register.
    ///
    /// - Parameters:
    ///   - key: The record; for a conflict between two records, the one whose key sorts first.
    ///   - field: The field, nil where the register is the whole record.
    ///   - dots: The two writes, in either order.
    package init(key: RecordKey, field: FieldName?, dots: (Dot, Dot)) {
        let (first, second) = dots.0 < dots.1 ? (dots.0, dots.1) : (dots.1, dots.0)
        var hash = FNV1a()
        hash.combine(key.type.bytes)
        hash.combine(key.id.bytes)
        // A register without a field and one with an empty field name must differ.
        hash.combine(UInt8(field == nil ? 0 : 1))
        hash.combine((field ?? "").bytes)
        hash.combine(first)
        hash.combine(second)
        rawValue = hash.value
    }

    /// Reads 16 hexadecimal digits; nil for anything else.
    public init?(_ text: String) {
        guard text.utf8.count == 16, text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
            let value = UInt64(text, radix: 16)
        else { return nil }
        rawValue = value
    }

    /// 16 hexadecimal digits in lower case.
    public var description: String {
        let digits = String(rawValue, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Orders identifiers by their hash.
    public static func < (left: ConflictID, right: ConflictID) -> Bool { left.rawValue < right.rawValue }
}

extension MergeDecision {
    /// The name of the conflict that it decides.
    package var conflictID: ConflictID { ConflictID(key: winner.key, field: field, dots: (winner.dot, loser.dot)) }
}
