/// A value as a file holds it, which need not be of the kind that its column declares.
package enum SQLiteValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    /// The whole number; nil for any other kind.
    package var integer: Int64? {
        if case .integer(let number) = self { number } else { nil }
    }

    /// The number, whole or not; nil for any other kind.
    package var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number): number
        case .null, .text, .blob: nil
        }
    }

    /// The text; nil for any other kind.
    package var text: String? {
        if case .text(let text) = self { text } else { nil }
    }
}
