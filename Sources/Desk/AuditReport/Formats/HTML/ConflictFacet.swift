import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel

/// A property of conflicts by which the list of a page can be narrowed, from a bar or a cell that counts them.
///
/// A row of the list holds each as an attribute, spelled as the breakdowns spell the name, so that what a bar counts is what it selects.
enum ConflictFacet: String, CaseIterable {
    case record, type, field, kind, severity, reason, winner, loser

    /// The value of a conflict, as a breakdown calls it.
    func value(of conflict: Conflict) -> String {
        let (key, field) = (conflict.key, conflict.field?.rawValue)
        let name =
            switch self {
            case .record: key.description
            case .type: key.type.rawValue
            case .field: field.map { "\(key.type.rawValue).\($0)" } ?? "\(key.type.rawValue) (whole record)"
            case .kind: conflict.kind.rawValue
            case .severity: conflict.severity.rawValue
            case .reason: conflict.reason.rawValue
            case .winner: conflict.winner.dot.device.rawValue
            case .loser: conflict.loser.dot.device.rawValue
            }
        return EventText.label(name.escaped(for: .terminal))
    }

    /// The attributes of a row.
    static func attributes(of conflict: Conflict) -> HTMLMarkup.Attributes {
        [
            "data-record": ConflictFacet.record.value(of: conflict), "data-type": ConflictFacet.type.value(of: conflict),
            "data-field": ConflictFacet.field.value(of: conflict), "data-kind": ConflictFacet.kind.value(of: conflict),
            "data-severity": ConflictFacet.severity.value(of: conflict), "data-reason": ConflictFacet.reason.value(of: conflict),
            "data-winner": ConflictFacet.winner.value(of: conflict), "data-loser": ConflictFacet.loser.value(of: conflict),
            "data-certainty": conflict.isProven ? "proven" : "suspected", "data-edit": conflict.severity.isLoss ? "lost" : "kept",
        ]
    }
}

/// The conflicts that a bar or a cell counts, as a query that the page's script and the address of the page understand.
struct ConflictSelection {
    /// The query: `winner=iPad&loser=iPhone`.
    private(set) var query = ""

    /// Narrows the selection to one value of a property.
    func with(_ name: StaticString, _ value: String) -> ConflictSelection {
        var selection = self
        selection.query += (query.isEmpty ? "" : "&") + "\(name)=" + value.percentEncoded
        return selection
    }

    func with(_ facet: ConflictFacet, _ value: String) -> ConflictSelection {
        var selection = self
        selection.query += (query.isEmpty ? "" : "&") + "\(facet.rawValue)=" + value.percentEncoded
        return selection
    }

    /// Narrows the selection to a range of milliseconds, both ends in it, under a name for people.
    func with(_ name: StaticString, _ range: ClosedRange<Int64>, label: String) -> ConflictSelection {
        with(name, "\(range.lowerBound)..\(range.upperBound) \(label)")
    }
}
