import SyncBytes
import SyncModel

// Steps over texts, and what is asked of the bytes of one.

extension LineCursor {
    /// Some bytes of the block.
    @safe struct Text {
        let start: UnsafePointer<UInt8>
        let count: Int
        /// Whether the bytes stand for themselves, none of them escaped.
        let isPlain: Bool
        let bounds: MemoryBounds

        /// So many bytes from a cursor on.
        @inline(__always) init(_ cursor: LineCursor, count: Int, isPlain: Bool) {
            unsafe start = cursor.pointer
            self.count = count
            self.isPlain = isPlain
            bounds = cursor.bounds
        }

        /// A text that is known when the program is built.
        @inline(__always) init(_ text: StaticString) {
            unsafe start = text.utf8Start
            count = text.utf8CodeUnitCount
            isPlain = true
            unsafe bounds = MemoryBounds(text.utf8Start, count: count)
        }

        @inline(__always) func equals(_ other: Text) -> Bool {
            guard count == other.count else { return false }
            for index in 0..<count where LineCursor(self).byte(index) != LineCursor(other).byte(index) { return false }
            return true
        }

        /// A hash of the first and the last eight bytes; only of what is in a block.
        @inline(__always) var tag: UInt64 {
            let first = LineCursor(self).word(0)
            let bytes = count < 8 ? first & ~(.max &<< UInt64(8 * count)) : first &* 3 ^ LineCursor(self).word(count - 8)
            return bytes &* 0x9e37_79b9_7f4a_7c15
        }

        /// The bytes themselves.
        var bytes: UnsafeBufferPointer<UInt8> { unsafe UnsafeBufferPointer(start: start, count: count) }

        /// The text as a string; only of valid UTF-8, as all texts are that a cursor takes.
        var string: String {
            let (low, high) = (LineCursor(self).word(0), LineCursor(self).word(8))
            if let text = String(shortASCII: low, high, count: count) { return text }
            return unsafe String(decoding: bytes, as: UTF8.self)
        }

        /// Whether a range of other bytes is the same.
        func equals(_ other: Span<UInt8>, in range: Range<Int>) -> Bool {
            unsafe Span(_unsafeElements: bytes).holdsSame(in: 0..<count, as: other, in: range)
        }

        func equals(_ other: StaticString) -> Bool { equals(Text(other)) }
    }

    /// Consumes what is between here and the closing quote, and the quote; nil where it is no valid text or has escapes that are rare.
    @inline(__always) mutating func text() -> Text? {
        let start = self
        while true {
            let marks = specialBytes
            if marks != 0 {
                advance(marks.trailingZeroBitCount)
                break
            }
            advance(16)
        }
        if byte == UInt8(ascii: "\"") {
            let text = Text(start, count: distance(from: start), isPlain: true)
            advance(1)
            return text
        }
        guard let (text, end) = rareText(from: start) else { return nil }
        self = end
        return text
    }

    /// The bytes from here to a cursor behind.
    @inline(__always) func text(to end: LineCursor) -> Text {
        Text(self, count: end.distance(from: self), isPlain: false)
    }

    /// The text of the object that begins here, up to its first closing brace; nil where none comes within `limit` bytes or before the line
    /// break.
    func shortObject(within limit: Int) -> Text? {
        var end = self
        while end.distance(from: self) < limit {
            let marks = end.marks(0) { $0 .== SIMD16<Int8>(repeating: 0x7d) .| $0 .== SIMD16<Int8>(repeating: 0x0a) }
            end.advance(marks == 0 ? 16 : marks.trailingZeroBitCount)
            if marks != 0 { break }
        }
        return end.consume(UInt8(ascii: "}")) ? text(to: end) : nil
    }

    /// Consumes a text that ends with the quote before a cursor and is known to stand for itself.
    @inline(__always) mutating func plainText(to end: LineCursor) -> Text {
        assert(end.distance(from: self) > 0, "the quote stands before the cursor")
        let text = Text(self, count: end.distance(from: self) - 1, isPlain: true)
        self = end
        return text
    }

    // What is rare is done by functions that take a cursor and return one, so that the pointer itself stays in a register.

    /// Goes on with a text that is not plain ASCII.
    @inline(never) private func rareText(from start: LineCursor) -> (Text, LineCursor)? {
        var cursor = self
        var isPlain = true
        while true {
            let marks = cursor.specialBytes
            if marks == 0 {
                cursor.advance(16)
                continue
            }
            cursor.advance(marks.trailingZeroBitCount)
            switch cursor.byte {
            case UInt8(ascii: "\""):
                let text = Text(start, count: cursor.distance(from: start), isPlain: isPlain)
                cursor.advance(1)
                return (text, cursor)
            case UInt8(ascii: "\\"):
                isPlain = false
                guard cursor.skipEscape() else { return nil }
            case 0x80...:
                guard cursor.skipScalar() else { return nil }
            default: return nil
            }
        }
    }

