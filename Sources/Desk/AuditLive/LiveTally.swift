import AuditAnalysis
import ConflictAudit

/// Conflicts by name, proven and suspected ones apart, in bounded memory.
struct LiveTally {
    /// How many names are kept; beyond it the rarest are forgotten.
    private static let limit = 4_000

    private var proven = NamedCounts()
    private var suspected = NamedCounts()

    mutating func add(_ conflict: Conflict, _ first: String?, _ second: String) {
        let count = NamedCounts.Count(conflicts: 1, losses: conflict.losesEdit ? 1 : 0)
        if conflict.isProven { proven.add(count, first, second) } else { suspected.add(count, first, second) }
        let names = max(proven.nameCount, suspected.nameCount)
        if names > Self.limit { _ = NamedCounts.evict(&proven, &suspected, limit: Self.limit) }
    }

    /// The names with the most losses, proven and suspected ones together, most first.
    func top(_ count: Int) -> [(name: String, proven: NamedCounts.Count, suspected: NamedCounts.Count)] {
        NamedCounts.top(count, by: \.losses, proven: proven, suspected: suspected).rows.prefix(count).map { row in
            let second = EventText.name(row.name.second)
            return (row.name.first.map { EventText.name($0) + "." + second } ?? second, row.proven, row.suspected)
        }
    }
}
