package import SyncBytes
package import SyncModel

/// Appends JSON, as RFC 8259 defines it, to a buffer of UTF-8 bytes: no white space, keys in the order in which they are written.
package enum JSONText {
    /// Appends a text in quotes.
    ///
    /// Quotes, backslashes and control characters are escaped. U+2028, U+2029, U+007F to U+009F and the characters that reorder text are
    /// escaped too, so that a log line can be shown on a terminal or pasted into a script without doing anything there.
    ///
    /// - Complexity: O(*n*) in the bytes of the text. Allocates only where the buffer has to grow; so do all functions here.
    package static func append(_ text: String, to buffer: inout LineBuffer) {
        let plain = buffer.appendQuotedPlain(text)
        if plain < text.utf8.count { appendRest(of: text, after: plain, to: &buffer) }
    }

    /// Appends a name in quotes, as ``append(_:to:)`` appends a text.
    package static func append(_ name: IdentifierBytes, to buffer: inout LineBuffer) {
        name.withBytes { bytes in
            let plain = buffer.appendQuotedPlain(bytes)
            if plain < bytes.count { appendRest(of: name.string, after: plain, to: &buffer) }
        }
    }

    /// The text of a value.
    package static func string(_ value: FieldValue) -> String {
        var bytes: [UInt8] = []
        append(value, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends a time in milliseconds since 1970, in quotes.
    package static func append(date milliseconds: Int64, to buffer: inout LineBuffer) {
        buffer.append(UInt8(ascii: "\""))
        buffer.append(rfc3339: milliseconds)
        buffer.append(UInt8(ascii: "\""))
    }

    /// Appends what follows the first `plain` bytes of a string, and the closing quote.
    @inline(never)
    private static func appendRest(of text: String, after plain: Int, to buffer: inout LineBuffer) {
        appendEscaped(text.unicodeScalars[text.utf8.index(text.startIndex, offsetBy: plain)...], to: &buffer)
        buffer.append(UInt8(ascii: "\""))
    }

    /// Appends a value.
    ///
    /// The keys of objects come in the order of their bytes.
    package static func append(_ value: FieldValue, to buffer: inout LineBuffer) {
        switch value {
        case .null: buffer.append("null")
        case .bool(let flag): buffer.append(flag ? "true" : "false")
        case .number(let number): buffer.append(verbatim: number.text)
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
    package static func append(_ fields: FieldMap, to buffer: inout LineBuffer) {
        buffer.beginObject()
        let names = fields.sortedNames.span
        for index in names.indices {
            buffer.key(named: names[index].bytes)
            fields.written(at: index).append(to: &buffer)
        }
        buffer.endObject()
    }

    /// Appends a text in quotes, as ``append(_:to:)`` does, to a plain array.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        var buffer = LineBuffer()
        append(text, to: &buffer)
        bytes += buffer.array
    }

    /// Appends a value to a plain array.
    package static func append(_ value: FieldValue, to bytes: inout [UInt8]) {
        var buffer = LineBuffer()
        append(value, to: &buffer)
        bytes += buffer.array
    }

    /// Appends an object to a plain array.
    package static func append(_ fields: FieldMap, to bytes: inout [UInt8]) {
        append(.object(fields), to: &bytes)
    }

    private static func appendEscaped(_ scalars: Substring.UnicodeScalarView, to buffer: inout LineBuffer) {
        for scalar in scalars {
            switch scalar {
            case "\"": buffer.append(#"\""#)
            case "\\": buffer.append(#"\\"#)
            case "\n": buffer.append(#"\n"#)
            case "\r": buffer.append(#"\r"#)
            case "\t": buffer.append(#"\t"#)
            case _ where scalar.isHarmlessOnTerminal: for byte in UTF8.encode(scalar) ?? .init() { buffer.append(byte) }
            default:
                // Everything escaped here lies in the basic multilingual plane.
                buffer.append(#"\u"#)
                buffer.append(hexadecimal: UInt64(scalar.value), digits: 4)
            }
        }
    }
}