    /// Marks those of the next 16 bytes that are a quote, a backslash, a control character or not ASCII.
    @inline(__always) private var specialBytes: UInt64 { marks(0) { $0 .== SIMD16<Int8>(repeating: 0x22) .| Self.areOthers($0) } }

    /// Consumes an escape; not one of a surrogate, which only counts as one of a pair.
    private mutating func skipEscape() -> Bool {
        switch UInt8(truncatingIfNeeded: word(0) >> 8) {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
            UInt8(ascii: "r"), UInt8(ascii: "t"):
            advance(2)
            return true
        case UInt8(ascii: "u"):
            var value = 0
            for index in 2..<6 {
                guard let digit = Self.hexadecimal(UInt8(truncatingIfNeeded: word(0) >> (8 * UInt64(index)))) else { return false }
                value = value << 4 | digit
            }
            advance(6)
            return !(0xd800...0xdfff).contains(value)
        default: return false
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> Int? {
        switch byte {
        case 48...57: Int(byte) - 48
        case 65...70: Int(byte) - 55
        case 97...102: Int(byte) - 87
        default: nil
        }
    }

    /// Consumes the bytes of a scalar beyond ASCII; false where they are not well formed.
    ///
    /// Source: *The Unicode Standard*, table 3-7.
    private mutating func skipScalar() -> Bool {
        let word = word(0)
        let (first, second) = (UInt8(truncatingIfNeeded: word), UInt8(truncatingIfNeeded: word >> 8))
        let (count, seconds): (Int, ClosedRange<UInt8>)
        switch first {
        case 0xc2...0xdf: (count, seconds) = (2, 0x80...0xbf)
        case 0xe0: (count, seconds) = (3, 0xa0...0xbf)
        case 0xed: (count, seconds) = (3, 0x80...0x9f)
        case 0xe1...0xef: (count, seconds) = (3, 0x80...0xbf)
        case 0xf0: (count, seconds) = (4, 0x90...0xbf)
        case 0xf1...0xf3: (count, seconds) = (4, 0x80...0xbf)
        case 0xf4: (count, seconds) = (4, 0x80...0x8f)
        default: return false
        }
        guard seconds.contains(second) else { return false }
        for index in 2..<4 where index < count {
            guard UInt8(truncatingIfNeeded: word >> (8 * UInt64(index))) & 0xc0 == 0x80 else { return false }
        }
        advance(count)
        return true
    }
}

extension LineCursor.Text {
    /// No text; eight bytes are there to be looked at.
    static var none: LineCursor.Text { LineCursor.Text(LineCursor(LineCursor.Text("        ")), count: 0, isPlain: true) }

    /// Eight bytes of the text.
    @inline(__always) func word(at index: Int) -> UInt64 { LineCursor(self).word(index) }

    /// Eight bytes of the text, or as many as there are from an index on, filled up with zeros.
    @inline(__always) func lastWord(at index: Int) -> UInt64 {
        word(at: index) & .max >> UInt64(truncatingIfNeeded: 8 &* max(0, 8 &- (count &- index)))
    }

    /// What follows on the first eight bytes; of no use where there are no more than sixteen.
    @inline(__always) var tail: LineCursor.Text { LineCursor.Text(LineCursor(self).at(8), count: count &- 8, isPlain: isPlain) }

    /// The first eight bytes and the last eight, which are all of them, filled up with zeros, where there are fewer.
    @inline(__always) var ends: (first: UInt64, last: UInt64) {
        // What follows in the block is masked out. No branch: names of seven bytes and of nine come in turn.
        let mask = count < 8 ? ~(UInt64.max &<< UInt64(truncatingIfNeeded: 8 &* count)) : .max
        return (word(at: 0) & mask, word(at: max(0, count &- 8)) & mask)
    }

    /// Whether the text comes before another in the order of their bytes.
    func precedes(_ other: LineCursor.Text) -> Bool {
        let shared = min(count, other.count)
        var index = 0
        while index < shared {
            // What is behind either text is shifted out.
            let surplus = UInt64(8 * max(0, 8 - (shared - index)))
            let (mine, theirs) = (word(at: index).byteSwapped >> surplus, other.word(at: index).byteSwapped >> surplus)
            if mine != theirs { return mine < theirs }
            index += 8
        }
        return count < other.count
    }
}

// Identifiers of texts that are valid UTF-8, as all are that a cursor takes.

extension DeviceID {
    init(_ text: LineCursor.Text, in arena: inout IdentifierArena) { self.init(unsafe Span(_unsafeElements: text.bytes), in: &arena) }
}

extension RecordType {
    init(_ text: LineCursor.Text, in arena: inout IdentifierArena) { self.init(unsafe Span(_unsafeElements: text.bytes), in: &arena) }
}

extension RecordID {
    init(_ text: LineCursor.Text, in arena: inout IdentifierArena) { self.init(unsafe Span(_unsafeElements: text.bytes), in: &arena) }
}

extension FieldName {
    init(_ text: LineCursor.Text) { self.init(unsafe Span(_unsafeElements: text.bytes)) }
}
