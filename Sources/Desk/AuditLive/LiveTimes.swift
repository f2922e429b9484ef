import SyncBytes
import SyncModel

/// Writes the times of one list, with as much of the date as tells them apart: without it, of several days the hour does not tell which was
/// later.
struct LiveTimes {
    private let start: Int
    private let end: Int

    /// - Parameters:
    ///   - times: The times of the list, and the one that is written beside it in full, in milliseconds since 1970.
    ///   - hasSeconds: Whether times of a single day have seconds.
    init(_ times: some Collection<Int64>, hasSeconds: Bool = true) {
        let first = times.min().map { RFC3339.string(milliseconds: $0) } ?? ""
        let last = times.max().map { RFC3339.string(milliseconds: $0) } ?? ""
        switch true {
        case first.prefix(10) == last.prefix(10): (start, end) = (11, hasSeconds ? 19 : 16)
        case first.prefix(4) == last.prefix(4): (start, end) = (5, 16)
        default: (start, end) = (0, 16)
        }
    }

    /// A time in UTC.
    func string(_ milliseconds: Int64) -> String {
        String(RFC3339.string(milliseconds: milliseconds).prefix(end).dropFirst(start)).replacing("T", with: " ")
    }

    /// The day of a time in UTC.
    static func day(_ milliseconds: Int64) -> String { String(RFC3339.string(milliseconds: milliseconds).prefix(10)) }
}
