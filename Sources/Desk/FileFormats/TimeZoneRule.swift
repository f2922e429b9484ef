import SyncBytes

/// How the clocks of a zone are changed each year, as the variable `TZ` tells: `CET-1CEST,M3.5.0,M10.5.0/3`.
///
/// Source: POSIX.1-2024, section 8.3, with the longer times of RFC 9636.
struct TimeZoneRule: Hashable, Sendable {
    /// What the clocks are ahead of universal time, in seconds.
    private var standard = 0
    private var summer: Summer?

    private struct Summer: Hashable {
        var offset: Int
        var start: Date
        var end: Date
    }

    /// A day of each year, and a time of it.
    private struct Date: Hashable {
        enum Day: Hashable {
            /// Counted from 1, the 29th of February not counted.
            case withoutLeapDay(Int)
            /// Counted from 0.
            case ofYear(Int)
            /// The week of the month, 5 for the last, and the day of the week, 0 for Sunday.
            case ofMonth(Int, week: Int, weekday: Int)
        }

        var day: Day
        /// In seconds after midnight, by the clocks as they are before the change.
        var time: Int

        /// By those clocks, in seconds since they showed the beginning of 1970.
        func second(in year: Int) -> Int64 {
            let first = RFC3339.day(year: year, month: 1, dayOfMonth: 1)
            let date: Int
            switch day {
            case .ofYear(let number): date = first + number
            case .withoutLeapDay(let number):
                let isLeap = RFC3339.day(year: year + 1, month: 1, dayOfMonth: 1) - first == 366
                date = first + number - 1 + (isLeap && number >= 60 ? 1 : 0)
            case .ofMonth(let month, let week, let weekday):
                let start = RFC3339.day(year: year, month: month, dayOfMonth: 1)
                let next = RFC3339.day(year: month == 12 ? year + 1 : year, month: month == 12 ? 1 : month + 1, dayOfMonth: 1)
                // The first of January 1970 was a Thursday.
                let startWeekday = ((start + 4) % 7 + 7) % 7
                let inFirstWeek = start + (weekday - startWeekday + 7) % 7
                let candidate = inFirstWeek + (week - 1) * 7
                date = candidate < next ? candidate : candidate - 7
            }
            return Int64(date) * 86_400 + Int64(time)
        }
    }

    /// Parses a rule; nil where it is none.
    init?(_ text: String) {
        var rest = Substring(text)
        guard Self.skipName(&rest), let behind = Self.time(&rest) else { return nil }
        standard = -behind
        if rest.isEmpty { return }
        guard Self.skipName(&rest) else { return nil }
        var offset = standard + 3600
        if let first = rest.first, first != "," {
            guard let behind = Self.time(&rest) else { return nil }
            offset = -behind
        }
        guard let start = Self.date(&rest), let end = Self.date(&rest), rest.isEmpty else { return nil }
        summer = Summer(offset: offset, start: start, end: end)
    }

    /// What the clocks are ahead at a time, in seconds.
    func offset(at second: Int64) -> Int {
        guard let summer else { return standard }
        let year = RFC3339.civil(day: RFC3339.split((second + Int64(standard)) &* 1000).day).year
        let start = summer.start.second(in: year) - Int64(standard)
        let end = summer.end.second(in: year) - Int64(summer.offset)
        let isSummer = start < end ? (start..<end).contains(second) : !(end..<start).contains(second)
        return isSummer ? summer.offset : standard
    }

    private static func skipName(_ rest: inout Substring) -> Bool {
        if rest.first == "<" {
            guard let end = rest.firstIndex(of: ">") else { return false }
            rest = rest[rest.index(after: end)...]
            return true
        }
        let name = rest.prefix { $0.isLetter }
        rest = rest[name.endIndex...]
        return name.count >= 3
    }

    private static func number(_ rest: inout Substring) -> Int? {
        let digits = rest.prefix { "0"..."9" ~= $0 }
        rest = rest[digits.endIndex...]
        return digits.count <= 3 ? Int(digits) : nil
    }

    /// A length of time, in seconds: hours, then minutes and seconds where there are any.
    private static func time(_ rest: inout Substring) -> Int? {
        var sign = 1
        if rest.first == "-" || rest.first == "+" { sign = rest.removeFirst() == "-" ? -1 : 1 }
        guard let hours = number(&rest), hours <= 167 else { return nil }
        var seconds = hours * 3600
        for unit in [60, 1] where rest.first == ":" {
            rest.removeFirst()
            guard let count = number(&rest), count < 60 else { return nil }
            seconds += count * unit
        }
        return sign * seconds
    }

    private static func date(_ rest: inout Substring) -> Date? {
        guard rest.popFirst() == "," else { return nil }
        let day: Date.Day
        switch rest.first {
        case "M":
            rest.removeFirst()
            guard let month = number(&rest), (1...12).contains(month), rest.popFirst() == ".", let week = number(&rest),
                (1...5).contains(week), rest.popFirst() == ".", let weekday = number(&rest), (0...6).contains(weekday)
            else { return nil }
            day = .ofMonth(month, week: week, weekday: weekday)
        case "J":
            rest.removeFirst()
            guard let number = number(&rest), (1...365).contains(number) else { return nil }
            day = .withoutLeapDay(number)
        default:
            guard let number = number(&rest), (0...365).contains(number) else { return nil }
            day = .ofYear(number)
        }
        var date = Date(day: day, time: 7200)
        if rest.first == "/" {
            rest.removeFirst()
            guard let time = time(&rest) else { return nil }
            date.time = time
        }
        return date
    }
}
