import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncModel

/// What a page is about, beyond what was counted: a title, where the lines came from, and whether the page is written again.
package struct PageSubject: Sendable {
    /// The title that somebody gave; nil for none.
    package var title: String?
    /// The names of the inputs.
    package var inputs: [String]
    /// How often a browser should load the page again, in seconds; nil where the page is written once.
    package var refresh: Int?

    /// A subject.
    package init(title: String? = nil, inputs: [String] = [], refresh: Int? = nil) {
        (self.title, self.inputs, self.refresh) = (title, inputs, refresh)
    }

    /// How many inputs are named before the others are counted.
    private static let namedInputs = 5

    /// The inputs as a sentence without its full stop; nil where there are none.
    var inputSentence: String? {
        guard !inputs.isEmpty else { return nil }
        let names = inputs.prefix(Self.namedInputs).map { EventText.label($0) }.joined(separator: ", ")
        let more = inputs.count - Self.namedInputs
        return more > 0 ? "\(names) and \(HumanNumber.count(more)) more" : names
    }

    /// The days from the first write or conflict to the last; nil where there are none.
    static func days(_ summary: Summary) -> String? {
        let parts = [summary.proven.statistics, summary.suspected.statistics]
        let times =
            [summary.writes.firstMilliseconds, summary.writes.lastMilliseconds].compactMap(\.self)
            + parts.flatMap { [$0.firstConflictMilliseconds, $0.lastConflictMilliseconds].compactMap(\.self) }
        guard let first = times.min(), let last = times.max() else { return nil }
        let days = [first, last].map { String(RFC3339.string(milliseconds: $0).prefix(10)) }
        return days[0] == days[1] ? days[0] : "\(days[0]) to \(days[1])"
    }

    /// The policies that decided the conflicts listed, in the order of their names; nil where none is known.
    static func policies(_ entries: [ConflictListing.Entry]) -> String? {
        guard !entries.isEmpty else { return nil }
        let names = Set(entries.map { EventText.name($0.details.conflict.policy) }).map { $0.isEmpty ? "not told" : $0 }.sorted()
        return names.prefix(namedInputs).joined(separator: ", ") + (names.count > namedInputs ? " and others" : "")
    }
}
