import SyncBytes

/// Property lists in the form of OpenStep, as `project.pbxproj` is: `{ key = value; }`, `(a, b)`, `<0fbd77>`, strings and comments.
struct OpenStepPropertyList {
    private let bytes: [UInt8]
    private var position: Int
    private var builder = PropertyListBuilder(maximumCount: XMLPropertyList.maximumCount)

    static func parse(_ bytes: [UInt8]) throws(FormatError) -> PropertyList {
        var parser = OpenStepPropertyList(bytes: bytes, position: bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0)
        return try parser.parse()
    }

    private init(bytes: [UInt8], position: Int) { (self.bytes, self.position) = (bytes, position) }

    private mutating func parse() throws(FormatError) -> PropertyList {
        repeat {
            try skipSpace()
            if builder.isInDictionary == true {
                if consume("}") {
                    try close()
                } else {
                    let start = position
                    let key = try string()
                    builder.key(key, at: start)
                    try skipSpace()
                    guard consume("=") else { throw unexpected("a = after the key \(key.quoted)") }
                    try skipSpace()
                    try value()
                }
            } else if builder.isInDictionary == false, consume(")") {
                try close()
            } else {
                try value()
            }
        } while builder.depth > 0
        try skipSpace()
        guard position == bytes.count, let result = builder.result else { throw unexpected("the end of the file") }
        return result
    }

    private mutating func value() throws(FormatError) {
        let start = position
        if consume("{") { return try builder.open(isDictionary: true, at: start) }
        if consume("(") { return try builder.open(isDictionary: false, at: start) }
        if consume("<") {
            try builder.append(.data(data(from: start)), at: start)
        } else {
            try builder.append(.string(string()), at: start)
        }
        try separator()
    }

    private mutating func close() throws(FormatError) {
        try builder.close(at: position)
        try separator()
    }

    /// Consumes what follows a value in the list around it.
    private mutating func separator() throws(FormatError) {
        guard let isInDictionary = builder.isInDictionary else { return }
        try skipSpace()
        if isInDictionary {
            guard consume(";") else { throw unexpected("a ; after a value") }
        } else if !consume(",") {
            guard position < bytes.count, bytes[position] == UInt8(ascii: ")") else { throw unexpected("a comma or ) after an element") }
        }
    }

