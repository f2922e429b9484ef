import SyncLines
import SyncModel

/// The edge of a day that a date without a time means.
package enum DateEdge: Hashable, Sendable {
    /// The first instant of the day, in UTC.
    case start
    /// The first instant of the day after, in UTC: the end of a range that leaves its end out.
    case end
}

extension ValueParser {
    private static let units: [(name: String, milliseconds: Int64)] = [
        ("w", 604_800_000), ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
    ]

    /// A length of time in milliseconds: whole numbers with units from the largest to the smallest, such as `1h30m`, or a number of seconds.
    package static func duration(_ text: String) throws(ValueProblem) -> Int64 {
        if text.hasPrefix("-") { throw ValueProblem("\(text.quoted) is negative; a length of time is 0 or more") }
        let malformed = ValueProblem("\(text.quoted) is not a length of time; write it like 250ms, 60s, 5m, 1h30m, 2d or 1w")
        let tooLong = ValueProblem("\(text.quoted) is too long; the longest time is \(Int64.max)ms")
        guard !text.isEmpty else { throw malformed }
        var total: Int64 = 0
        var rest = text.utf8[...]
        var allowed = units[...]
        while !rest.isEmpty {
            let digits = rest.prefix(while: \.isDigit)
            rest = rest.dropFirst(digits.count)
            let word = rest.prefix { !$0.isDigit }
            rest = rest.dropFirst(word.count)
            guard !digits.isEmpty else { throw malformed }
            let scale: Int64
            if word.isEmpty {
                // Seconds only where nothing else is given: in 1h30 the 30 may be meant as minutes.
                guard digits.count == text.utf8.count else { throw malformed }
                scale = 1000
            } else {
                guard let unit = allowed.firstIndex(where: { $0.name.utf8.elementsEqual(word) }) else { throw malformed }
                scale = units[unit].milliseconds
                allowed = units[(unit + 1)...]
            }
            guard let number = Int64(String(decoding: digits, as: UTF8.self)) else { throw tooLong }
            let (part, isPartTooLong) = number.multipliedReportingOverflow(by: scale)
            let (sum, isSumTooLong) = total.addingReportingOverflow(part)
            if isPartTooLong || isSumTooLong { throw tooLong }
            total = sum
        }
        return total
    }

    /// A time in milliseconds since 1970: a length of time before now, a date-time of RFC 3339, or a date in UTC.
    package static func time(_ text: String, edge: DateEdge, now: Int64) throws(ValueProblem) -> Int64 {
        if let time = RFC3339.milliseconds(text) { return time }
        if let day = RFC3339.milliseconds(text + "T00:00:00Z") {
            return edge == .start ? day : day + 86_400_000
        }
        let malformed = ValueProblem(
            "\(text.quoted) is not a moment that exists; write it like 2h for two hours ago, 2026-01-15 or 2026-01-15T14:00:00Z")
        // A number alone is as likely a year as a number of seconds, so it needs its unit. A date that was mistyped is no length of time.
        guard text.utf8.first?.isDigit == true, text.utf8.last?.isDigit == false, !text.utf8.contains(where: { "-:TZ".utf8.contains($0) })
        else {
            throw malformed
        }
        let ago: Int64
        do throws(ValueProblem) {
            ago = try duration(text)
        } catch {
            throw error.sentence.contains("too long") ? error : malformed
        }
        let (time, isBeforeTime) = now.subtractingReportingOverflow(ago)
        return isBeforeTime ? .min : time
    }
}
