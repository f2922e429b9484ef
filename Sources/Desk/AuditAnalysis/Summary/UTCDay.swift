import SyncBytes
import SyncModel

/// Days since 1970-01-01 in UTC, as text; only the years 0000 to 9999 are written and read.
package enum UTCDay {
    /// `YYYY-MM-DD`.
    package static func text(of day: Int) -> String {
        String(RFC3339.string(milliseconds: Int64(day) * 86_400_000).prefix(10))
    }

    /// The day in which a time lies.
    package static func containing(_ milliseconds: Int64) -> Int { RFC3339.split(milliseconds).day }

    /// The day that a text names, nil where it names none.
    static func day(_ text: String) -> Int? {
        guard text.utf8.count == 10 else { return nil }
        return RFC3339.milliseconds("\(text)T00:00:00Z").map(containing)
    }
}
