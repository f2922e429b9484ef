package import SyncBytes
package import SyncModel

extension LineBuffer {
    /// Appends the two keys that name a record; ``LineFields/record()`` reads them.
    package mutating func record(_ key: RecordKey) {
        field(.recordType, key.type.bytes)
        field(.recordID, key.id.bytes)
    }

    /// Appends a key; its value is appended next, by the caller.
    @inline(__always) package mutating func key(_ key: LineKey) { self.key(key.text) }

    /// Appends a key and a string.
    package mutating func field(_ key: LineKey, _ text: String) { field(key.text, text) }

    /// Appends a key and a name.
    package mutating func field(_ key: LineKey, _ name: IdentifierBytes) {
        self.key(key)
        JSONText.append(name, to: &self)
    }

    /// Appends a key and a whole number.
    package mutating func field(_ key: LineKey, _ number: Int64) { field(key.text, number) }

    /// Appends a key and a whole number.
    package mutating func field(_ key: LineKey, _ number: UInt64) { field(key.text, number) }

    /// Appends a key and a whole number.
    package mutating func field(_ key: LineKey, _ number: Int) { field(key.text, Int64(number)) }

    /// Appends a key and a Boolean.
    package mutating func field(_ key: LineKey, _ flag: Bool) { field(key.text, flag) }

    /// Appends a key and a value.
    package mutating func field(_ key: LineKey, _ value: FieldValue) { field(key.text, value) }

    /// Appends a key and a value as it was written.
    package mutating func field(_ key: LineKey, _ value: WrittenValue) { field(key.text, value) }

    /// Appends a key and a number as 16 hexadecimal digits in quotes.
    package mutating func hexadecimal(_ key: LineKey, _ number: UInt64) { hexadecimal(key.text, number) }

    /// Appends a key and a time in milliseconds since 1970.
    package mutating func date(_ key: LineKey, _ milliseconds: Int64) { date(key.text, milliseconds) }
}
