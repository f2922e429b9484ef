// The one file with unsafe code on the way from an event to its line: the room for a whole item is checked once, then bytes are stored through
// a pointer. `LineBufferTests` holds it against a plain twin.

/// A growing buffer of UTF-8 bytes that lines of JSON are appended to.
///
/// Appending allocates only where the buffer has to grow, to at least twice its size.
@safe
public struct LineBuffer: ~Copyable, @unchecked Sendable {
    // Sound: the memory belongs to this value alone, which cannot be copied. Invariant: `0 <= count <= capacity`, and the first `count`
    // bytes at `base` are initialized.
    private var base: UnsafeMutablePointer<UInt8>
    private var capacity: Int

    /// The bytes held.
    public private(set) var count = 0

    /// An empty buffer with room for so many bytes, at least one.
    public init(capacity: Int = 512) {
        self.capacity = max(capacity, 1)
        unsafe base = .allocate(capacity: self.capacity)
    }

    deinit {
        unsafe base.deallocate()
    }

    /// Whether it holds nothing.
    public var isEmpty: Bool { count == 0 }

    /// Appends a byte.
    package mutating func append(_ byte: UInt8) {
        reserve(1)
        unsafe base[count] = byte
        count += 1
    }

    /// Appends the bytes of a literal as they are.
    package mutating func append(_ text: StaticString) {
        precondition(text.hasPointerRepresentation, "a literal of more than one character")
        let length = text.utf8CodeUnitCount
        reserve(length)
        unsafe ShortCopy.copy(text.utf8Start, to: base + count, count: length)
        count += length
    }

    /// Appends the bytes of a text as they are.
    package mutating func append(verbatim text: String) {
        if unsafe text.utf8.withContiguousStorageIfAvailable({ unsafe append($0) }) == nil { append(verbatim: text.contiguous) }
    }

