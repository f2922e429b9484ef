/// Appends JSON, as RFC 8259 defines it, to a buffer of UTF-8 bytes: no white space, keys in the order in which they are written.
package enum JSONText {
    /// Appends a text in quotes.
    ///
    /// Quotes, backslashes and control characters are escaped. U+2028, U+2029, U+007F to U+009F and the characters that reorder text are
    /// escaped too, so that a log line can be shown on a terminal or pasted into a script without doing anything there.
    package static func append(_ text: String, to buffer: inout [UInt8]) {
        buffer.append(UInt8(ascii: "\""))
        // Nearly every text stands for itself, and its bytes are appended as they are.
        if !text.appendPlain(to: &buffer) {
            for scalar in text.unicodeScalars { append(scalar, to: &buffer) }
        }
        buffer.append(UInt8(ascii: "\""))
    }

    /// Appends a value.
    ///
    /// The keys of objects come in the order of their bytes.
    package static func append(_ value: FieldValue, to buffer: inout [UInt8]) {
        switch value {
        case .null: buffer.append(contentsOf: "null".utf8)
        case .bool(let flag): buffer.append(contentsOf: (flag ? "true" : "false").utf8)
        case .number(let number): buffer.append(contentsOf: number.text.utf8)
        case .string(let text): append(text, to: &buffer)
        case .array(let elements):
            buffer.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { buffer.append(UInt8(ascii: ",")) }
                append(element, to: &buffer)
            }
            buffer.append(UInt8(ascii: "]"))
        case .object(let fields): append(fields, to: &buffer)
        }
    }

    /// Appends an object.
    package static func append(_ fields: FieldMap, to buffer: inout [UInt8]) {
        var object = ObjectWriter(&buffer)
        for field in fields { object.field(field.name.rawValue, field.value, in: &buffer) }
        object.end(in: &buffer)
    }

    /// Keeps track of commas while an object is appended to a buffer key by key.
    package struct ObjectWriter {
        private var isEmpty = true

        /// Opens an object.
        package init(_ buffer: inout [UInt8]) {
            buffer.append(UInt8(ascii: "{"))
        }

        /// Appends a key; its value is appended next, by the caller.
        package mutating func key(_ key: String, in buffer: inout [UInt8]) {
            if !isEmpty { buffer.append(UInt8(ascii: ",")) }
            isEmpty = false
            JSONText.append(key, to: &buffer)
            buffer.append(UInt8(ascii: ":"))
        }

        /// Appends a key and a text.
        package mutating func field(_ key: String, _ text: String, in buffer: inout [UInt8]) {
            self.key(key, in: &buffer)
            JSONText.append(text, to: &buffer)
        }

        /// Appends a key and a whole number.
        package mutating func field(_ key: String, _ number: some BinaryInteger, in buffer: inout [UInt8]) {
            self.key(key, in: &buffer)
            if let small = UInt64(exactly: number) {
                JSONText.append(digitsOf: small, to: &buffer)
            } else {
                buffer.append(contentsOf: String(number).utf8)
            }
        }

        /// Appends a key and a truth value.
        package mutating func field(_ key: String, _ flag: Bool, in buffer: inout [UInt8]) {
            self.key(key, in: &buffer)
            buffer.append(contentsOf: (flag ? "true" : "false").utf8)
        }

        /// Appends a key and a value.
        package mutating func field(_ key: String, _ value: FieldValue, in buffer: inout [UInt8]) {
            self.key(key, in: &buffer)
            JSONText.append(value, to: &buffer)
        }

        /// Appends a key and a moment in milliseconds since 1970.
        package mutating func date(_ key: String, _ milliseconds: Int64, in buffer: inout [UInt8]) {
            self.key(key, in: &buffer)
            buffer.append(UInt8(ascii: "\""))
            RFC3339.append(milliseconds: milliseconds, to: &buffer)
            buffer.append(UInt8(ascii: "\""))
        }

        /// Closes the object.
        package func end(in buffer: inout [UInt8]) {
            buffer.append(UInt8(ascii: "}"))
        }
    }

    /// Appends a number in decimal.
    package static func append(digitsOf number: UInt64, to buffer: inout [UInt8]) {
        var divisor: UInt64 = 1
        while number / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            buffer.append(UInt8(48 + number / divisor % 10))
            divisor /= 10
        }
    }

    private static func append(_ scalar: Unicode.Scalar, to buffer: inout [UInt8]) {
        switch scalar {
        case "\"": buffer.append(contentsOf: #"\""#.utf8)
        case "\\": buffer.append(contentsOf: #"\\"#.utf8)
        case "\n": buffer.append(contentsOf: #"\n"#.utf8)
        case "\r": buffer.append(contentsOf: #"\r"#.utf8)
        case "\t": buffer.append(contentsOf: #"\t"#.utf8)
        case _ where scalar.isHarmlessOnTerminal: buffer.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
        default:
            // Everything escaped here lies in the basic multilingual plane.
            let digits = String(scalar.value, radix: 16)
            buffer.append(contentsOf: #"\u"#.utf8)
            buffer.append(contentsOf: String(repeating: "0", count: 4 - digits.count).utf8)
            buffer.append(contentsOf: digits.utf8)
        }
    }
}

extension Unicode.Scalar {
    /// Whether a terminal or a text field shows the character without acting on it: no control characters, no line separators, none
    /// that reorder text.
    package var isHarmlessOnTerminal: Bool {
        switch value {
        case 0..<0x20, 0x7f...0x9f: false
        case 0x061c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: false
        default: true
        }
    }
}
