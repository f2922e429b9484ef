import SyncBytes

/// A length of the calendar by which conflicts are counted for the eye: from days up to thousands of years.
package enum CalendarPeriod: Equatable {
    case day
    /// From Monday to Sunday.
    case week
    case month
    /// So many years, the first divisible by their number.
    case years(Int)

    /// The shortest period of which a span needs at most `limit`; days in, days since 1970-01-01.
    ///
    /// - Precondition: `limit` is at least 11, so that ten thousand years can be shown.
    package static func shortest(for span: ClosedRange<Int>, limit: Int) -> CalendarPeriod {
        let candidates: [CalendarPeriod] = [.day, .week, .month, .years(1), .years(10), .years(100), .years(1000)]
        return candidates.first { $0.index(of: span.upperBound) - $0.index(of: span.lowerBound) < limit } ?? .years(1000)
    }

    /// The number of the period in which a day lies.
    package func index(of day: Int) -> Int {
        switch self {
        case .day: return day
        // 1970-01-01 was a Thursday.
        case .week: return (day + 3).dividedFlooring(by: 7)
        case .month:
            let date = RFC3339.civil(day: day)
            return date.year * 12 + date.month - 1
        case .years(let count): return RFC3339.civil(day: day).year.dividedFlooring(by: count)
        }
    }

    /// The first day of a period.
    package func firstDay(of index: Int) -> Int {
        switch self {
        case .day: index
        case .week: index * 7 - 3
        case .month: RFC3339.day(year: index / 12, month: index % 12 + 1, dayOfMonth: 1)
        case .years(let count): RFC3339.day(year: index * count, month: 1, dayOfMonth: 1)
        }
    }

    /// What to call a period.
    package func label(of index: Int) -> String {
        switch self {
        case .day: return UTCDay.text(of: firstDay(of: index))
        case .week: return "week of \(UTCDay.text(of: firstDay(of: index)))"
        case .month: return String(UTCDay.text(of: firstDay(of: index)).prefix(7))
        case .years(1): return Self.year(index)
        case .years(let count): return "\(Self.year(index * count))–\(Self.year(index * count + count - 1))"
        }
    }

    /// What to call the grouping in a title.
    package var name: String {
        switch self {
        case .day: "day"
        case .week: "week"
        case .month: "month"
        case .years(1): "year"
        case .years(10): "decade"
        case .years(100): "century"
        case .years: "millennium"
        }
    }

    private static func year(_ year: Int) -> String { String(UTCDay.text(of: RFC3339.day(year: year, month: 1, dayOfMonth: 1)).prefix(4)) }
}
