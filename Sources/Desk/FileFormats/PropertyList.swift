/// A value of a property list, and where it is in its file.
package struct PropertyList: Sendable {
    package indirect enum Value: Sendable {
        case string(String)
        /// The digits as they are.
        case number(String)
        case bool(Bool)
        /// The date as it is spelled.
        case date(String)
        /// The bytes as they are spelled: in Base64, in a list of OpenStep in hexadecimal digits.
        case data(String)
        case array([PropertyList])
        case dictionary([Entry])
    }

    /// One key of a dictionary, in the order of the file.
    package struct Entry: Sendable {
        package let key: String
        /// The byte at which the key begins.
        package let keyOffset: Int
        package let value: PropertyList

        package init(key: String, keyOffset: Int, value: PropertyList) {
            (self.key, self.keyOffset, self.value) = (key, keyOffset, value)
        }
    }

    package let value: Value
    /// The byte at which the value begins.
    package let offset: Int

    package init(_ value: Value, at offset: Int) {
        self.value = value
        self.offset = offset
    }
}

extension PropertyList {
    /// A value of a dictionary; nil for other lists.
    package subscript(key: String) -> PropertyList? { entry(key)?.value }

    /// A key of a dictionary with its value; the first where it occurs twice.
    package func entry(_ key: String) -> Entry? {
        if case .dictionary(let entries) = value { entries.first { $0.key == key } } else { nil }
    }

    package var string: String? { if case .string(let text) = value { text } else { nil } }
    package var bool: Bool? { if case .bool(let flag) = value { flag } else { nil } }
    /// The elements of an array; empty for other lists.
    package var elements: [PropertyList] { if case .array(let elements) = value { elements } else { [] } }
    /// The entries of a dictionary; empty for other lists.
    package var entries: [Entry] { if case .dictionary(let entries) = value { entries } else { [] } }
    /// The strings of an array, or the one string.
    package var strings: [String] { string.map { [$0] } ?? elements.compactMap(\.string) }
}
