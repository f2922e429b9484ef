// The one file with unsafe code on the way from an event to its line: the room for a whole item is checked once, then bytes are stored
// through a pointer. `LineBufferTests` holds it against a plain twin.

/// A growing buffer of UTF-8 bytes that lines of JSON are appended to.
///
/// Appending allocates only where the buffer has to grow, to at least twice its size.
@safe
package struct LineBuffer: ~Copyable, @unchecked Sendable {
    // Sound: the memory belongs to this value alone, which cannot be copied. Invariant: `0 <= count <= capacity`, and the first `count`
    // bytes at `base` are initialized.
    private var base: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    /// Moments written one after the other mostly share their day.
    private var date = RFC3339.DateText(day: 0)

    /// Whether a key that comes next is not the first of its object; see `LineBuffer+JSON.swift`.
    var needsComma = false

    /// The bytes held.
    package private(set) var count = 0

    /// An empty buffer with room for `capacity` bytes, at least one.
    package init(capacity: Int = 512) {
        self.capacity = max(capacity, 1)
        unsafe base = .allocate(capacity: self.capacity)
    }

    deinit {
        unsafe base.deallocate()
    }

    /// Whether it holds nothing.
    package var isEmpty: Bool { count == 0 }

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

    /// Appends bytes.
    package mutating func append(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append($0) }
    }

    /// Appends what another buffer holds, from a byte on.
    package mutating func append(_ other: borrowing LineBuffer, from start: Int = 0) {
        precondition((0...other.count).contains(start), "a range within what the other holds")
        unsafe append(UnsafeBufferPointer(start: other.base + start, count: other.count - start))
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
    /// The closing quote comes only after the whole text.
    ///
    /// - Returns: The number of bytes of the text that were appended.
    package mutating func appendQuotedPlain(_ text: String) -> Int {
        if let copied = unsafe text.utf8.withContiguousStorageIfAvailable({ unsafe appendQuotedPlain($0) }) { return copied }
        var copy = text
        return copy.withUTF8 { unsafe appendQuotedPlain($0) }
    }

    /// Appends UTF-8 in quotes, or its beginning, as it appends a text.
    package mutating func appendQuotedPlain(_ utf8: Span<UInt8>) -> Int {
        unsafe utf8.withUnsafeBufferPointer { unsafe appendQuotedPlain($0) }
    }

    @unsafe @inline(__always)
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
    @inline(__always)
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
        // A sign and the digits of the largest number.
        reserve(21)
        if isNegative {
            unsafe base[count] = UInt8(ascii: "-")
            count += 1
        }
        count += Self.digits(of: magnitude)
        // From the last digit to the first, two at a time.
        var (rest, index) = (magnitude, count)
        while rest >= 10 {
            index -= 2
            unsafe putTwoDigits(UInt32(truncatingIfNeeded: rest % 100), at: index)
            rest /= 100
        }
        if rest > 0 || magnitude == 0 { unsafe base[index - 1] = UInt8(truncatingIfNeeded: rest) &+ 0x30 }
    }

    @inline(__always)
    private static func digits(of magnitude: UInt64) -> Int {
        var (rest, digits) = (magnitude, 1)
        while true {
            if rest < 10 { return digits }
            if rest < 100 { return digits + 1 }
            if rest < 1000 { return digits + 2 }
            if rest < 10_000 { return digits + 3 }
            rest /= 10_000
            digits += 4
        }
    }

    /// Appends the last digits of a number, with zeros before it.
    package mutating func append(hexadecimal number: UInt64, digits: Int) {
        precondition((0...16).contains(digits), "a number has 16 hexadecimal digits")
        // Room for all of them: those that are wanted are moved to the front, and the others mean nothing.
        reserve(16)
        let moved = number << UInt64(64 - 4 * digits)
        let place = unsafe UnsafeMutableRawPointer(base + count)
        unsafe place.storeBytes(of: Self.hexadecimal(UInt32(truncatingIfNeeded: moved >> 32)).bigEndian, as: UInt64.self)
        unsafe place.storeBytes(of: Self.hexadecimal(UInt32(truncatingIfNeeded: moved)).bigEndian, toByteOffset: 8, as: UInt64.self)
        count += digits
    }

    /// Eight digits, the last in the lowest byte.
    @inline(__always)
    private static func hexadecimal(_ number: UInt32) -> UInt64 {
        // Each half of a half gets as much room again, until a digit has a byte.
        var digits = UInt64(number)
        digits = (digits | digits << 16) & 0x0000_ffff_0000_ffff
        digits = (digits | digits << 8) & 0x00ff_00ff_00ff_00ff
        digits = (digits | digits << 4) & 0x0f0f_0f0f_0f0f_0f0f
        let letters = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return digits &+ 0x3030_3030_3030_3030 &+ letters &* 0x27
    }

    /// Appends a time in milliseconds since 1970 as RFC 3339 writes it, such as `2026-01-15T14:00:00.000Z`.
    ///
    /// A time out of ``RFC3339/range`` is moved to its edge.
    package mutating func append(rfc3339 milliseconds: Int64) {
        let (day, time) = RFC3339.split(milliseconds)
        reserve(24)
        if day != date.day { date = RFC3339.DateText(day: day) }
        let text = RFC3339.TimeText(millisecondsOfDay: time)
        let target = unsafe UnsafeMutableRawPointer(base + count)
        unsafe target.storeBytes(of: date.head.littleEndian, as: UInt64.self)
        unsafe target.storeBytes(of: date.tail.littleEndian, toByteOffset: 8, as: UInt32.self)
        unsafe target.storeBytes(of: text.head.littleEndian, toByteOffset: 11, as: UInt64.self)
        unsafe target.storeBytes(of: text.tail.littleEndian, toByteOffset: 19, as: UInt32.self)
        unsafe base[count + 23] = UInt8(ascii: "Z")
        count += 24
    }

    /// Stores two digits where room is known to be.
    @unsafe @inline(__always)
    private func putTwoDigits(_ value: UInt32, at index: Int) {
        unsafe base[index] = UInt8(truncatingIfNeeded: 0x30 + value / 10)
        unsafe base[index + 1] = UInt8(truncatingIfNeeded: 0x30 + value % 10)
    }

    /// Drops all but the first bytes.
    ///
    /// The room stays.
    package mutating func truncate(to length: Int) {
        precondition((0...count).contains(length), "a buffer is cut within what it holds")
        count = length
    }

    /// Lets a closure look at the bytes from one index to another.
    package borrowing func withBytes<Result, Failure: Error>(
        _ range: Range<Int>? = nil, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let range = range ?? 0..<count
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "a range within what the buffer holds")
        return try unsafe body(UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count))
    }

    /// A copy of the bytes.
    package var array: [UInt8] { unsafe withBytes { unsafe Array($0) } }

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

/// Text that is in JSON and on a terminal as it is: printable ASCII without quotes and backslashes.
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
