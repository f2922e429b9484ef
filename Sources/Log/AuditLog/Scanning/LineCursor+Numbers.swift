import SyncBytes
import SyncModel

// Steps over numbers and timestamps.

extension LineCursor {
    /// Consumes the digits of a whole number, at most 18; nil where there are none.
    ///
    /// Where a fraction or an exponent follows, it is another kind of number, and what should follow a member does not: that is left to
    /// whoever looks for it.
    @inline(__always) mutating func wholeNumber() -> Int64? {
        let first = word(0)
        let count = Self.leadingDigits(first)
        if count == 8 { return longNumber() }
        guard count > 0, count == 1 || first & 0xff != 0x30 else { return nil }
        advance(count)
        return Int64(Self.number(first, count))
    }

    /// Passes over the digits of a whole number, as ``wholeNumber()`` takes them, of a range that goes from 0 or 1 to 99,999,999 or
    /// further.
    @inline(__always) mutating func skipWholeNumber(from least: Int64 = 0, to most: Int64 = .max) -> Bool {
        let first = word(0)
        let count = Self.leadingDigits(first)
        if count == 8 { return longNumber().map { $0 <= most } ?? false }
        guard count > 0, first & 0xff != 0x30 || count == 1 && least == 0 else { return false }
        advance(count)
        return true
    }

    /// Consumes a whole number of eight digits or more.
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

    /// Consumes a whole number that may be negative.
    mutating func signedNumber() -> Int64? {
        guard consume(UInt8(ascii: "-")) else { return wholeNumber() }
        return wholeNumber().map { -$0 }
    }

    /// Passes over a number without an exponent, short enough to lie in the range of a `Double`.
    mutating func skipNumber() -> Bool {
        let start = self
        if byte == UInt8(ascii: "-") { advance(1) }
        let isZero = byte == UInt8(ascii: "0")
        let whole = skipDigits()
        guard whole > 0, whole == 1 || !isZero else { return false }
        if byte == UInt8(ascii: ".") {
            advance(1)
            guard skipDigits() > 0 else { return false }
        }
        return byte | 0x20 != UInt8(ascii: "e") && distance(from: start) <= 300
    }

    private mutating func skipDigits() -> Int {
        let start = self
        while true {
            let count = Self.leadingDigits(word(0))
            advance(count)
            if count < 8 { return distance(from: start) }
        }
    }

    /// The dates of timestamps taken before, each where its digits say.
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

    /// Consumes a timestamp with its closing quote.
    ///
    /// - Parameter days: The dates that have come up, most often that of this timestamp too.
    @inline(__always) mutating func timestamp(_ days: inout Days) -> Int64? {
        if let usual = usualTimestamp(&days) { return usual }
        guard let (timestamp, end) = otherTimestamp() else { return nil }
        self = end
        return timestamp
    }

    /// Reads a timestamp that has not the form that our writer gives it: with another offset, more digits or fewer.
    @inline(never) private func otherTimestamp() -> (Int64, LineCursor)? {
        var cursor = self
        guard let text = cursor.text(), text.isPlain, let timestamp = RFC3339.milliseconds(unsafe Span(_unsafeElements: text.bytes)) else {
            return nil
        }
        return (timestamp, cursor)
    }

    /// Consumes a timestamp in the form that our writer gives it; otherwise nothing.
    @inline(__always) private mutating func usualTimestamp(_ days: inout Days) -> Int64? {
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
            guard high >> 16 == UInt64(UInt8(ascii: "T")), let number = RFC3339.day(unsafe Span(_unsafeStart: pointer, count: 10)) else {
                return nil
            }
            midnight = Int64(number) &* 86_400_000
            days.days[index] = Days.Day(low: low, high: high, milliseconds: midnight)
        }
        advance(25)
        return midnight &+ timeOfDay
    }

    /// Consumes a whole number above 0.
    @inline(__always) mutating func positiveNumber() -> Int64? {
        guard let number = wholeNumber(), number > 0 else { return nil }
        return number
    }

    /// Consumes 16 hexadecimal digits, letters small.
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
}
