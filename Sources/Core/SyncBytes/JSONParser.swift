/// Parses one JSON text strictly by RFC 8259.
///
/// Beyond the grammar it refuses what two readers could take for two different things: keys that occur twice in one object, texts that are
/// not Unicode, and numbers beyond the range of a `Double`.
///
/// - Complexity: O(*n* log *n*) in the bytes at worst, for the order of keys; the depth is bounded by ``maximumDepth``.
package struct JSONParser {
    /// How deep arrays and objects may be nested.
    package static let maximumDepth = 256

    private var index = 0
    private var depth = 0
    /// What was parsed so far.
    private var nodes: [JSONOutline.Node] = []

    private init() {}

    /// Parses a text, and says where its values are.
    ///
    /// - Parameter nodes: Are replaced; their memory is used again.
    package static func outline(_ bytes: Span<UInt8>, in nodes: inout [JSONOutline.Node]) throws(JSONError) {
        guard bytes.count < UInt32.max else { throw JSONError(offset: 0, reason: .other("the text is longer than 4 GiB")) }
        nodes.removeAll(keepingCapacity: true)
        var parser = JSONParser()
        // Moved, so that they are not copied.
        swap(&parser.nodes, &nodes)
        defer { swap(&parser.nodes, &nodes) }
        parser.skipSpace(bytes)
        try parser.value(bytes)
        parser.skipSpace(bytes)
        if parser.index < bytes.count { throw parser.error("there is something after the end of the value") }
    }

    /// The string of bytes that have been parsed, from behind its opening quote on, escapes included.
    static func unescaped(_ bytes: Span<UInt8>, from start: Int) -> String {
        var parser = JSONParser()
        parser.index = start
        return (try? parser.escapedString(bytes, from: start)) ?? ""
    }

    private func error(_ problem: String, at offset: Int? = nil) -> JSONError {
        JSONError(offset: offset ?? index, reason: .other(problem))
    }

    private func cutOff() -> JSONError {
        JSONError(offset: index, reason: .cutOff)
    }

    private mutating func skipSpace(_ bytes: Span<UInt8>) {
        while index < bytes.count, isSpace(bytes[index]) { index += 1 }
    }

    private func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
    }

    private mutating func value(_ bytes: Span<UInt8>) throws(JSONError) {
        guard index < bytes.count else { throw cutOff() }
        switch bytes[index] {
        case UInt8(ascii: "\""): try string(bytes)
        case UInt8(ascii: "{"): try object(bytes)
        case UInt8(ascii: "["): try array(bytes)
        case UInt8(ascii: "t"): try word("true", .true, bytes)
        case UInt8(ascii: "f"): try word("false", .false, bytes)
        case UInt8(ascii: "n"): try word("null", .null, bytes)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number(bytes)
        case 0: throw error("a NUL byte stands where a value is expected")
        default: throw error("this is not JSON: a value is expected")
        }
    }

    /// Appends a node without parts.
    private mutating func append(_ kind: JSONOutline.Kind, _ range: Range<Int>, isEscaped: Bool = false) {
        nodes.append(JSONOutline.Node(kind, range, next: nodes.count + 1, isEscaped: isEscaped))
    }

    /// Ends an array or an object.
    private mutating func close(_ node: Int, _ kind: JSONOutline.Kind, from start: Int) {
        nodes[node] = JSONOutline.Node(kind, start..<index, next: nodes.count, isEscaped: false)
    }

    private mutating func word(_ word: StaticString, _ kind: JSONOutline.Kind, _ bytes: Span<UInt8>) throws(JSONError) {
        let start = index
        for offset in 0..<word.utf8CodeUnitCount {
            guard index < bytes.count else { throw cutOff() }
            guard unsafe bytes[index] == word.utf8Start[offset] else {
                throw error("this is not JSON: true, false or null is expected", at: start)
            }
            index += 1
        }
        append(kind, start..<index)
    }

    private mutating func descend() throws(JSONError) {
        depth += 1
        if depth > Self.maximumDepth { throw error("arrays and objects are nested more than \(Self.maximumDepth) deep") }
        index += 1
    }

    private mutating func array(_ bytes: Span<UInt8>) throws(JSONError) {
        let (start, node) = (index, nodes.count)
        try descend()
        defer { depth -= 1 }
        append(.array, start..<start)
        skipSpace(bytes)
        if index < bytes.count, bytes[index] == UInt8(ascii: "]") {
            index += 1
            return close(node, .array, from: start)
        }
        repeat {
            skipSpace(bytes)
            try value(bytes)
        } while try !endsAfterElement(UInt8(ascii: "]"), bytes)
        close(node, .array, from: start)
    }

    private mutating func object(_ bytes: Span<UInt8>) throws(JSONError) {
        let (start, node) = (index, nodes.count)
        try descend()
        defer { depth -= 1 }
        append(.object, start..<start)
        skipSpace(bytes)
        if index < bytes.count, bytes[index] == UInt8(ascii: "}") {
            index += 1
            return close(node, .object, from: start)
        }
        var (tags, count, mayRepeat) = (UInt64(0), 0, false)
        repeat {
            skipSpace(bytes)
            guard index < bytes.count else { throw cutOff() }
            guard bytes[index] == UInt8(ascii: "\"") else { throw error("a key in quotes is expected") }
            let key = nodes.count
            try string(bytes)
            count += 1
            nodes[key].tag = JSONOutline.Node.tag(of: bytes.extracting(nodes[key].range))
            mayRepeat = mayRepeat || count > 64 || isRepeated(key, in: node, &tags, bytes)
            skipSpace(bytes)
            guard index < bytes.count else { throw cutOff() }
            guard bytes[index] == UInt8(ascii: ":") else { throw error("a colon is expected after a key") }
            index += 1
            skipSpace(bytes)
            try value(bytes)
        } while try !endsAfterElement(UInt8(ascii: "}"), bytes)
        close(node, .object, from: start)
        if mayRepeat { try checkKeys(of: node, bytes, at: start) }
    }

    /// Whether a key may be in its object already: of one with an escape that is not known.
    ///
    /// - Parameter tags: A bit for each key of the object, by its hash: one whose bit is not set is new.
    private func isRepeated(_ key: Int, in object: Int, _ tags: inout UInt64, _ bytes: Span<UInt8>) -> Bool {
        let name = nodes[key]
        if name.isEscaped { return true }
        let bit = UInt64(1) << UInt64(name.tag >> 10)
        defer { tags |= bit }
        guard tags & bit != 0 else { return false }
        var other = object + 1
        while other < key {
            if nodes[other].tag == name.tag, bytes.holdsSame(in: nodes[other].range, as: bytes, in: name.range) { return true }
            other = nodes[other + 1].next
        }
        return false
    }

    /// Compares all keys of an object by sorting them.
    private func checkKeys(of object: Int, _ bytes: Span<UInt8>, at start: Int) throws(JSONError) {
        let keys = JSONOutline.keys(of: object, nodes, bytes).sorted { $0.order(to: $1) < 0 }
        for index in keys.indices.dropFirst() where keys[index - 1] == keys[index] {
            throw JSONError(offset: start, reason: .repeatedKey(keys[index].string))
        }
    }

    /// Consumes the comma or the closing bracket after an element.
    private mutating func endsAfterElement(_ closing: UInt8, _ bytes: Span<UInt8>) throws(JSONError) -> Bool {
        skipSpace(bytes)
        guard index < bytes.count else { throw cutOff() }
        if bytes[index] == closing {
            index += 1
            return true
        }
        guard bytes[index] == UInt8(ascii: ",") else { throw error("a comma or a closing bracket is expected") }
        index += 1
        return false
    }

    private mutating func number(_ bytes: Span<UInt8>) throws(JSONError) {
        let start = index
        func digit() -> Bool { index < bytes.count && bytes[index] >= 48 && bytes[index] <= 57 }
        func skipDigits() throws(JSONError) {
            guard digit() else { throw index < bytes.count ? error("a digit is expected") : cutOff() }
            while digit() { index += 1 }
        }
        if bytes[index] == UInt8(ascii: "-") { index += 1 }
        if digit(), bytes[index] == 48 {
            index += 1
            if digit() { throw error("a number begins with a zero that does not belong there", at: start) }
        } else {
            try skipDigits()
        }
        var isWhole = true
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            isWhole = false
            index += 1
            try skipDigits()
        }
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            isWhole = false
            index += 1
            if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index += 1 }
            try skipDigits()
        }
        // Eighteen digits always fit; only longer numbers are worth the look.
        if !isWhole || index - start > 18 {
            let text = try text(bytes, start..<index)
            if Double(text).map({ !$0.isFinite }) ?? true { throw error("the number \(text.shortened) is out of range", at: start) }
        }
        append(.number, start..<index)
    }

    private func text(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(JSONError) -> String {
        if let text = bytes.extracting(range).validText { return text }
        throw error("the text is not valid UTF-8", at: range.lowerBound)
    }

    private mutating func string(_ bytes: Span<UInt8>) throws(JSONError) {
        let start = index + 1
        var isASCII = true
        index = start
        while index < bytes.count {
            if index + 8 <= bytes.count {
                let marks = Self.marks(bytes.word(at: index))
                index += marks.trailingZeroBitCount / 8
                if marks == 0 { continue }
            }
            switch bytes[index] {
            case UInt8(ascii: "\""):
                if !isASCII { _ = try text(bytes, start..<index) }
                append(.string, start..<index)
                index += 1
                return
            case UInt8(ascii: "\\"):
                _ = try escapedString(bytes, from: start)
                return append(.string, start..<index - 1, isEscaped: true)
            case 0: throw error("a NUL byte stands in a text; it would have to be written \\u0000")
            case 0..<0x20: throw error("a control character stands in a text unescaped")
            case 0x80...:
                isASCII = false
                index += 1
            default: index += 1
            }
        }
        throw cutOff()
    }

    /// Marks the first of eight bytes that is a quote, a backslash, a control character or not ASCII, and maybe some behind it.
    private static func marks(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let (quotes, backslashes) = (word ^ (0x22 * ones), word ^ (0x5c * ones))
        let found = (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes | (word &- 0x20 * ones) & ~word | word
        return found & (0x80 * ones)
    }

    /// Goes on with a string from its first backslash.
    private mutating func escapedString(_ bytes: Span<UInt8>, from start: Int) throws(JSONError) -> String {
        var result = try text(bytes, start..<index)
        var plain = index
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                result += try text(bytes, plain..<index)
                index += 1
                return result
            case UInt8(ascii: "\\"):
                result += try text(bytes, plain..<index)
                result.unicodeScalars.append(try escape(bytes))
                plain = index
            case 0: throw error("a NUL byte stands in a text; it would have to be written \\u0000")
            case 0..<0x20: throw error("a control character stands in a text unescaped")
            default: index += 1
            }
        }
        throw cutOff()
    }

    private mutating func escape(_ bytes: Span<UInt8>) throws(JSONError) -> Unicode.Scalar {
        guard index + 1 < bytes.count else { throw cutOff() }
        let letter = bytes[index + 1]
        index += 2
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw error("a backslash stands before a character that is not escaped that way", at: index - 2)
        }
        let start = index - 2
        let unit = try hexadecimal(bytes)
        if let scalar = Unicode.Scalar(unit) { return scalar }
        if unit < 0xdc00, index == bytes.count || index + 1 == bytes.count && bytes[index] == UInt8(ascii: "\\") { throw cutOff() }
        guard unit < 0xdc00, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u") else {
            throw error("half of a surrogate pair stands alone", at: start)
        }
        index += 2
        let second = try hexadecimal(bytes)
        guard (0xdc00...0xdfff).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xd800) << 10 + UInt32(second) - 0xdc00)
        else { throw error("half of a surrogate pair stands alone", at: start) }
        return scalar
    }

    private mutating func hexadecimal(_ bytes: Span<UInt8>) throws(JSONError) -> UInt16 {
        guard index + 4 <= bytes.count else { throw cutOff() }
        var value: UInt16 = 0
        for _ in 0..<4 {
            let byte = bytes[index]
            switch byte {
            case 48...57: value = value << 4 | UInt16(byte - 48)
            case 65...70, 97...102: value = value << 4 | UInt16((byte | 0x20) - 87)
            default: throw error("four hexadecimal digits are expected after \\u")
            }
            index += 1
        }
        return value
    }
}

/// Why a string is not JSON that this package accepts.
package struct JSONError: Error, Hashable {
    /// What is wrong.
    package enum Reason: Hashable, Sendable {
        /// An object has a key twice.
        case repeatedKey(String)
        /// The string ends before the value does.
        case cutOff
        /// A sentence without the location.
        case other(String)
    }

    /// Where, in bytes from the start of the string.
    package let offset: Int
    /// What is wrong.
    package let reason: Reason
}
