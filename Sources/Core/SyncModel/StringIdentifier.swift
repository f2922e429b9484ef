/// An identifier that is a string, compared, ordered and hashed by its UTF-8 bytes.
///
/// Swift's `String` treats canonically equivalent spellings of one character as equal. Two devices, or two keys of a JSON object, whose
/// bytes differ are different things to every other program that reads the data, so the identifiers of this package never fold them
/// together.
///
/// - Complexity: comparing and hashing are O(*n*) in the number of bytes, O(1) up to 15 of them.
///
/// ```swift
/// let devices: [DeviceID] = ["iPhone", "iPad"]
/// print(devices.sorted())  // [iPad, iPhone]
/// ```
public protocol StringIdentifier: Hashable, Comparable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The string as it was given.
    var rawValue: String { get }

    /// Wraps a string without changing it.
    init(_ rawValue: String)
}

extension StringIdentifier {
    /// Wraps a literal.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// The string as it was given.
    public var description: String { rawValue }
}