    /// Appends bytes.
    package mutating func append(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append($0) }
    }

    /// Appends what another buffer holds.
    package mutating func append(_ other: borrowing LineBuffer) {
        unsafe append(UnsafeBufferPointer(start: other.base, count: other.count))
    }

    /// Appends bytes that it holds once more.
    package mutating func append(again range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "a range within what the buffer holds")
        reserve(range.count)
        unsafe (base + count).update(from: base + range.lowerBound, count: range.count)
        count += range.count
    }

    /// Appends a text in quotes, or its beginning: up to the first character that JSON escapes or that is not ASCII.
    ///
    /// The closing quote comes
    /// only after the whole text.
    ///
    /// - Returns: The number of bytes of the text that were appended.
    package mutating func appendQuotedPlain(_ text: String) -> Int {
        if let copied = unsafe text.utf8.withContiguousStorageIfAvailable({ unsafe appendQuotedPlain($0) }) { return copied }
        return appendQuotedPlain(text.contiguous)
    }

    @inline(__always)
    private mutating func appendQuotedPlain(_ utf8: UnsafeBufferPointer<UInt8>) -> Int {
        reserve(utf8.count + 2)
        unsafe base[count] = UInt8(ascii: "\"")
        let copied = unsafe PlainText.copy(utf8, to: UnsafeMutableRawPointer(base + count + 1))
        count += 1 + copied
        if copied == utf8.count {
            unsafe base[count] = UInt8(ascii: "\"")
            count += 1
        }
        return copied
    }

    /// Appends a literal as a key: the comma before it, quotes and the colon after it.
    ///
    /// The literal is taken as it is, without escapes.
    package mutating func append(key: StaticString, isFirst: Bool) {
        precondition(key.hasPointerRepresentation, "a literal of more than one character")
        let length = key.utf8CodeUnitCount
        reserve(length + 4)
        unsafe base[count] = UInt8(ascii: ",")
        if !isFirst { count += 1 }
        unsafe base[count] = UInt8(ascii: "\"")
        unsafe ShortCopy.copy(key.utf8Start, to: base + count + 1, count: length)
        count += length + 3
        unsafe base[count - 2] = UInt8(ascii: "\"")
        unsafe base[count - 1] = UInt8(ascii: ":")
    }

    /// Appends a whole number in decimal digits.
    package mutating func append(decimal magnitude: UInt64, isNegative: Bool = false) {
        reserve(21)
        if isNegative {
            unsafe base[count] = UInt8(ascii: "-")
            count += 1
        }
        var digits = 1
        var limit: UInt64 = 10
        // 10^20 does not fit; with 20 digits counted the loop is over.
        while digits < 20, magnitude >= limit {
            digits += 1
            limit = limit &* 10
        }
        var rest = magnitude
        for index in stride(from: count + digits - 1, through: count, by: -1) {
            unsafe base[index] = UInt8(truncatingIfNeeded: rest % 10) &+ 0x30
            rest /= 10
        }
        count += digits
    }

    /// Appends the last digits of a number, with zeros before it.
    package mutating func append(hexadecimal number: UInt64, digits: Int) {
        precondition((0...16).contains(digits), "a number has 16 hexadecimal digits")
        reserve(digits)
        var rest = number
        for index in stride(from: count + digits - 1, through: count, by: -1) {
            let digit = UInt8(truncatingIfNeeded: rest & 0xf)
            unsafe base[index] = digit &+ (digit < 10 ? 0x30 : 0x57)
            rest >>= 4
        }
        count += digits
    }

    /// Appends a moment as RFC 3339 writes it, such as `2026-01-15T14:00:00.000Z`.
    ///
    /// - Precondition: The date is one of the years 0 to 9999, and the time of day in milliseconds is shorter than a day.
    package mutating func append(year: Int, month: Int, dayOfMonth: Int, millisecondsOfDay: Int) {
        precondition((0...9999).contains(year) && (0..<100).contains(month) && (0..<100).contains(dayOfMonth), "a date of four-digit years")
        precondition((0..<86_400_000).contains(millisecondsOfDay), "a time of day")
        reserve(24)
        // Unsigned numbers of 32 bits divide faster.
        let (year, time) = (UInt32(year), UInt32(millisecondsOfDay))
        let (seconds, minutes) = (time / 1000, time / 60_000)
        unsafe putTwoDigits(year / 100, at: 0)
        unsafe putTwoDigits(year % 100, at: 2, then: UInt8(ascii: "-"))
        unsafe putTwoDigits(UInt32(month), at: 5, then: UInt8(ascii: "-"))
        unsafe putTwoDigits(UInt32(dayOfMonth), at: 8, then: UInt8(ascii: "T"))
        unsafe putTwoDigits(minutes / 60, at: 11, then: UInt8(ascii: ":"))
        unsafe putTwoDigits(minutes % 60, at: 14, then: UInt8(ascii: ":"))
        unsafe putTwoDigits(seconds % 60, at: 17, then: UInt8(ascii: "."))
        unsafe putTwoDigits(time % 1000 / 10, at: 20)
        unsafe base[count + 22] = UInt8(truncatingIfNeeded: 0x30 + time % 10)
        unsafe base[count + 23] = UInt8(ascii: "Z")
        count += 24
    }

    /// Stores two digits, and a byte behind them, where room is known to be.
    @unsafe @inline(__always)
    private func putTwoDigits(_ value: UInt32, at offset: Int, then separator: UInt8? = nil) {
        unsafe base[count + offset] = UInt8(truncatingIfNeeded: 0x30 + value / 10)
        unsafe base[count + offset + 1] = UInt8(truncatingIfNeeded: 0x30 + value % 10)
        if let separator { unsafe base[count + offset + 2] = separator }
    }

    /// Drops all but the first bytes.
    ///
    /// The room stays.
    public mutating func truncate(to length: Int) {
        precondition((0...count).contains(length), "a buffer is cut within what it holds")
        count = length
    }

    /// Lets a closure look at the bytes from one index to another.
    public borrowing func withBytes<Result, Failure: Error>(
        _ range: Range<Int>? = nil, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let range = range ?? 0..<count
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "a range within what the buffer holds")
        return try unsafe body(UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count))
    }

    /// A copy of the bytes.
    public var array: [UInt8] { unsafe withBytes { unsafe Array($0) } }

    private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress else { return }
        reserve(bytes.count)
        unsafe (base + count).update(from: source, count: bytes.count)
        count += bytes.count
    }

    @inline(__always)
    private mutating func reserve(_ additional: Int) {
        if capacity - count < additional { grow(by: additional) }
    }

    @inline(never)
    private mutating func grow(by additional: Int) {
        let larger = max(count + additional, capacity * 2)
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        unsafe bytes.update(from: base, count: count)
        unsafe base.deallocate()
        unsafe base = bytes
        capacity = larger
    }
}

