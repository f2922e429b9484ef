package import SyncModel

extension JSONText {
    /// Keeps track of commas while an object is appended to a buffer key by key.
    ///
    /// Keys of the format are literals and are taken as they are; keys that come from data are escaped and say `named:`.
    package struct ObjectWriter {
        private var isEmpty = true

        /// Opens an object.
        package init(_ buffer: inout LineBuffer) {
            buffer.append(UInt8(ascii: "{"))
        }

        /// Appends a key of the format; its value is appended next, by the caller.
        @inline(__always)
        package mutating func key(_ key: StaticString, in buffer: inout LineBuffer) {
            buffer.append(key: key, isFirst: isEmpty)
            isEmpty = false
        }

        /// Appends a key that comes from data; its value is appended next, by the caller.
        package mutating func key(named key: String, in buffer: inout LineBuffer) {
            if !isEmpty { buffer.append(UInt8(ascii: ",")) }
            isEmpty = false
            JSONText.append(key, to: &buffer)
            buffer.append(UInt8(ascii: ":"))
        }

        /// Appends a key from data and a count.
        package mutating func field(named key: String, _ number: Int, in buffer: inout LineBuffer) {
            self.key(named: key, in: &buffer)
            buffer.append(decimal: UInt64(number.magnitude), isNegative: number < 0)
        }

        /// Appends a key and a text.
        package mutating func field(_ key: StaticString, _ text: String, in buffer: inout LineBuffer) {
            self.key(key, in: &buffer)
            JSONText.append(text, to: &buffer)
        }

        /// Appends a key and a whole number.
        package mutating func field(_ key: StaticString, _ number: Int64, in buffer: inout LineBuffer) {
            self.key(key, in: &buffer)
            buffer.append(decimal: number.magnitude, isNegative: number < 0)
        }

        /// Appends a key and a whole number.
        package mutating func field(_ key: StaticString, _ number: UInt64, in buffer: inout LineBuffer) {
            self.key(key, in: &buffer)
            buffer.append(decimal: number)
        }

        /// Appends a key and a whole number.
        package mutating func field(_ key: StaticString, _ number: Int, in buffer: inout LineBuffer) {
            field(key, Int64(number), in: &buffer)
        }

        /// Appends a key and a truth value.
        package mutating func field(_ key: StaticString, _ flag: Bool, in buffer: inout LineBuffer) {
            self.key(key, in: &buffer)
            buffer.append(flag ? "true" : "false")
        }

        /// Appends a key and a value.
        package mutating func field(_ key: StaticString, _ value: FieldValue, in buffer: inout LineBuffer) {
            self.key(key, in: &buffer)
            JSONText.append(value, to: &buffer)
        }

        /// Appends a key and a value as it was written.
        package mutating func field(_ key: StaticString, _ value: WrittenValue, in buffer: inout LineBuffer) {
            self.key(key, in: &buffer)
            value.append(to: &buffer)
        }

        /// Appends a key and a number as 16 hexadecimal digits in quotes.
        package mutating func hexadecimal(_ key: StaticString, _ number: UInt64, in buffer: inout LineBuffer) {
            self.key(key, in: &buffer)
            buffer.append(UInt8(ascii: "\""))
            buffer.append(hexadecimal: number, digits: 16)
            buffer.append(UInt8(ascii: "\""))
        }

        /// Appends a key and a moment in milliseconds since 1970.
        package mutating func date(_ key: StaticString, _ milliseconds: Int64, in buffer: inout LineBuffer) {
            self.key(key, in: &buffer)
            JSONText.append(date: milliseconds, to: &buffer)
        }

        /// Appends a key and a list; see ``LineBuffer/writeList(_:_:_:)``.
        package mutating func list<Item>(
            _ key: StaticString, _ elements: some Sequence<Item>, in buffer: inout LineBuffer,
            _ drain: (inout LineBuffer) -> Void = { _ in },
            _ body: (inout LineBuffer, Item) -> Void
        ) {
            self.key(key, in: &buffer)
            buffer.writeList(elements, drain, body)
        }

        /// Closes the object.
        package func end(in buffer: inout LineBuffer) {
            buffer.append(UInt8(ascii: "}"))
        }
    }
}

// The closures receive the buffer that they write to, since an object writer keeps track of commas only.

extension LineBuffer {
    /// Appends an object.
    package mutating func writeObject(_ body: (inout JSONText.ObjectWriter, inout LineBuffer) -> Void) {
        var object = JSONText.ObjectWriter(&self)
        body(&object, &self)
        object.end(in: &self)
    }

    /// Appends a list.
    ///
    /// - Parameter drain: Called after each element; may empty the buffer.
    package mutating func writeList<Item>(
        _ elements: some Sequence<Item>, _ drain: (inout LineBuffer) -> Void = { _ in }, _ body: (inout LineBuffer, Item) -> Void
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
    }
}
