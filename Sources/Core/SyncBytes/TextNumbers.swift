/// Numbers texts in the order of their first coming, so that each of many that come again is kept and looked at once.
///
/// ```swift
/// var texts = TextNumbers()
/// let number = texts.number(of: "plan")  // 0
/// print(texts.text(number))  // plan
/// ```
///
/// - Complexity: O(1) expected, and O(*n*) in the bytes of a text. A text of up to 16 bytes takes 24, a longer one its bytes and 24. A
///   value; its owner guards it.
package struct TextNumbers: Sendable {
    private struct Entry: BitwiseCopyable {
        /// The first eight bytes, padded with zeros, the first byte lowest.
        let first: UInt64
        /// The last eight bytes of a text of 9 to 16; of a longer one the offset of its bytes.
        let rest: UInt64
        let count: Int
    }

    private var entries: [Entry] = []
    private var index = HashIndex()
    /// The bytes of texts of more than 16.
    private var long: [UInt8] = []
    private let key = HashKey()

    /// How many bytes an entry holds itself.
    private static let short = 16

    /// No texts.
    package init() {}

    /// How many texts there are.
    package var count: Int { entries.count }

    /// The number of a text; nil where it has not come yet.
    package func known(_ bytes: Span<UInt8>) -> Int? { find(bytes, Self.entry(bytes), hash(bytes)) }

    /// The number of a text, a new one where it is new.
    package mutating func number(of bytes: Span<UInt8>) -> Int {
        let (entry, hash) = (Self.entry(bytes), hash(bytes))
        return find(bytes, entry, hash) ?? add(bytes, entry, hash)
    }

    /// The number of a text, a new one where it is new.
    package mutating func number(of text: String) -> Int {
        var text = text
        return text.withUTF8 { unsafe number(of: Span(_unsafeElements: $0)) }
    }

    /// The text with a number.
    package func text(_ number: Int) -> String {
        withBytes(number) { unsafe $0.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) } }
    }

    /// Lets a closure look at the bytes of the text with a number.
    package func withBytes<Result>(_ number: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        let entry = entries[number]
        guard entry.count <= Self.short else {
            let start = Int(truncatingIfNeeded: entry.rest)
            return body(long.span.extracting(start..<start + entry.count))
        }
        // The last eight bytes overlap the first where there are fewer than sixteen.
        let rest = entry.count > 8 ? entry.rest >> UInt64(8 * (Self.short - entry.count)) : 0
        return unsafe withUnsafeBytes(of: (entry.first.littleEndian, rest.littleEndian)) { words in
            unsafe body(Span(_unsafeBytes: UnsafeRawBufferPointer(rebasing: words[..<entry.count])))
        }
    }

    /// How many bytes two texts have in common at their beginning and, of the rest, at their end, and how many the shorter one has.
    package func commonEnds(_ one: Int, _ other: Int) -> (kept: Int, shorter: Int) {
        let kept = withBytes(one) { one in
            withBytes(other) { other in
                var start = 0
                // Long texts that were written on are alike in most of their bytes.
                while start + 8 <= min(one.count, other.count), one.word(at: start) == other.word(at: start) { start += 8 }
                let (ending, otherEnding) = (one.extracting(start...), other.extracting(start...))
                return start + endsInCommon(ending.count, otherEnding.count) { ending[$0] == otherEnding[$1] }
            }
        }
        return (kept, min(entries[one].count, entries[other].count))
    }

    /// What is compared of a text; of a long one without the offset of its bytes.
    @inline(__always) private static func entry(_ bytes: Span<UInt8>) -> Entry {
        let count = bytes.count
        let first = count < 8 ? bytes.word(at: 0, count: count) : bytes.word(at: 0)
        return Entry(first: first, rest: count > 8 && count <= short ? bytes.word(at: count - 8) : 0, count: count)
    }

    @inline(__always) private func hash(_ bytes: Span<UInt8>) -> UInt64 { key.mix(bytes, into: key.start(count: 0)) }

    @inline(__always) private func find(_ bytes: Span<UInt8>, _ entry: Entry, _ hash: UInt64) -> Int? {
        index.find(hash) { number in
            let known = entries[number]
            guard known.first == entry.first, known.count == entry.count else { return false }
            if entry.count <= Self.short { return known.rest == entry.rest }
            let start = Int(truncatingIfNeeded: known.rest)
            return long.span.holdsSame(in: start..<start + known.count, as: bytes, in: 0..<known.count)
        }
    }

    @inline(never) private mutating func add(_ bytes: Span<UInt8>, _ entry: Entry, _ hash: UInt64) -> Int {
        var rest = entry.rest
        if entry.count > Self.short {
            rest = UInt64(long.count)
            bytes.append(0..<bytes.count, to: &long)
        }
        entries.append(Entry(first: entry.first, rest: rest, count: entry.count))
        index.insert(entries.count - 1, hash: hash)
        return entries.count - 1
    }
}

/// How many elements two lists have in common at their beginning and, of the rest, at their end.
///
/// - Parameter areSame: Whether an element of one is the same as one of the other.
@inlinable package func endsInCommon(_ count: Int, _ other: Int, _ areSame: (Int, Int) -> Bool) -> Int {
    let shorter = min(count, other)
    var start = 0
    while start < shorter, areSame(start, start) { start += 1 }
    var end = 0
    while end < shorter - start, areSame(count - 1 - end, other - 1 - end) { end += 1 }
    return start + end
}
