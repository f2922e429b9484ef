import SyncBytes

/// The numbers of a trace, held against the unit that a person says they count: the wrong one moves every time by decades.
///
/// The unit is wrong where it puts most of the numbers outside the years from 1990 to the next, and another puts most of them inside. A few
/// that are outside may be those of a clock that was never set, which is for an audit to find.
///
/// - Complexity: O(1) for each number.
package struct StatedTimes {
    /// What a number may count.
    private enum Unit: CaseIterable {
        case seconds, milliseconds, microseconds, nanoseconds
        case apple
        /// Days since 1899-12-30, as spreadsheets have dates.
        case days

        func milliseconds(_ number: Double) -> Double {
            switch self {
            case .seconds: number * 1000
            case .milliseconds: number
            case .microseconds: number / 1000
            case .nanoseconds: number / 1_000_000
            case .apple: number * 1000 + Double(TimestampForm.appleEpoch)
            case .days: (number - 25_569) * 86_400_000
            }
        }

        /// The name of the option's value that takes it; nil where there is none.
        var option: String? {
            switch self {
            case .seconds: "seconds"
            case .milliseconds: "milliseconds"
            case .apple: "apple"
            case .microseconds, .nanoseconds, .days: nil
            }
        }
    }

    private struct Sight {
        let text: String
        let number: Double
        let line: Int
    }

    private let stated: Unit
    private let years: ClosedRange<Double>
    private var count = 0
    /// How many numbers the stated unit puts inside the years.
    private var inside = 0
    /// How many numbers, of those outside, each other unit puts inside, and the first of them.
    private var others: [Unit: (count: Int, first: Sight)] = [:]

    /// 1990-01-01, and 2007-01-01, before which hardly anybody counted from Apple's reference date.
    private static let earliest: Double = 631_152_000_000
    private static let earliestOfApple: Double = 1_167_609_600_000

    /// No number yet; nil where the form is not one of numbers.
    ///
    /// - Parameter now: The time, in milliseconds since 1970; the next year is the last that is possible.
    package init?(_ form: TimestampForm, now: Int64) {
        switch form {
        case .epoch(.seconds): stated = .seconds
        case .epoch(.milliseconds): stated = .milliseconds
        case .appleReferenceDate: stated = .apple
        case .rfc3339, .zoned, .local: return nil
        }
        let year = Int(RFC3339.string(milliseconds: now).prefix(4)).map { $0 + 2 } ?? 9999
        years = Self.earliest...Double(max(Int64(Self.earliest), RFC3339.milliseconds("\(year)-01-01T00:00:00Z") ?? .max))
    }

    /// Looks at a value; what is no number says nothing.
    ///
    /// - Parameter line: Where it is.
    package mutating func observe(_ value: FieldValue, line: Int = 0) {
        let sight: Sight
        switch value {
        case .number(let number): sight = Sight(text: number.text, number: number.double, line: line)
        case .string(let text):
            guard let number = TimestampForm.number(text) else { return }
            sight = Sight(text: text, number: number, line: line)
        default: return
        }
        count += 1
        if isPossible(sight.number, stated) {
            inside += 1
            return
        }
        for unit in Unit.allCases where unit != stated && isPossible(sight.number, unit) {
            others[unit, default: (0, sight)].count += 1
        }
    }

    private func isPossible(_ number: Double, _ unit: Unit) -> Bool {
        let time = unit.milliseconds(number)
        return years.contains(time) && (unit != .apple || time >= Self.earliestOfApple)
    }

    /// Whether any number was looked at, and half of them or more are possible.
    package var isPossible: Bool { inside > 0 && 2 * inside >= count }

    /// What is wrong with the unit, as a sentence without its full stop, and the line that shows it; nil where nothing is.
    ///
    /// - Parameters:
    ///   - name: What the number is, such as a key.
    ///   - isFoundWithout: Whether units that no option names are found where none is stated.
    package func problem(named name: String, isFoundWithout: Bool) -> (line: Int, sentence: String)? {
        // Of two units that fit, the one by which the trace is newer.
        let likely = others.max { one, other in
            let times = [one, other].map { $0.key.milliseconds($0.value.first.number) }
            return (one.value.count, times[0]) < (other.value.count, times[1])
        }
        guard !isPossible, let (unit, seen) = likely, 2 * seen.count > count else { return nil }
        let right = Self.time(seen.first, unit)
        let remedy =
            switch unit {
            case .days: "it looks like the days of a spreadsheet, \(right.prefix(10)): make dates of them, and write the table again"
            case .microseconds, .nanoseconds:
                isFoundWithout
                    ? "without --times it is taken as \(unit), \(right)"
                    : "it looks like \(unit), \(right): divide them down to milliseconds"
            case .seconds, .milliseconds, .apple: "--times \(unit.option ?? "") takes it as \(right)"
            }
        return (
            seen.first.line,
            "\(name) is \(seen.first.text.shortened), which --times \(stated.option ?? "") takes as \(Self.time(seen.first, stated)), and most are "
                + "like it; \(remedy)"
        )
    }

    /// Whether a few numbers count another unit than most, as a sentence without its full stop, and the first line of them.
    ///
    /// Units that are a thousand times each other are not told apart by chance.
    package func mixture(named name: String) -> (line: Int, sentence: String)? {
        guard isPossible else { return nil }
        let scales: [Unit] = [.seconds, .milliseconds, .microseconds, .nanoseconds]
        guard scales.contains(stated),
            let (unit, seen) = others.filter({ scales.contains($0.key) }).max(by: { $0.value.count < $1.value.count })
        else { return nil }
        return (
            seen.first.line,
            "units are mixed: \(name) is \(seen.first.text.shortened), which --times \(stated.option ?? "") takes as "
                + "\(Self.time(seen.first, stated)), and as \(unit) it is \(Self.time(seen.first, unit)), like most of the others"
        )
    }

    private static func time(_ sight: Sight, _ unit: Unit) -> String {
        let time = unit.milliseconds(sight.number).rounded()
        guard let milliseconds = Int64(exactly: time), RFC3339.range.contains(milliseconds) else { return "no time before the year 10000" }
        return RFC3339.string(milliseconds: milliseconds)
    }
}
