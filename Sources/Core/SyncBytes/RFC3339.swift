/// Dates as RFC 3339 writes them, in the proleptic Gregorian calendar, to the millisecond.
package enum RFC3339 {
    /// The first and the last millisecond that the format can write: the years 0000 to 9999.
    package static let range: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    /// Milliseconds since 1970 of a date-time with any offset, or nil where the string is none or names a date that does not exist.
    ///
    /// Digits of a second beyond the third are dropped. A leap second (`:60`) counts as the last millisecond of its minute.
    package static func milliseconds(_ text: String) -> Int64? {
        var text = text
        return text.withUTF8 { unsafe milliseconds(Span(_unsafeElements: $0)) }
    }

    /// Days since 1970-01-01 of the ten bytes of a date such as `2026-01-15`, or nil where they are not one or name a date that does not
    /// exist.
    package static func day(_ bytes: Span<UInt8>) -> Int? {
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), let year = number(bytes, 0..<4),
            let month = number(bytes, 5..<7), let dayOfMonth = number(bytes, 8..<10),
            (1...12).contains(month), dayOfMonth >= 1, dayOfMonth <= length(ofMonth: month, year: year)
        else { return nil }
        return day(year: year, month: month, dayOfMonth: dayOfMonth)
    }

    /// The first millisecond after a day such as `2026-01-15`, in UTC; nil where the string is none or names a day that does not exist.
    package static func end(ofDay text: String) -> Int64? {
        text.utf8.count == 10 ? milliseconds(text + "T00:00:00Z").map { $0 + 86_400_000 } : nil
    }

    private static func number(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var value = 0
        for index in range {
            let digit = bytes[index] &- 48
            guard digit <= 9 else { return nil }
            value = value * 10 + Int(digit)
        }
        return value
    }

    /// Writes a time in UTC with milliseconds, such as `2026-01-15T14:00:00.000Z`.
    ///
    /// A time out of ``range`` is moved to its edge.
    package static func string(milliseconds: Int64) -> String {
        String(decoding: bytes(milliseconds: milliseconds), as: UTF8.self)
    }

    /// The 24 bytes of ``string(milliseconds:)``.
    package static func bytes(milliseconds: Int64) -> [UInt8] {
        let (day, time) = split(milliseconds)
        let (date, text) = (DateText(day: day), TimeText(millisecondsOfDay: time))
        func bytes(_ word: some FixedWidthInteger & UnsignedInteger, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
        }
        return bytes(date.head, 8) + bytes(date.tail, 3) + bytes(text.head, 8) + bytes(text.tail, 4) + [UInt8(ascii: "Z")]
    }

    private static let millisecondsOfDay: Int64 = 86_400_000

    /// The day, counted from 1970-01-01, and the milliseconds of it, of a time that is moved into ``range``.
    package static func split(_ milliseconds: Int64) -> (day: Int, millisecondsOfDay: Int) {
        let clamped = min(max(milliseconds, range.lowerBound), range.upperBound)
        // A time does not fit into the Int of a watch.
        let day = clamped.dividedFlooring(by: millisecondsOfDay)
        return (Int(clamping: day), Int(clamping: clamped - day * millisecondsOfDay))
    }

    /// Days since 1970-01-01 of a date.
    ///
    /// Source: Howard Hinnant, *chrono-Compatible Low-Level Date Algorithms*, `days_from_civil`.
    package static func day(year: Int, month: Int, dayOfMonth: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted.dividedFlooring(by: 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + dayOfMonth - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The date of a count of days since 1970-01-01.
    ///
    /// Source: as ``day(year:month:dayOfMonth:)``, `civil_from_days`.
    package static func civil(day: Int) -> (year: Int, month: Int, dayOfMonth: Int) {
        let shifted = day + 719_468
        let era = shifted.dividedFlooring(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthIndex = (5 * dayOfYear + 2) / 153
        let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthIndex + 2) / 5 + 1)
    }

    /// Milliseconds since 1970 of the bytes of a date-time, as above.
    package static func milliseconds(_ bytes: Span<UInt8>) -> Int64? {
        guard bytes.count >= 20, bytes[10] | 0x20 == UInt8(ascii: "t") || bytes[10] == UInt8(ascii: " "),
            let day = day(bytes.extracting(0..<10)), let minutes = minutes(bytes, at: 11), bytes[16] == UInt8(ascii: ":"),
            let second = number(bytes, 17..<19), second <= 60
        else { return nil }
        var index = 19
        var fraction = 0
        if bytes[index] == UInt8(ascii: ".") {
            var scale = 100
            index += 1
            while index < bytes.count, bytes[index] &- 48 <= 9 {
                fraction += Int(bytes[index] &- 48) * scale
                scale /= 10
                index += 1
            }
            guard index > 20, index < bytes.count else { return nil }
        }
        var offset = 0
        let zone = bytes[index]
        if zone == UInt8(ascii: "+") || zone == UInt8(ascii: "-") {
            guard index + 6 == bytes.count, let minutes = self.minutes(bytes, at: index + 1) else { return nil }
            offset = minutes * (zone == UInt8(ascii: "-") ? -60_000 : 60_000)
        } else {
            guard zone | 0x20 == UInt8(ascii: "z"), index + 1 == bytes.count else { return nil }
        }
        let wholeSecond = second == 60 ? 59_999 : second * 1000 + fraction
        let milliseconds = Int64(day) * millisecondsOfDay + Int64(minutes * 60_000 + wholeSecond - offset)
        return range.contains(milliseconds) ? milliseconds : nil
    }

    /// The minutes of a time such as `14:30`, the last of a day 23:59.
    private static func minutes(_ bytes: Span<UInt8>, at index: Int) -> Int? {
        guard let hours = number(bytes, index..<index + 2), bytes[index + 2] == UInt8(ascii: ":"),
            let minutes = number(bytes, index + 3..<index + 5), hours < 24, minutes < 60
        else { return nil }
        return hours * 60 + minutes
    }

    private static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension RFC3339 {
    /// The bytes of a date up to the hour, such as `2026-01-15T`, the first in the lowest byte of a word.
    package struct DateText {
        package let day: Int
        /// The year and the month, each with its hyphen.
        package let head: UInt64
        /// The day of the month and the T; the last byte means nothing.
        package let tail: UInt32

        package init(day: Int) {
            let (year, month, dayOfMonth) = RFC3339.civil(day: day)
            precondition((0...9999).contains(year), "a date of four-digit years")
            let hyphen = UInt64(UInt8(ascii: "-"))
            let (century, rest) = (TwoDigits.word(UInt32(year / 100)), TwoDigits.word(UInt32(year % 100)))
            self.day = day
            head = (century | rest << 16 | hyphen << 32 | TwoDigits.word(UInt32(month)) << 40 | hyphen << 56)
            tail = UInt32(truncatingIfNeeded: TwoDigits.word(UInt32(dayOfMonth)) | UInt64(UInt8(ascii: "T")) << 16)
        }
    }

    /// The bytes of a time of day, such as `14:00:00.000`, the first in the lowest byte of a word.
    package struct TimeText {
        /// Up to the seconds.
        package let head: UInt64
        /// The point and what follows.
        package let tail: UInt32

        /// - Precondition: The time of day is shorter than a day.
        package init(millisecondsOfDay: Int) {
            precondition((0..<86_400_000).contains(millisecondsOfDay), "a time of day")
            // Unsigned numbers of 32 bits divide faster.
            let milliseconds = UInt32(millisecondsOfDay)
            let seconds = milliseconds / 1000
            let minutes = seconds / 60
            let (hour, minute, second, millisecond) = (minutes / 60, minutes % 60, seconds % 60, milliseconds % 1000)
            let colon = UInt64(UInt8(ascii: ":"))
            head = (TwoDigits.word(hour) | colon << 16 | TwoDigits.word(minute) << 24 | colon << 40 | TwoDigits.word(second) << 48)
            let tenths = UInt64(0x30 + millisecond / 100)
            let fraction = UInt64(UInt8(ascii: ".")) | tenths << 8 | TwoDigits.word(millisecond % 100) << 16
            tail = UInt32(truncatingIfNeeded: fraction)
        }
    }

    private enum TwoDigits {
        /// The digits of a number below 100, the first in the lowest byte.
        @inline(__always)
        static func word(_ number: UInt32) -> UInt64 { UInt64((number / 10 | (number % 10) << 8) &+ 0x3030) }
    }
}
