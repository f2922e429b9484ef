import AuditAnalysis
import ConflictAudit

/// Conflicts by name, proven and suspected ones apart, in bounded memory.
struct LiveTally {
    /// A name and what was counted of it.
    struct Row {
        let name: LiveName
        let proven: NamedCounts.Count
        let suspected: NamedCounts.Count

        fileprivate var losses: Int { proven.losses + suspected.losses }
        var conflicts: Int { proven.conflicts + suspected.conflicts }
    }

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

    /// The names with losses in an order, proven and suspected losses together.
    ///
    /// - Parameter count: Of how many of those with the most losses somebody wants to know.
    func rows(_ sort: LiveSort, atMost count: Int = 2 * limit) -> [Row] {
        let all = NamedCounts.top(count, by: \.losses, proven: proven, suspected: suspected).rows.map { row in
            Row(name: LiveName(row.name.first, row.name.second), proven: row.proven, suspected: row.suspected)
        }
        return sort.sorted(all) { order in
            switch order {
            case .conflicts: { $0.conflicts > $1.conflicts }
            case .name: { ($0.name.first ?? "", $0.name.second) < ($1.name.first ?? "", $1.name.second) }
            default: { $0.losses > $1.losses }
            }
        }
    }
}
