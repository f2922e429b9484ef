import SyncBytes
package import SyncModel

/// A hash of a value that is the same on every device, and the same for equal values.
///
/// 36 bits, six characters of a stamp: two different values have the same one in 69 billion. It tells whether a stamp describes the value
/// beside it, and is never proof by itself.
package struct ValueHash: Hashable, Sendable {
    static let bits: UInt64 = 36

    package let rawValue: UInt64

    init(rawValue: UInt64) {
        self.rawValue = rawValue & ((1 << Self.bits) - 1)
    }

    package init(_ value: FieldValue) {
        var hash = FNV1a()
        hash.combine(value)
        self.init(rawValue: hash.value)
    }
}

extension FNV1a {
    /// Adds a value: equal ones add the same, whatever the spelling of their numbers.
    fileprivate mutating func combine(_ value: FieldValue) {
        switch value {
        case .null: combine(0 as UInt8)
        case .bool(let flag): combine(flag ? 2 : 1 as UInt8)
        case .number(let number):
            combine(3 as UInt8)
            combine(number.canonicalText)
        case .string(let text):
            combine(4 as UInt8)
            combine(text)
        case .array(let elements):
            combine(5 as UInt8)
            combine(UInt64(elements.count))
            for element in elements { combine(element) }
        case .object(let map):
            combine(6 as UInt8)
            combine(UInt64(map.count))
            for field in map {
                combine(field.name.rawValue)
                combine(field.value)
            }
        }
    }
}
