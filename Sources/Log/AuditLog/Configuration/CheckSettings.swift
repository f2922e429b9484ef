import SyncBytes

/// What a configuration says of the command's `check`: on what it fails, and which findings it ignores.
///
/// Kinds of findings and measures are the check's own: it refuses those that it does not know.
package struct CheckSettings: Hashable, Sendable {
    /// Findings that are ignored.
    package struct Ignore: Hashable, Sendable {
        /// Their kind.
        package let kind: String
        /// What they are about; nil for all of the kind.
        package let about: String?
        /// Why they may be ignored.
        package let reason: String
        /// The last day on which they are, such as `2026-12-31`; nil for ever.
        package let until: Until?
        /// Where the file says so, such as `check.ignore.0`.
        package let origin: String
    }

    /// A day.
    package struct Until: Hashable, Sendable {
        /// The day as it was written.
        package let text: String
        /// The first instant after the day, in UTC, in milliseconds since 1970.
        package let end: Int64

        /// Reads a day; nil where there is no such day.
        init?(_ text: String) {
            guard let end = RFC3339.end(ofDay: text) else { return nil }
            (self.text, self.end) = (text, end)
        }
    }

    /// The limits on which it fails.
    package var failOn: [String] = []
    /// What it ignores.
    package var ignores: [Ignore] = []

    /// Nothing said.
    package init() {}
}