extension String {
    /// A copy with its bytes in one piece, as every text has them that is not bridged from Objective-C.
    fileprivate var contiguous: String {
        var copy = self
        copy.makeContiguousUTF8()
        return copy
    }
}

/// Copies of a few bytes, without the call that `memcpy` costs: eight at a time, the last ones together with some of those before.
private enum ShortCopy {
    @unsafe @inline(__always)
    static func copy(_ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, count: Int) {
        let from = unsafe UnsafeRawPointer(source)
        let to = UnsafeMutableRawPointer(target)
        if count < 8 {
            if count >= 4 {
                let (head, tail) = unsafe (
                    from.loadUnaligned(as: UInt32.self), from.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
                )
                unsafe to.storeBytes(of: head, as: UInt32.self)
                unsafe to.storeBytes(of: tail, toByteOffset: count - 4, as: UInt32.self)
            } else {
                for index in 0..<count { unsafe target[index] = source[index] }
            }
            return
        }
        var done = 0
        while done + 8 < count {
            unsafe to.storeBytes(of: from.loadUnaligned(fromByteOffset: done, as: UInt64.self), toByteOffset: done, as: UInt64.self)
            done += 8
        }
        unsafe to.storeBytes(of: from.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self), toByteOffset: count - 8, as: UInt64.self)
    }
}

/// Text that stands in JSON and on a terminal as it is: printable ASCII without quotes and backslashes.
private enum PlainText {
    /// Copies bytes as far as they are plain; eight at a time, the last ones together with some of those before.
    ///
    /// The target must have room for all of them.
    ///
    /// - Returns: The number of bytes copied.
    @inline(__always)
    static func copy(_ utf8: UnsafeBufferPointer<UInt8>, to target: UnsafeMutableRawPointer) -> Int {
        let count = utf8.count
        guard let source = unsafe UnsafeRawPointer(utf8.baseAddress) else { return 0 }
        var done = 0
        while done + 8 <= count {
            let word = unsafe source.loadUnaligned(fromByteOffset: done, as: UInt64.self)
            guard isPlain(word) else { return unsafe copyBytes(from: source, to: target, done, count) }
            unsafe target.storeBytes(of: word, toByteOffset: done, as: UInt64.self)
            done += 8
        }
        if done == count { return count }
        if count >= 8 {
            let word = unsafe source.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
            guard isPlain(word) else { return unsafe copyBytes(from: source, to: target, done, count) }
            unsafe target.storeBytes(of: word, toByteOffset: count - 8, as: UInt64.self)
            return count
        }
        if count >= 4 {
            let head = unsafe source.loadUnaligned(as: UInt32.self)
            let tail = unsafe source.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
            guard isPlain(UInt64(head) | UInt64(tail) << 32) else { return unsafe copyBytes(from: source, to: target, done, count) }
            unsafe target.storeBytes(of: head, as: UInt32.self)
            unsafe target.storeBytes(of: tail, toByteOffset: count - 4, as: UInt32.self)
            return count
        }
        return unsafe copyBytes(from: source, to: target, done, count)
    }

    /// Goes on from byte `start`, one byte at a time.
    private static func copyBytes(from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _ start: Int, _ count: Int) -> Int {
        var done = start
        while done < count {
            let byte = unsafe source.load(fromByteOffset: done, as: UInt8.self)
            guard byte >= 0x20, byte < 0x7f, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else { break }
            unsafe target.storeBytes(of: byte, toByteOffset: done, as: UInt8.self)
            done += 1
        }
        return done
    }

    /// Whether all eight bytes of a word are plain.
    ///
    /// Source: Sean Anderson, *Bit Twiddling Hacks*, "Determine if a word has a zero byte" and "… a byte less than n". A borrow or a carry
    /// between bytes can only come from a byte that is found anyway.
    @inline(__always)
    private static func isPlain(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
        let backslashes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
        let found = word | (word &- ones &* 0x20) | (word &+ ones) | (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
        return found & (ones &* 0x80) == 0
    }
}
