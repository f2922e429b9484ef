import SyncLines
import SyncModel

/// A place in a block of lines, and steps from it: the one part of the reader that looks at memory without asking whether it is there.
///
/// Sound where these hold, which ``LineBlock`` sees to: a line break stands at the place or behind it, and at least ``padding`` bytes of the same
/// memory follow that line break. No step passes a line break, because none takes one for part of a token, and none looks further than
/// ``padding`` bytes ahead of where it stands.
@safe struct LineCursor {
    /// How many bytes beyond the last line break may be looked at.
    static let padding = 192

    private(set) var place: UnsafePointer<UInt8>

    init(_ place: UnsafePointer<UInt8>) {
        unsafe self.place = unsafe place
    }

    /// The place where a text begins.
    @inline(__always) init(_ text: Text) {
        unsafe place = text.start
    }

    // MARK: Looking

    @inline(__always) var byte: UInt8 { unsafe place.pointee }

    @inline(__always) func word(_ offset: Int) -> UInt64 {
        unsafe UInt64(littleEndian: UnsafeRawPointer(place).loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// Several words at once.
    @inline(__always) func vector<Words: SIMD & BitwiseCopyable>(_ offset: Int, _ type: Words.Type) -> Words where Words.Scalar == UInt64 {
        unsafe UnsafeRawPointer(place).loadUnaligned(fromByteOffset: offset, as: type)
    }

    /// Whether a literal of up to 16 bytes stands here.
    @inline(__always) func isAt(_ literal: Literal) -> Bool {
        (word(0) ^ literal.low) & literal.lowMask | (word(8) ^ literal.high) & literal.highMask == 0
    }

    /// How many bytes lie between a place before and this one.
    @inline(__always) func distance(from start: LineCursor) -> Int { unsafe place - start.place }

    // MARK: Going on

    @inline(__always) mutating func advance(_ count: Int) {
        unsafe place += count
    }

    /// Goes where a function has ended; false where it has not found what it should.
    @inline(__always) mutating func goTo(_ end: LineCursor?) -> Bool {
        guard let end else { return false }
        self = end
        return true
    }

    @inline(__always) static func == (left: LineCursor, right: LineCursor) -> Bool { unsafe left.place == right.place }

    /// What stands before a member of an object, or behind its last.
    enum Separator {
        /// What opens the object or a comma, and the quote that opens the next key.
        case comma
        /// The end of the object.
        case end
        /// Neither.
        case none
    }

    /// Takes what opens an object, and the quote that opens its first key or the end of an object without members.
    @inline(__always) mutating func opening() -> Separator {
        guard take(UInt8(ascii: "{")) else { return .none }
        skipSpace()
        return take(UInt8(ascii: "\"")) ? .comma : take(UInt8(ascii: "}")) ? .end : .none
    }

    /// Takes what follows a member of an object.
    @inline(__always) mutating func separator() -> Separator {
        if unsafe UnsafeRawPointer(place).loadUnaligned(as: UInt16.self) == UInt16(littleEndian: 0x222c) {
            advance(2)
            return .comma
        }
        skipSpace()
        if take(UInt8(ascii: "}")) { return .end }
        guard take(UInt8(ascii: ",")) else { return .none }
        skipSpace()
        return take(UInt8(ascii: "\"")) ? .comma : .none
    }

    @inline(__always) private func half(_ offset: Int) -> UInt32 {
        unsafe UInt32(littleEndian: UnsafeRawPointer(place).loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    @inline(__always) private static func half(_ text: StaticString, _ offset: Int) -> UInt32 {
        unsafe UInt32(littleEndian: UnsafeRawPointer(text.utf8Start).loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    @inline(__always) private static func word(_ text: StaticString, _ offset: Int) -> UInt64 {
        unsafe UInt64(littleEndian: UnsafeRawPointer(text.utf8Start).loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// Takes a text of four bytes or more that is known when the program is built: it is compared by words that stand in the code.
    @inline(__always) mutating func take(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        // Words that may share some bytes.
        if count < 8 {
            guard half(0) == Self.half(text, 0), half(count - 4) == Self.half(text, count - 4) else { return false }
        } else {
            var (difference, offset) = (UInt64(0), 0)
            while offset < count {
                let place = min(offset, count - 8)
                difference |= word(place) ^ Self.word(text, place)
                offset += 8
            }
            guard difference == 0 else { return false }
        }
        advance(count)
        return true
    }

    @inline(__always) mutating func take(_ byte: UInt8) -> Bool {
        guard self.byte == byte else { return false }
        advance(1)
        return true
    }

    @inline(__always) mutating func take(_ literal: Literal) -> Bool {
        guard isAt(literal) else { return false }
        advance(literal.count)
        return true
    }

    /// Passes over white space within the line.
    @inline(__always) mutating func skipSpace() {
        while byte <= 0x20, byte == 0x20 || byte == 0x09 || byte == 0x0d { advance(1) }
    }

    /// Takes up to seven bytes, given with the first one lowest.
    @inline(__always) mutating func takeWord(_ bytes: UInt64, _ count: UInt64) -> Bool {
        guard word(0) & ((1 &<< (8 * count)) - 1) == bytes else { return false }
        advance(Int(count))
        return true
    }

    /// Takes a truth value.
    @inline(__always) mutating func truth() -> Bool? {
        takeWord(0x6575_7274, 4) ? true : takeWord(0x65_736c_6166, 5) ? false : nil
    }

    // MARK: Texts

    /// Some bytes of the block.
    @safe struct Text {
        let start: UnsafePointer<UInt8>
        let count: Int
        /// Whether the bytes stand for themselves, none of them escaped.
        let isPlain: Bool

        @inline(__always) func equals(_ other: Text) -> Bool {
            guard count == other.count else { return false }
            for index in 0..<count where unsafe start[index] != other.start[index] { return false }
            return true
        }

        /// A hash of the first and the last eight bytes; only of what stands in a block.
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

        func equals(_ other: StaticString) -> Bool {
            unsafe Text(start: other.utf8Start, count: other.utf8CodeUnitCount, isPlain: true).equals(self)
        }
    }

    /// Takes what stands between here and the closing quote, and the quote; nil where it is no valid text or has escapes that are rare.
    @inline(__always) mutating func text() -> Text? {
        let start = unsafe place
        while true {
            let marks = specialBytes
            if marks != 0 {
                advance(marks.trailingZeroBitCount)
                break
            }
            advance(16)
        }
        if byte == UInt8(ascii: "\"") {
            let count = unsafe place - start
            advance(1)
            return unsafe Text(start: start, count: count, isPlain: true)
        }
        guard let (text, end) = unsafe rareText(from: start) else { return nil }
        self = end
        return text
    }

    /// The bytes from here to a place behind.
    @inline(__always) func text(to end: LineCursor) -> Text {
        unsafe Text(start: place, count: end.distance(from: self), isPlain: false)
    }

    /// The text of the object that begins here, up to its first closing brace; nil where none comes in so many bytes or before the line break.
    func shortObject(within limit: Int) -> Text? {
        var end = self
        while end.distance(from: self) < limit {
            let marks = end.marks(0) { $0 .== SIMD16<Int8>(repeating: 0x7d) .| $0 .== SIMD16<Int8>(repeating: 0x0a) }
            end.advance(marks == 0 ? 16 : marks.trailingZeroBitCount)
            if marks != 0 { break }
        }
        return end.take(UInt8(ascii: "}")) ? text(to: end) : nil
    }

    /// Takes a text that ends with the quote before a place and is known to stand for itself.
    @inline(__always) mutating func plainText(to end: LineCursor) -> Text {
        assert(end.distance(from: self) > 0, "the quote stands before the place")
        let text = unsafe Text(start: place, count: end.distance(from: self) - 1, isPlain: true)
        self = end
        return text
    }

    // What is rare is done by functions that take a place and return one, so that the place itself stays in a register.

    /// Goes on with a text that is not plain ASCII.
    @inline(never) private func rareText(from start: UnsafePointer<UInt8>) -> (Text, LineCursor)? {
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
                let count = unsafe cursor.place - start
                cursor.advance(1)
                return (unsafe Text(start: start, count: count, isPlain: isPlain), cursor)
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

    /// Takes an escape; not one of a surrogate, which only counts as one of a pair.
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

    /// Takes the bytes of a scalar beyond ASCII; false where they are not well formed.
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

    // MARK: Numbers and moments

    /// Takes the digits of a whole number, at most 18; nil where there are none.
    ///
    /// Where a fraction or an exponent follows, it is another kind of number, and what should follow a member does not: that is left to whoever
    /// looks for it.
    @inline(__always) mutating func wholeNumber() -> Int64? {
        let first = word(0)
        let count = Self.leadingDigits(first)
        if count == 8 { return longNumber() }
        guard count > 0, count == 1 || first & 0xff != 0x30 else { return nil }
        advance(count)
        return Int64(Self.number(first, count))
    }

    /// Passes over the digits of a whole number, as ``wholeNumber()`` takes them, of a range that goes from 0 or 1 to 99,999,999 or further.
    @inline(__always) mutating func skipWholeNumber(from least: Int64 = 0, to most: Int64 = .max) -> Bool {
        let first = word(0)
        let count = Self.leadingDigits(first)
        if count == 8 { return longNumber().map { $0 <= most } ?? false }
        guard count > 0, first & 0xff != 0x30 || count == 1 && least == 0 else { return false }
        advance(count)
        return true
    }

    /// Takes a whole number of eight digits or more.
    private mutating func longNumber() -> Int64? {
        guard byte != UInt8(ascii: "0") else { return nil }
        var (value, room) = (UInt64(0), 18)
        while true {
            let digits = word(0)
            let count = Self.leadingDigits(digits)
            guard count <= room else { return nil }
            if count == 0 { break }
            room -= count
            for _ in 0..<count { value &*= 10 }
            value &+= Self.number(digits, count)
            advance(count)
            if count < 8 { break }
        }
        return Int64(value)
    }

    /// How many of a word's bytes are digits, from the first on.
    @inline(__always) private static func leadingDigits(_ word: UInt64) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let digits = word ^ (0x30 * ones)
        // The highest bit of each byte that is above 9: set there before, or by adding 118.
        let others = ((digits & (0x7f * ones)) &+ (0x76 * ones) | digits) & (0x80 * ones)
        return others.trailingZeroBitCount / 8
    }

    /// The number that a word's first 1 to 8 bytes stand for, all of them digits.
    @inline(__always) private static func number(_ word: UInt64, _ count: Int) -> UInt64 {
        // Zeros come to stand before the digits.
        let digits = (word & 0x0f0f_0f0f_0f0f_0f0f) &<< UInt64(64 - 8 * count)
        let pairs = (digits &* 10 &+ digits >> 8) & 0x00ff_00ff_00ff_00ff
        let fours = (pairs &* 100 &+ pairs >> 16) & 0x0000_ffff_0000_ffff
        return (fours &* 10_000 &+ fours >> 32) & 0xffff_ffff
    }

    /// Takes a whole number that may be negative.
    mutating func signedNumber() -> Int64? {
        guard take(UInt8(ascii: "-")) else { return wholeNumber() }
        return wholeNumber().map { -$0 }
    }

    /// Passes over a number without an exponent, short enough to lie in the range of a `Double`.
    private mutating func skipNumber() -> Bool {
        let start = unsafe place
        if byte == UInt8(ascii: "-") { advance(1) }
        let isZero = byte == UInt8(ascii: "0")
        let whole = skipDigits()
        guard whole > 0, whole == 1 || !isZero else { return false }
        if byte == UInt8(ascii: ".") {
            advance(1)
            guard skipDigits() > 0 else { return false }
        }
        let count = unsafe place - start
        return byte | 0x20 != UInt8(ascii: "e") && count <= 300
    }

    private mutating func skipDigits() -> Int {
        let start = unsafe place
        while true {
            let count = Self.leadingDigits(word(0))
            advance(count)
            if count < 8 { return unsafe place - start }
        }
    }

    /// The dates of moments taken before, each where its digits say.
    struct Days: Sendable {
        /// A date, and when it began.
        fileprivate struct Day {
            var low: UInt64 = 0
            // No three bytes are that.
            var high = UInt64.max
            var milliseconds: Int64 = 0
        }

        fileprivate var days = [Day](repeating: Day(), count: 64)
    }

    /// Takes a moment with its closing quote, in the form that our writer gives it; nil where it has another.
    ///
    /// - Parameter days: The dates that have come up, most often that of this moment too.
    @inline(__always) mutating func moment(_ days: inout Days) -> Int64? {
        let (time, fraction) = (word(11), word(19))
        let timeDigits = time & 0x0f0f_000f_0f00_0f0f
        let fractionDigits = fraction & 0x0f0f_0f00
        guard time & 0xf0f0_fff0_f0ff_f0f0 == 0x3030_3a30_303a_3030, fraction & 0xffff_f0f0_f0ff == 0x225a_3030_302e,
            (timeDigits &+ 0x0606_0006_0600_0606) & 0x1010_0010_1000_1010 == 0, (fractionDigits &+ 0x0606_0600) & 0x1010_1000 == 0
        else { return nil }
        // Hour, minute and second in the bytes 0, 3 and 6; the highest bit of one says that it is too large.
        let parts = timeDigits &* 10 &+ timeDigits >> 8
        guard (parts & 0x00ff_0000_ff00_00ff &+ 0x0044_0000_4400_0068) & 0x0080_0000_8000_0080 == 0 else { return nil }
        // The product has the minutes of the hours, plus the minutes, in its uppermost bytes.
        let minutes = ((parts & 0xff00_00ff) &* (60 << 48 | 1 << 24)) >> 48
        let milliseconds = (fraction >> 8 & 15) &* 100 &+ (fraction >> 16 & 15) &* 10 &+ (fraction >> 24 & 15)
        let timeOfDay = Int64(truncatingIfNeeded: minutes &* 60_000 &+ (parts >> 48 & 0xff) &* 1000 &+ milliseconds)
        let (low, high) = (word(0), word(8) & 0xff_ffff)
        // The last two digits of the year, the month and the day.
        let index = Int(truncatingIfNeeded: (word(2) &* 0x9e37_79b9_7f4a_7c15) >> 58)
        let day = days.days.span[index]
        var midnight = day.milliseconds
        if low != day.low || high != day.high {
            guard high >> 16 == UInt64(UInt8(ascii: "T")), let number = RFC3339.day(unsafe Span(_unsafeStart: place, count: 10)) else {
                return nil
            }
            midnight = Int64(number) &* 86_400_000
            days.days[index] = Days.Day(low: low, high: high, milliseconds: midnight)
        }
        advance(25)
        return midnight &+ timeOfDay
    }

    /// Takes a whole number above 0.
    @inline(__always) mutating func positiveNumber() -> Int64? {
        guard let number = wholeNumber(), number > 0 else { return nil }
        return number
    }

    /// Takes 16 hexadecimal digits, letters small.
    @inline(__always) mutating func hexadecimal() -> UInt64? {
        guard let high = Self.eightDigits(word(0)), let low = Self.eightDigits(word(8)) else { return nil }
        advance(16)
        return high << 32 | low
    }

    @inline(__always) private static func eightDigits(_ word: UInt64) -> UInt64? {
        let ones: UInt64 = 0x0101_0101_0101_0101
        // 1 in each byte that is a letter: those have bit 6 set, and digits do not.
        let letters = word >> 6 & ones
        let upper = word & (0xf0 * ones)
        let low = word & (0x0f * ones)
        let carries = (low &+ 6 * ones &+ 3 * letters) & (0x10 * ones)
        // From `a` on, not from the character before it.
        let borrows = ~((low | 0x10 * ones) &- letters) & (0x10 * ones)
        guard upper == 0x30 * ones &+ 0x30 * letters, carries == 0, borrows == 0 else { return nil }
        let digits = low &+ 9 * letters
        let bytes = (digits << 4 | digits >> 8) & 0x00ff_00ff_00ff_00ff
        let pairs = (bytes | bytes >> 8) & 0x0000_ffff_0000_ffff
        return UInt64(UInt32(truncatingIfNeeded: pairs | pairs >> 16).byteSwapped)
    }

    // MARK: Values

    /// Passes over a value of any kind; false where it is none, or a rare one.
    ///
    /// Accepts nothing that `JSONParser` refuses.
    ///
    /// - Parameters:
    ///   - depth: How many arrays and objects are open around it.
    ///   - keys: The keys of those objects.
    @inline(__always) mutating func skipValue(depth: Int, _ keys: inout KeyStack) -> Bool {
        if byte == UInt8(ascii: "\"") {
            advance(1)
            return text() != nil
        }
        guard let end = afterValue(depth: depth, &keys) else { return false }
        self = end
        return true
    }

    /// Passes over an object, all of whose keys must be plain and different.
    @inline(__always) mutating func skipObject(depth: Int, _ keys: inout KeyStack) -> Bool {
        goTo(afterObject(depth: depth, &keys))
    }

    @inline(never) private func afterValue(depth: Int, _ keys: inout KeyStack) -> LineCursor? {
        var cursor = self
        switch byte {
        case UInt8(ascii: "{"): return afterObject(depth: depth, &keys)
        case UInt8(ascii: "["): return afterArray(depth: depth, &keys)
        case UInt8(ascii: "t"): return cursor.takeWord(0x6575_7274, 4) ? cursor : nil
        case UInt8(ascii: "f"): return cursor.takeWord(0x65_736c_6166, 5) ? cursor : nil
        case UInt8(ascii: "n"): return cursor.takeWord(0x6c6c_756e, 4) ? cursor : nil
        default: return cursor.skipNumber() ? cursor : nil
        }
    }

    private func afterArray(depth: Int, _ keys: inout KeyStack) -> LineCursor? {
        guard depth < JSONParser.maximumDepth else { return nil }
        var cursor = self
        cursor.advance(1)
        cursor.skipSpace()
        if cursor.take(UInt8(ascii: "]")) { return cursor }
        while true {
            cursor.skipSpace()
            guard cursor.skipValue(depth: depth + 1, &keys) else { return nil }
            cursor.skipSpace()
            if cursor.take(UInt8(ascii: "]")) { return cursor }
            guard cursor.take(UInt8(ascii: ",")) else { return nil }
        }
    }

    @inline(never) private func afterObject(depth: Int, _ keys: inout KeyStack) -> LineCursor? {
        guard depth < JSONParser.maximumDepth else { return nil }
        var cursor = self
        let mark = keys.count
        var separator = cursor.opening()
        while separator == .comma {
            guard let key = cursor.key(), keys.push(key, above: mark), cursor.skipValue(depth: depth + 1, &keys) else { return nil }
            separator = cursor.separator()
        }
        keys.pop(to: mark)
        return separator == .end ? cursor : nil
    }

    /// Takes a plain key behind its opening quote, with its colon, and the white space around that.
    @inline(__always) mutating func key() -> Text? {
        guard let key = text(), key.isPlain else { return nil }
        skipSpace()
        guard take(UInt8(ascii: ":")) else { return nil }
        skipSpace()
        return key
    }
}

/// The keys of the objects that are open, to find one that stands twice.
struct KeyStack {
    private static let capacity = 64

    /// Nil before there is a key.
    private var keys: Memory<LineCursor.Text>?
    private(set) var count = 0
    /// A bit for each key since the stack was cleared, by its tag: one whose bit is not set is new.
    private var bits: UInt64 = 0

    /// Adds a key; false where the same stands above a mark already, or there is no more room.
    @inline(__always) mutating func push(_ key: LineCursor.Text, above mark: Int) -> Bool {
        guard count < Self.capacity else { return false }
        let keys = keys ?? makeRoom()
        let bit = 1 &<< (key.tag >> 58)
        if bits & bit != 0 {
            for index in mark..<count where keys[index].equals(key) { return false }
        }
        bits |= bit
        keys[count] = key
        count += 1
        return true
    }

    @inline(never) private mutating func makeRoom() -> Memory<LineCursor.Text> {
        let memory = Memory(repeating: LineCursor.Text.none, count: Self.capacity)
        keys = memory
        return memory
    }

    mutating func pop(to mark: Int) { count = mark }

    mutating func clear() { (count, bits) = (0, 0) }
}
