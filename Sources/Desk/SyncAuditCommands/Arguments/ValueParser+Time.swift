package import SyncBytes
import SyncModel

/// The edge of a day that a date without a time means.
package enum DateEdge: Hashable, Sendable {
    /// The first instant of the day, in UTC.
    case start
    /// The first instant of the day after, in UTC: the end of a range that leaves its end out.
    case end
}

extension ValueParser {
    /// A length of time in milliseconds, such as `1h30m`, or a number of seconds.
    package static func duration(_ text: String) throws(ValueProblem) -> Int64 { try DurationText.milliseconds(text) }

    /// A time in milliseconds since 1970: a length of time before now, a date-time of RFC 3339, or a date in UTC.
    package static func time(_ text: String, edge: DateEdge, now: Int64) throws(ValueProblem) -> Int64 {
        if let time = RFC3339.milliseconds(text) { return time }
        if let day = RFC3339.milliseconds(text + "T00:00:00Z") {
            return edge == .start ? day : day + 86_400_000
        }
        let malformed = ValueProblem(
            "\(text.quoted) is no time that exists; write it like 2h for two hours ago, 2026-01-15 or 2026-01-15T14:00:00Z")
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
