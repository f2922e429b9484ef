import SyncBytes

/// How a foreign source writes timestamps; a complete RFC 3339 timestamp is understood in any form.
package enum TimestampForm: Hashable, Sendable {
    /// RFC 3339 alone.
    case rfc3339
    /// Dates and times with a zone, as databases print them too: without seconds, or with `+02` for the zone.
    case zoned
    /// Numbers: how many of a unit since 1970.
    case epoch(Unit)
    /// Numbers: seconds since 2001-01-01 in UTC, Apple's reference date.
    case appleReferenceDate
    /// Dates and times without a zone, so many minutes ahead of UTC.
    case local(minutesAhead: Int)

    /// What a number counts.
    package enum Unit: String, Hashable, Sendable {
        case seconds
        case milliseconds
    }

    /// Milliseconds from 1970 to Apple's reference date.
    package static let appleEpoch: Int64 = 978_307_200_000

    /// The names of forms in options; an offset such as `+02:00` is one more.
    package static let words = ["iso", "seconds", "milliseconds", "apple", "utc"]

    /// The form by its name in options: `iso`, `seconds`, `milliseconds`, `apple`, `utc`, or an offset such as `+02:00`; nil where there is
    /// none.
    package init?(optionName name: String) {
        switch name {
        case "iso": self = .zoned
        case "seconds": self = .epoch(.seconds)
        case "milliseconds": self = .epoch(.milliseconds)
        case "apple": self = .appleReferenceDate
        case "utc": self = .local(minutesAhead: 0)
        default:
            // An offset that shifts a time that is there.
            guard let first = name.utf8.first, "+-".utf8.contains(first),
                let shifted = RFC3339.milliseconds("2000-01-02T00:00:00" + Self.withColon(name)),
                let start = RFC3339.milliseconds("2000-01-02T00:00:00Z")
            else { return nil }
            self = .local(minutesAhead: Int(clamping: (start - shifted) / 60_000))
        }
    }

    /// Nil where a number means nothing; clamped far out of what can be written.
    package func milliseconds(_ number: Double) -> Int64? {
        switch self {
        case .rfc3339, .zoned, .local: nil
        case .epoch(.seconds): Int64(clamping: number * 1000)
        case .epoch(.milliseconds): Int64(clamping: number)
        case .appleReferenceDate: Int64(clamping: number * 1000 + Double(Self.appleEpoch))
        }
    }

    /// Its name in options, where it is one of numbers.
    package var optionName: String? {
        switch self {
        case .rfc3339, .zoned, .local: nil
        case .epoch(let unit): unit.rawValue
        case .appleReferenceDate: "apple"
        }
    }

    /// Every time that a value may mean in any form, in milliseconds since 1970, dates and times without a zone as UTC; none for values
    /// that are hardly times.
    package static func meanings(of value: FieldValue) -> [Int64] {
        switch value {
        case .number(let number): return times(of: number.double)
        case .string(let text):
            guard (8...40).contains(text.utf8.count), let first = text.utf8.first, (48...57).contains(first) else { return [] }
            if let number = number(text) { return times(of: number) }
            let time = RFC3339.milliseconds(text) ?? RFC3339.milliseconds(completed(text, zone: nil))
            return (time ?? RFC3339.milliseconds(completed(text, zone: "Z"))).map { [$0] } ?? []
        default: return []
        }
    }

    /// Seconds, milliseconds, microseconds and nanoseconds since 1970, and seconds since 2001, in the years in which there were devices.
    private static func times(of number: Double) -> [Int64] {
        [number * 1000, number, number / 1000, number / 1_000_000, number * 1000 + Double(appleEpoch)]
            .map { Int64(clamping: $0) }.filter { (appleEpoch...4_102_444_800_000).contains($0) }
    }

    /// The number that a text of decimal digits spells.
    package static func number(_ text: String) -> Double? {
        guard text.utf8.count <= 40, text.utf8.contains(where: { (48...57).contains($0) }),
            text.utf8.allSatisfy({ (48...57).contains($0) || "+-.eE".utf8.contains($0) })
        else { return nil }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    /// A timestamp as databases print it, brought into the form of RFC 3339: seconds, the zone's colon and the zone's minutes may be
    /// missing.
    package static func completed(_ text: String, zone: String?) -> String {
        guard text.utf8.count <= 64 else { return text }
        var rest = Substring(text)
        if rest.hasSuffix(" UTC") { rest = rest.dropLast(4) + "Z" }
        let clock = rest.dropFirst(10)
        var offset = zone ?? ""
        if let start = clock.firstIndex(where: { "+-Zz".contains($0) }) {
            guard zone == nil else { return text }
            offset = withColon(String(clock[start...]))
            rest = rest[..<start]
            if rest.last == " " { rest = rest.dropLast() }
        }
        var time = String(rest)
        switch time.utf8.count {
        case 10 where zone != nil: time += "T00:00:00"
        case 16: time += ":00"
        default: break
        }
        return time + offset
    }

    private static func withColon(_ offset: String) -> String {
        switch offset.utf8.count {
        case 3: offset + ":00"
        case 5 where !offset.contains(":"): offset.prefix(3) + ":" + offset.suffix(2)
        default: offset
        }
    }
}

extension Int64 {
    /// The nearest whole number, moved into the range.
    fileprivate init(clamping number: Double) {
        // The largest double below 2⁶³.
        self = number.isNaN ? 0 : Int64(Swift.min(Swift.max(number.rounded(), -9.2e18), 9.2e18))
    }
}