    private mutating func data(from start: Int) throws(FormatError) -> String {
        var digits = 0
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: ">") {
                guard digits.isMultiple(of: 2) else { throw FormatError(at: start, "data of an odd number of digits") }
                return try string(start + 1..<position - 1)
            }
            if isWhiteSpace(byte) { continue }
            guard Character(Unicode.Scalar(byte)).isHexDigit else {
                if bytes[start...].starts(with: "<<<<<<<".utf8) {
                    throw FormatError(at: start, "a conflict of a merge that was not resolved")
                }
                throw FormatError(at: position - 1, "a byte in data that is no hexadecimal digit")
            }
            digits += 1
        }
        throw FormatError(at: start, "data that is not closed")
    }

    private mutating func string() throws(FormatError) -> String {
        let start = position
        if let quote = bytes[position...].first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            position += 1
            return try quotedString(quote, from: start)
        }
        while position < bytes.count, isUnquoted(bytes[position]), !isCommentStart { position += 1 }
        guard start < position else { throw unexpected("a string") }
        return try string(start..<position)
    }

    private var isCommentStart: Bool {
        bytes[position] == UInt8(ascii: "/") && position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "*")
    }

    private func isUnquoted(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, 0x7f, UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "<"),
            UInt8(ascii: ">"),
            UInt8(ascii: ";"), UInt8(ascii: ","), UInt8(ascii: "="), UInt8(ascii: "\""), UInt8(ascii: "'"):
            false
        default: true
        }
    }

    private mutating func quotedString(_ quote: UInt8, from start: Int) throws(FormatError) -> String {
        while position < bytes.count, bytes[position] != quote, bytes[position] != UInt8(ascii: "\\") { position += 1 }
        var text = try string(start + 1..<position)
        while position < bytes.count {
            if bytes[position] == quote {
                position += 1
                return text
            }
            if bytes[position] == UInt8(ascii: "\\") {
                position += 1
                text += escape()
            }
            let begin = position
            while position < bytes.count, bytes[position] != quote, bytes[position] != UInt8(ascii: "\\") { position += 1 }
            text += try string(begin..<position)
        }
        throw FormatError(at: start, "a string that is not closed")
    }

    /// The characters of an escape, its backslash consumed.
    private mutating func escape() -> String {
        guard position < bytes.count else { return "" }
        let byte = bytes[position]
        switch byte {
        case UInt8(ascii: "U"), UInt8(ascii: "u"): return unicodeEscape()
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            var number = 0
            let end = min(position + 3, bytes.count)
            while position < end, (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(bytes[position]) {
                number = number * 8 + Int(bytes[position] - UInt8(ascii: "0"))
                position += 1
            }
            // Larger numbers are in the encoding of NeXTSTEP, which no project file of this century holds.
            return number < 0x80 ? String(Character(Unicode.Scalar(UInt8(number)))) : "\u{fffd}"
        default: break
        }
        // A letter of several bytes is escaped in vain: the loop that called consumes it.
        guard byte < 0x80 else { return "" }
        position += 1
        switch byte {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "a"): return "\u{7}"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "v"): return "\u{b}"
        default: return String(Character(Unicode.Scalar(byte)))
        }
    }

    /// The characters of `U` and four digits, and of what follows it where both are a surrogate pair.
    private mutating func unicodeEscape() -> String {
        var units: [UInt16] = []
        while position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "u") {
            let digits = bytes[(position + 1)...].prefix(4)
            guard digits.count == 4, let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16) else { break }
            units.append(unit)
            position += 5
            guard units.count == 1, UTF16.isLeadSurrogate(unit), position < bytes.count, bytes[position] == UInt8(ascii: "\\") else {
                return String(decoding: units, as: UTF16.self)
            }
            position += 1
        }
        if units.isEmpty {
            position += 1
            return "U"
        }
        // A lone surrogate, and a backslash that begins another escape.
        position -= 1
        return "\u{fffd}"
    }

    private func string(_ range: Range<Int>) throws(FormatError) -> String {
        guard let text = bytes.span.extracting(range).validText else { throw FormatError(at: range.lowerBound, "bytes that are not UTF-8") }
        return text
    }

    private mutating func consume(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Passes over white space and comments.
    private mutating func skipSpace() throws(FormatError) {
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "/"), position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "/") {
                while position < bytes.count, bytes[position] != 0x0a, bytes[position] != 0x0d { position += 1 }
            } else if byte == UInt8(ascii: "/"), isCommentStart {
                let start = position
                position += 2
                while position + 1 < bytes.count, bytes[position] != UInt8(ascii: "*") || bytes[position + 1] != UInt8(ascii: "/") {
                    position += 1
                }
                guard position + 1 < bytes.count else { throw FormatError(at: start, "a comment that is not closed") }
                position += 2
            } else if isWhiteSpace(byte) || byte == 0x0b || byte == 0x0c {
                position += 1
            } else {
                return
            }
        }
    }

    private func unexpected(_ expected: String) -> FormatError {
        if position >= bytes.count { return FormatError(at: bytes.count, "the file ends where \(expected) is expected") }
        let rest = bytes[position...]
        if ["<<<<<<<", "=======", ">>>>>>>"].contains(where: { rest.starts(with: $0.utf8) }) {
            return FormatError(at: position, "a conflict of a merge that was not resolved")
        }
        let found = String(decoding: rest.prefix(8).prefix { !isWhiteSpace($0) }, as: UTF8.self)
        return FormatError(at: position, "\(found.quoted) where \(expected) is expected")
    }
}
