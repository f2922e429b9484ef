import SyncBytes

/// A reader of XML that gives one event after the other.
///
/// Comments, instructions and the document type are passed over; entities that a document declares are never expanded, nothing is fetched.
///
/// - Complexity: O(*n*) in the length of the document, with a stack of at most `maximumDepth` names.
package struct XMLReader: Sendable {
    package enum Event: Hashable, Sendable {
        /// A start tag; `<x/>` is a start and an end.
        case start(name: String, attributes: [Attribute], offset: Int)
        case end(name: String, offset: Int)
        /// Characters inside an element; those on both sides of a comment or of a CDATA section come as several events.
        case text(String, offset: Int)
    }

    package struct Attribute: Hashable, Sendable {
        package let name: String
        package let value: String
        /// The byte at which the name begins.
        package let offset: Int
    }

    /// How many elements may be open at once.
    package static let maximumDepth = 10_000

    private let bytes: [UInt8]
    private var position = 0
    /// The names of the elements that are open.
    private var open: [Range<Int>] = []
    /// The element of a tag like `<x/>` whose end is the next event.
    private var pendingEnd: (name: String, offset: Int)?
    private var hasRoot = false
    private var failure: FormatError?

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { position = 3 }
        let start = bytes.prefix(2)
        if start == [0xfe, 0xff] || start == [0xff, 0xfe] || start == [0x3c, 0] || start == [0, 0x3c] {
            failure = FormatError(at: 0, "the document is in UTF-16; only UTF-8 is read")
        }
    }

    /// The next event; nil at the end of the document.
    ///
    /// - Throws: `FormatError`, and the identical one at every further call.
    package mutating func next() throws(FormatError) -> Event? {
        if let failure { throw failure }
        do throws(FormatError) {
            return try nextEvent()
        } catch {
            failure = error
            throw error
        }
    }

    private mutating func nextEvent() throws(FormatError) -> Event? {
        if let (name, offset) = pendingEnd {
            pendingEnd = nil
            return .end(name: name, offset: offset)
        }
        while position < bytes.count {
            let start = position
            guard bytes[start] == UInt8(ascii: "<") else {
                let end = bytes[start...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
                position = end
                if open.isEmpty {
                    // A zero byte after the end is no white space either.
                    guard let index = bytes[start..<end].firstIndex(where: { !isWhiteSpace($0) }) else { continue }
                    throw FormatError(at: index, "characters outside of all elements")
                }
                return .text(try text(start..<end), offset: start)
            }
            if matches("<!--") {
                try skip(past: "-->", from: start + 4, "a comment is not closed")
            } else if matches("<![CDATA[") {
                guard !open.isEmpty else { throw FormatError(at: start, "a CDATA section outside of all elements") }
                try skip(past: "]]>", from: start + 9, "a CDATA section is not closed")
                return .text(try string(start + 9..<position - 3), offset: start)
            } else if matches("<?") {
                try skip(past: "?>", from: start + 2, "an instruction is not closed")
            } else if matches("<!") {
                try skipDeclaration()
            } else if matches("</") {
                return try endTag()
            } else {
                return try startTag()
            }
        }
        if let name = open.last {
            throw FormatError(at: bytes.count, "the document ends inside the element \(try string(name).quoted)")
        }
        guard hasRoot else { throw FormatError(at: bytes.count, "the document holds no element") }
        return nil
    }

    private mutating func startTag() throws(FormatError) -> Event {
        let start = position
        position += 1
        let range = nameRange()
        guard !range.isEmpty else { throw FormatError(at: start, "a < that begins no tag") }
        guard !open.isEmpty || !hasRoot else { throw FormatError(at: start, "a second element at the top") }
        guard open.count < Self.maximumDepth else {
            throw FormatError(at: start, "more than \(Self.maximumDepth) elements inside each other")
        }
        hasRoot = true
        let name = try string(range)
        var attributes: [Attribute] = []
        while true {
            let gap = position
            skipWhiteSpace()
            guard position < bytes.count else { throw FormatError(at: start, "the tag \(name.quoted) is not closed") }
            if bytes[position] == UInt8(ascii: ">") {
                position += 1
                open.append(range)
                return .start(name: name, attributes: attributes, offset: start)
            }
            if matches("/>") {
                position += 2
                pendingEnd = (name, start)
                return .start(name: name, attributes: attributes, offset: start)
            }
            guard gap < position else { throw FormatError(at: position, "white space is missing before an attribute of \(name.quoted)") }
            attributes.append(try attribute())
        }
    }

    private mutating func attribute() throws(FormatError) -> Attribute {
        let range = nameRange()
        guard !range.isEmpty else { throw FormatError(at: range.lowerBound, "an attribute without a name") }
        let name = try string(range)
        skipWhiteSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else {
            throw FormatError(at: position, "the attribute \(name.quoted) has no value")
        }
        position += 1
        skipWhiteSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'") else {
            throw FormatError(at: position, "the value of the attribute \(name.quoted) is not in quotes")
        }
        let quote = bytes[position]
        let start = position + 1
        guard let end = bytes[start...].firstIndex(where: { $0 == quote || $0 == UInt8(ascii: "<") }), bytes[end] == quote else {
            throw FormatError(at: start, "the value of the attribute \(name.quoted) is not closed")
        }
        position = end + 1
        return Attribute(name: name, value: try text(start..<end, isAttribute: true), offset: range.lowerBound)
    }

    private mutating func endTag() throws(FormatError) -> Event {
        let start = position
        position += 2
        let range = nameRange()
        let name = try string(range)
        skipWhiteSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: ">") else {
            throw FormatError(at: start, "the end tag \(name.quoted) is not closed")
        }
        position += 1
        guard let expected = open.popLast() else { throw FormatError(at: start, "the end tag \(name.quoted) has no start tag") }
        guard bytes[expected] == bytes[range] else {
            throw FormatError(at: start, "the end tag \(name.quoted) is inside the element \(try string(expected).quoted)")
        }
        return .end(name: name, offset: start)
    }

    /// Passes over `<!DOCTYPE …>`, with the declarations in brackets.
    private mutating func skipDeclaration() throws(FormatError) {
        let start = position
        guard matches("<!DOCTYPE"), !hasRoot else {
            throw FormatError(at: start, "a declaration that is no document type before the first element")
        }
        var isInBrackets = false
        position += 2
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                guard let end = bytes[position...].firstIndex(of: byte) else { break }
                position = end + 1
            case UInt8(ascii: "<"):
                position -= 1
                if matches("<!--") {
                    try skip(past: "-->", from: position + 4, "a comment is not closed")
                } else if matches("<?") {
                    try skip(past: "?>", from: position + 2, "an instruction is not closed")
                } else {
                    position += 1
                }
            case UInt8(ascii: "["): isInBrackets = true
            case UInt8(ascii: "]"): isInBrackets = false
            case UInt8(ascii: ">"): if !isInBrackets { return }
            default: break
            }
        }
        throw FormatError(at: start, "the document type is not closed")
    }

    private mutating func skip(past end: StaticString, from start: Int, _ sentence: String) throws(FormatError) {
        let begin = position
        position = start
        let first = end.utf8Start(0)
        while position < bytes.count {
            if bytes[position] == first, matches(end) {
                position += end.utf8CodeUnitCount
                return
            }
            position += 1
        }
        throw FormatError(at: begin, sentence)
    }

    private func matches(_ text: StaticString) -> Bool {
        guard position + text.utf8CodeUnitCount <= bytes.count else { return false }
        for index in 0..<text.utf8CodeUnitCount where bytes[position + index] != text.utf8Start(index) { return false }
        return true
    }

    private mutating func skipWhiteSpace() {
        while position < bytes.count, isWhiteSpace(bytes[position]) { position += 1 }
    }

    private mutating func nameRange() -> Range<Int> {
        let start = position
        while position < bytes.count, isNameByte(bytes[position]) { position += 1 }
        return start..<position
    }

    private func string(_ range: Range<Int>) throws(FormatError) -> String {
        guard let text = bytes.span.extracting(range).validText else { throw FormatError(at: range.lowerBound, "bytes that are not UTF-8") }
        return text
    }

    /// The characters of a range, entities replaced and line ends made one line feed (XML 1.0, section 2.11), spaces in attributes (3.3.3).
    private func text(_ range: Range<Int>, isAttribute: Bool = false) throws(FormatError) -> String {
        let isPlain = bytes[range].allSatisfy { $0 != UInt8(ascii: "&") && ($0 >= 0x20 || (!isAttribute && $0 != 0x0d)) }
        if isPlain { return try string(range) }
        var result: [UInt8] = []
        result.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "&") {
                guard let end = bytes[index..<min(range.upperBound, index + 64)].firstIndex(of: UInt8(ascii: ";")) else {
                    throw FormatError(at: index - 1, "an & that begins no entity")
                }
                result += try XMLEntity.bytes(of: string(index..<end), at: index - 1)
                index = end + 1
            } else if byte == 0x0d {
                if index < range.upperBound, bytes[index] == 0x0a { index += 1 }
                result.append(isAttribute ? 0x20 : 0x0a)
            } else {
                result.append(isAttribute && (byte == 0x0a || byte == 0x09) ? 0x20 : byte)
            }
        }
        guard let text = result.span.validText else { throw FormatError(at: range.lowerBound, "bytes that are not UTF-8") }
        return text
    }
}

extension Sequence<XMLReader.Attribute> {
    /// The value of an attribute; nil where it is not there.
    package subscript(name: String) -> String? { attribute(name)?.value }

    /// An attribute by its name; the first where it occurs twice.
    package func attribute(_ name: String) -> XMLReader.Attribute? { first { $0.name == name } }
}
