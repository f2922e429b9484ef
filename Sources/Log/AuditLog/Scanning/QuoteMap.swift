/// Where the quotes of a line stand, a bit for each byte.
///
/// With it a member of an object is passed over without looking at what it is: how long its key and its value are follows from the
/// distances of quotes, and the next member can be begun with before this one is understood.
package struct QuoteMap {
    /// Lines of up to 8 KB are mapped.
    private static let capacity = 128
    private let words = Memory(repeating: 0 as UInt64, count: Self.capacity + 1)
    private var start: LineCursor?
    /// Where its line break is.
    private var end = 0
    /// Whether every text of the line stands for itself: all its bytes are ASCII, and none is a backslash or a control character.
    package private(set) var isPlain = true

    /// A map of no line.
    package init() {}

    /// Whether there is a line.
    var hasLine: Bool { start != nil }

    /// Forgets the line.
    package mutating func clear() { start = nil }

    /// Maps the rest of a line, which begins with a key, unless it is too long or has white space behind its colons.
    package mutating func read(_ rest: LineCursor) {
        start = nil
        isPlain = true
        var cursor = rest
        var isEscaped = false
        if rest.byte(rest.marks(of: 0x22).trailingZeroBitCount + 2) == 0x20 { return }
        for index in 0..<Self.capacity {
            var quotes = cursor.marks(of: 0x22)
            var breaks = cursor.marksOfOthers()
            if isEscaped || breaks != 0 {
                // Most often the first of the others is the line break.
                if isEscaped || cursor.byte(breaks.trailingZeroBitCount) != 0x0a {
                    isPlain = false
                    breaks = cursor.marks(of: 0x0a)
                    var escapes = cursor.marks(of: 0x5c)
                    if isEscaped {
                        quotes &= ~1
                        escapes &= ~1
                    }
                    isEscaped = false
                    while escapes != 0 {
                        // A quote behind a backslash closes nothing, and a backslash escapes nothing.
                        let next = (escapes ^ (escapes &- 1)) &+ 1
                        isEscaped = next == 0
                        quotes &= ~next
                        escapes &= (escapes &- 1) & ~next
                    }
                }
                if breaks != 0 {
                    // What is behind the line break is none of this line's.
                    words[index] = (quotes & (breaks ^ (breaks &- 1))).littleEndian
                    words[index + 1] = 0
                    end = 64 * index + breaks.trailingZeroBitCount
                    start = rest
                    return
                }
            }
            words[index] = quotes.littleEndian
            cursor.advance(64)
        }
    }

    /// A member of an object, by its distances from the first byte of its key.
    package struct Member: BitwiseCopyable {
        /// How many bytes the key has.
        package let key: Int
        /// Whether the value is in quotes.
        package let isText: Bool
        /// Where the value ends, with its closing quote.
        package let end: Int
        /// Where the next key begins; where the object ends, that is where its brace is.
        package let next: Int
        /// Whether it is the last of its object.
        package let isLast: Bool

        /// A member.
        @inline(__always) package init(key: Int, isText: Bool, end: Int, next: Int, isLast: Bool) {
            (self.key, self.isText, self.end, self.next, self.isLast) = (key, isText, end, next, isLast)
        }
    }

    /// The member whose key begins at a cursor, if its value is a text or a number and another member follows without white space, or the
    /// end of the object and behind that, if it is no text, another member of the object around it or the end of the line; nil otherwise,
    /// and for some that are long.
    ///
    /// Whether the key and the value are what they seem is left to whoever reads them.
    @inline(__always) package func member(_ cursor: LineCursor) -> Member? {
        guard let start else { return nil }
        // The quote that closes the key, then those that open and close a text, or the one that opens the next key.
        let quotes = words.bits(from: cursor.distance(from: start))
        let second = quotes & (quotes &- 1)
        let third = second & (second &- 1)
        guard third != 0 else { return lastNumber(cursor, quotes) }
        let key = quotes.trailingZeroBitCount
        let opening = second.trailingZeroBitCount
        let closing = third.trailingZeroBitCount
        let isText = opening == key + 2
        let next = isText ? closing + 3 : opening + 1
        if cursor.isSeparated(next) { return Member(key: key, isText: isText, end: next - 2, next: next, isLast: false) }
        // A brace stands where the comma would, or before it.
        let end = isText ? next - 2 : next - 3
        guard cursor.byte(end) == UInt8(ascii: "}"), isText || cursor.byte(end + 1) == UInt8(ascii: ",") else { return nil }
        return Member(key: key, isText: isText, end: end, next: end, isLast: true)
    }

    /// The member whose key is all that is left of the quotes: the last of the line, or of an object that is the last in it.
    private func lastNumber(_ cursor: LineCursor, _ quotes: UInt64) -> Member? {
        guard quotes != 0, quotes & (quotes &- 1) == 0, let start else { return nil }
        let key = quotes.trailingZeroBitCount
        var last = end - cursor.distance(from: start) - 1
        guard last > key, cursor.byte(last) == UInt8(ascii: "}") else { return nil }
        if cursor.byte(last - 1) == UInt8(ascii: "}") { last -= 1 }
        return Member(key: key, isText: false, end: last, next: last, isLast: true)
    }
}
