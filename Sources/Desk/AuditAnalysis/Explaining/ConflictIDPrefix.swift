package import ConflictAudit

/// The beginning of a conflict's name, as a person types it: 1 to 16 hexadecimal digits of either case.
package struct ConflictIDPrefix: Hashable, Sendable, CustomStringConvertible {
    /// The digits in lower case.
    package let description: String
    private let lowest: UInt64
    private let highest: UInt64

    /// Reads the digits; nil where a text is anything else.
    package init?(_ text: String) {
        let digits = text.utf8.count
        guard (1...16).contains(digits), text.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let value = UInt64(text, radix: 16)
        else { return nil }
        description = text.lowercased()
        let free = UInt64(16 - digits) * 4
        lowest = free == 0 ? value : value << free
        highest = free == 0 ? value : lowest | ((1 << free) - 1)
    }

    /// Whether a conflict's name begins so.
    package func matches(_ id: ConflictID) -> Bool { (lowest...highest).contains(id.rawValue) }
}
