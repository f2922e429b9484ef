import SyncModel

/// Moments as they are written on a command line.
package enum MomentText {
    /// Which end of a span of time a moment is.
    package enum Bound: Hashable, Sendable {
        /// The span begins with it.
        case since
        /// The span ends before it.
        case until
    }

    /// Understands how long ago, such as `2h`; a date-time of RFC 3339; or a date, which is a whole day in UTC: a span since a date begins with
    /// the day, a span until a date ends with it.
    ///
    /// - Returns: Milliseconds since 1970: the first that belongs to a span since the moment, or the first that does not to one until it.
    package static func milliseconds(_ text: String, as bound: Bound, now: Int64) throws(ValueError) -> Int64 {
        if let moment = RFC3339.milliseconds(text) { return moment }
        let bytes = Array(text.utf8)
        if bytes.count >= 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") {
            guard bytes.count == 10 else {
                throw ValueError(
                    "\(text.quoted) is not a date and time; write it with seconds and zone, such as 2026-01-15T14:00:00Z, or the date alone")
            }
            guard let start = RFC3339.milliseconds(text + "T00:00:00Z") else {
                throw ValueError("\(text.quoted) is not a date of the calendar; write year, month and day, such as 2026-01-15")
            }
            return bound == .since ? start : start + 86_400_000
        }
        // A bare number would be seconds ago: nobody who writes 2026 means that.
        guard let last = bytes.last, (97...122).contains(last), (48...57).contains(bytes[0]) || bytes[0] == UInt8(ascii: "-") else {
            throw ValueError(
                "\(text.quoted) is not a moment; write how long ago, such as 2h, a date such as 2026-01-15, or a date and time such as "
                    + "2026-01-15T14:00:00Z")
        }
        let (moment, overflow) = now.subtractingReportingOverflow(try DurationText.milliseconds(text))
        return overflow ? .min : moment
    }
}
