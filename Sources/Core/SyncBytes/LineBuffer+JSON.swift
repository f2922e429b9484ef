// Objects and lists of JSON, appended key by key and element by element; the buffer knows where a comma is due.
//
// Keys of the format are literals and are taken as they are; keys that come from data are escaped and say `named:`.

extension LineBuffer {
    /// Opens an object.
    @inline(__always)
    package mutating func beginObject() {
        append(UInt8(ascii: "{"))
        needsComma = false
    }

    /// Closes the object.
    @inline(__always)
    package mutating func endObject() {
        append(UInt8(ascii: "}"))
        needsComma = true
    }

    /// Appends an object.
    package mutating func object(_ body: (inout LineBuffer) -> Void) {
        beginObject()
        body(&self)
        endObject()
    }

    /// Appends a list.
    ///
    /// - Parameter drain: Called after each element; may empty the buffer.
    package mutating func list<Element>(
        _ elements: some Sequence<Element>, _ drain: (inout LineBuffer) -> Void = { _ in }, _ body: (inout LineBuffer, Element) -> Void
    ) {
        append(UInt8(ascii: "["))
        var isFirst = true
        for element in elements {
            if !isFirst { append(UInt8(ascii: ",")) }
            isFirst = false
            body(&self, element)
            drain(&self)
        }
        append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// Appends a key of the format; its value is appended next, by the caller.
    @inline(__always)
    package mutating func key(_ key: StaticString) {
        append(key: key, isFirst: !needsComma)
        needsComma = true
    }

    /// Appends a key that comes from data; its value is appended next, by the caller.
    package mutating func key(named key: String) { keyFromData { JSONText.append(key, to: &$0) } }

    /// Appends a key that comes from data; its value is appended next, by the caller.
    package mutating func key(named key: IdentifierBytes) { keyFromData { JSONText.append(key, to: &$0) } }

    @inline(__always)
    private mutating func keyFromData(_ body: (inout LineBuffer) -> Void) {
        if needsComma { append(UInt8(ascii: ",")) }
        needsComma = true
        body(&self)
        append(UInt8(ascii: ":"))
    }

    /// Appends a key and a list; see ``list(_:_:_:)``.
    package mutating func list<Element>(
        _ key: StaticString, _ elements: some Sequence<Element>, _ drain: (inout LineBuffer) -> Void = { _ in },
        _ body: (inout LineBuffer, Element) -> Void
    ) {
        self.key(key)
        list(elements, drain, body)
    }

    /// Appends a key from data and a count.
    package mutating func field(named key: String, _ number: Int) {
        self.key(named: key)
        append(decimal: UInt64(number.magnitude), isNegative: number < 0)
    }

    /// Appends a key and a string.
    package mutating func field(_ key: StaticString, _ text: String) {
        self.key(key)
        JSONText.append(text, to: &self)
    }

    /// Appends a key and a whole number.
    package mutating func field(_ key: StaticString, _ number: Int64) {
        self.key(key)
        append(decimal: number.magnitude, isNegative: number < 0)
    }

    /// Appends a key and a whole number.
    package mutating func field(_ key: StaticString, _ number: UInt64) {
        self.key(key)
        append(decimal: number)
    }

    /// Appends a key and a whole number.
    package mutating func field(_ key: StaticString, _ number: Int) { field(key, Int64(number)) }

    /// Appends a key and a Boolean.
    package mutating func field(_ key: StaticString, _ flag: Bool) {
        self.key(key)
        append(flag ? "true" : "false")
    }

    /// Appends a key and a number as 16 hexadecimal digits in quotes.
    package mutating func hexadecimal(_ key: StaticString, _ number: UInt64) {
        self.key(key)
        append(UInt8(ascii: "\""))
        append(hexadecimal: number, digits: 16)
        append(UInt8(ascii: "\""))
    }

    /// Appends a key and a time in milliseconds since 1970.
    package mutating func date(_ key: StaticString, _ milliseconds: Int64) {
        self.key(key)
        JSONText.append(date: milliseconds, to: &self)
    }
}
