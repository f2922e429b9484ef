/// A JSON number as it was written, compared by its exact decimal value.
///
/// Nothing is rounded: `18446744073709551616` and `0.30` come back out as they went in, and `1`, `1.0` and `10e-1` are equal.
///
/// - Complexity: comparing is O(*n*) in the number of characters, whatever the exponents.
///
/// ```swift
/// let price = JSONNumber(19)
/// print(price == JSONNumber(19.0))  // true
/// ```
public struct JSONNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number by the grammar of RFC 8259, section 6.
    public let text: String

    /// The number of an integer.
    public init(_ value: some BinaryInteger) {
        text = String(value)
    }

    /// The number of a floating-point value, in the fewest digits that read back as the same value.
    ///
    /// Nil for infinities and not-a-number, which JSON cannot write.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        text = value.description
    }

    /// A number from a string that is known to follow the grammar and to lie in the range of a `Double`.
    package init(validated text: String) {
        self.text = text
    }

    /// The value as an integer, or nil where it is not a whole number that fits.
    public var integer: Int64? {
        if let value = Int64(text) { return value }
        let parts = decimal
        if parts.digits.isEmpty { return 0 }
        guard parts.exponent >= parts.digits.count, parts.exponent <= 19 else { return nil }
        var magnitude = ""
        magnitude.append(contentsOf: String(decoding: parts.digits, as: UTF8.self))
        magnitude.append(contentsOf: String(repeating: "0", count: parts.exponent - parts.digits.count))
        return Int64((parts.isNegative ? "-" : "") + magnitude)
    }

    /// The nearest floating-point value.
    public var double: Double { Double(text) ?? .nan }

    /// The number as it was written.
    public var description: String { text }

    /// Whether both are the same decimal value.
    public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        left.text == right.text || left.decimal == right.decimal
    }

    /// Whether the left is the smaller decimal value.
    public static func < (left: JSONNumber, right: JSONNumber) -> Bool {
        let mine = left.decimal
        let theirs = right.decimal
        if mine.sign != theirs.sign { return mine.sign < theirs.sign }
        return mine.isNegative ? mine.isMagnitude(greaterThan: theirs) : theirs.isMagnitude(greaterThan: mine)
    }

    /// A text that is the same for equal values: sign, digits without zeros at either end, and exponent.
    package var canonicalText: String {
        let parts = decimal
        return "\(parts.sign < 0 ? "-" : "")\(String(decoding: parts.digits, as: UTF8.self))e\(parts.exponent)"
    }

    /// Feeds the decimal value into a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(decimal)
    }

    /// 0.*digits* × 10^*exponent*, without leading or trailing zeros; no digits for zero.
    private struct Decimal: Hashable {
        var isNegative = false
        var digits: [UInt8] = []
        var exponent = 0

        var sign: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }

        func isMagnitude(greaterThan other: Decimal) -> Bool {
            if digits.isEmpty || other.digits.isEmpty { return !digits.isEmpty }
            return exponent == other.exponent ? other.digits.lexicographicallyPrecedes(digits) : exponent > other.exponent
        }
    }

    private var decimal: Decimal {
        var result = Decimal()
        var pointSeen = false
        var rest = text.utf8[...]
        while let byte = rest.first, byte != UInt8(ascii: "e"), byte != UInt8(ascii: "E") {
            rest = rest.dropFirst()
            switch byte {
            case UInt8(ascii: "-"): result.isNegative = true
            case UInt8(ascii: "."): pointSeen = true
            case UInt8(ascii: "0") where result.digits.isEmpty: if pointSeen { result.exponent -= 1 }
            default:
                result.digits.append(byte)
                if !pointSeen { result.exponent += 1 }
            }
        }
        while result.digits.last == UInt8(ascii: "0") { result.digits.removeLast() }
        guard !result.digits.isEmpty else { return Decimal() }
        result.exponent += Self.exponent(rest.dropFirst())
        return result
    }

    /// The exponent that digits say, moved within what sums of exponents and lengths of texts can hold: a number so close to zero is no
    /// number that anybody counts with, and is a text of somebody's all the same.
    private static func exponent(_ text: Substring.UTF8View) -> Int {
        guard !text.isEmpty else { return 0 }
        let limit = 1 << (Int.bitWidth - 3)
        guard let exponent = Int(Substring(text)) else { return text.first == UInt8(ascii: "-") ? -limit : limit }
        return min(max(exponent, -limit), limit)
    }
}
