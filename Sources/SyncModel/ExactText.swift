/// Text that is compared, ordered and hashed by its UTF-8 bytes.
///
/// Swift's `String` treats canonically equivalent spellings of one character as equal. Two devices, or two keys of a
/// JSON object, whose bytes differ are different things to every other program that reads the data, so the identifiers of this
/// package never fold them together.
///
/// - Complexity: comparing and hashing are O(*n*) in the number of bytes.
public protocol ExactText: Hashable, Comparable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The text as it was given.
    var rawValue: String { get }

    /// Wraps a text without changing it.
    init(_ rawValue: String)
}

extension ExactText {
    /// Wraps a literal.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// The text as it was given.
    public var description: String { rawValue }

    /// Whether both texts hold the same bytes.
    public static func == (left: Self, right: Self) -> Bool {
        left.rawValue.hasSameBytes(as: right.rawValue)
    }

    /// Whether the left text comes first when the UTF-8 bytes are compared as unsigned numbers.
    public static func < (left: Self, right: Self) -> Bool {
        left.rawValue.utf8Precedes(right.rawValue)
    }

    /// Feeds the text into a hasher.
    ///
    /// Texts with equal bytes have equal hashes.
    public func hash(into hasher: inout Hasher) {
        rawValue.hashBytes(into: &hasher)
    }
}
