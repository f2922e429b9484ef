import FileFormats
package import SyncModel

/// The findings of an earlier examination, known by rule, file and message, so that a line that moves changes nothing.
package struct Baseline: Sendable {
    private static let keys = ["rule", "path", "message"]

    private var known: Set<[String]>

    package init(_ findings: [Finding]) { known = Set(findings.map(Self.key)) }

    /// Reads what ``text`` gave; nil where it is something else.
    package init?(_ value: FieldValue) {
        guard let entries = FindingsFile.entries(of: value, keys: Self.keys) else { return nil }
        known = Set(entries.map(\.values))
    }

    /// The baseline as JSON, in order.
    package var text: String { FindingsFile(keys: Self.keys, entries: known.map { FindingsFile.Entry($0) }).text }

    func contains(_ finding: Finding) -> Bool { known.contains(Self.key(finding)) }

    private static func key(_ finding: Finding) -> [String] { [finding.rule, finding.location.path, finding.message] }
}
