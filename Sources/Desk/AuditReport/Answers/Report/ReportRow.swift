import AuditAnalysis
import ConflictAudit

/// One line of a breakdown: a name, and the conflicts and lost edits of both certainties.
struct ReportRow: Equatable {
    /// Safe for a terminal.
    var label: String
    var proven: ConflictTally.Count
    var suspected: ConflictTally.Count
    /// False where edits lost are not counted by this measure.
    var countsLosses = true
    /// What a list of conflicts is narrowed to by the row, where people call it otherwise than by its identity.
    var identity: String?

    var conflicts: Int { proven.conflicts.addingCount(suspected.conflicts) }
    var losses: Int { proven.losses.addingCount(suspected.losses) }
}

/// The lines of a breakdown, most first.
struct Breakdown {
    /// What decides about the order and the length of the bars.
    enum Measure {
        case conflicts
        case losses
    }

    var rows: [ReportRow] = []
    /// What the rows beyond the limit add up to.
    var others: ReportRow?
    var measure = Measure.conflicts

    /// The length of the longest bar.
    var largest: Int { rows.map { measure == .losses ? $0.losses : $0.conflicts }.max() ?? 0 }

    /// Whether a column has anything in it: a heading over nothing asks a question that is not answered.
    func fills(_ column: ReportGrid.Column) -> Bool { rows.contains { column.value($0) != nil } }

    /// Rows in the order given, all of them.
    init(rows: [ReportRow]) {
        self.rows = rows
    }

    /// The names with the highest counts, by count from the highest, then by name.
    ///
    /// - Complexity: O(*n* log `limit`) comparisons in the names.
    init(
        proven: NamedCounts, suspected: NamedCounts, by measure: Measure = .conflicts, countsLosses: Bool = true, limit: Int,
        identity: (NamedCounts.Name) -> String? = { _ in nil }, label: (NamedCounts.Name) -> String
    ) {
        self.measure = measure
        // One row more costs no more than a line that says there is one more.
        let top = NamedCounts.top(
            limit, by: measure == .conflicts ? \.conflicts : \.losses, proven: proven, suspected: suspected)
        rows = top.rows.map { row in
            ReportRow(
                label: label(row.name), proven: row.proven, suspected: row.suspected, countsLosses: countsLosses,
                identity: identity(row.name))
        }
        guard top.others > 0 else { return }
        others = ReportRow(
            label: "\(HumanNumber.count(top.others)) others", proven: top.othersProven, suspected: top.othersSuspected,
            countsLosses: countsLosses)
    }
}
