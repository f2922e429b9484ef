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

    /// Appends a text in quotes, as ``append(_:to:)`` does, to a plain array.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        var buffer = LineBuffer()
        append(text, to: &buffer)
        bytes += buffer.array
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
