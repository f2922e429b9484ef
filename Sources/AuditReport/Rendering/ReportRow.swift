import ConflictAudit

/// One line of a breakdown: a name, and the conflicts and lost edits of both certainties.
struct ReportRow: Equatable {
    /// Safe for a terminal.
    var label: String
    var proven: ConflictTally.Count
    var suspected: ConflictTally.Count
    /// False where edits lost are not counted by this measure.
    var countsLosses = true

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

    /// The rows with the highest counts, by count from the highest, then by name.
    ///
    /// - Complexity: O(*n* log *n*) in the keys.
    init<Key: Hashable & Comparable>(
        proven: [Key: ConflictTally.Count], suspected: [Key: ConflictTally.Count], by measure: Measure = .conflicts,
        countsLosses: Bool = true, limit: Int, label: (Key) -> String
    ) {
        self.measure = measure
        func amount(_ key: Key) -> Int {
            let both = (proven[key] ?? .init(), suspected[key] ?? .init())
            return measure == .conflicts ? both.0.conflicts.addingCount(both.1.conflicts) : both.0.losses.addingCount(both.1.losses)
        }
        let amounts: [(key: Key, amount: Int)] = Set(proven.keys).union(suspected.keys).map { ($0, amount($0)) }
        let sorted = amounts.filter { $0.amount > 0 }.sorted { left, right in
            left.amount == right.amount ? left.key < right.key : left.amount > right.amount
        }
        func row(_ key: Key, label: String) -> ReportRow {
            ReportRow(label: label, proven: proven[key] ?? .init(), suspected: suspected[key] ?? .init(), countsLosses: countsLosses)
        }
        // One row more costs no more than a line that says there is one more.
        let shown = sorted.count == limit + 1 ? sorted.count : limit
        rows = sorted.prefix(shown).map { row($0.key, label: label($0.key)) }
        guard sorted.count > shown else { return }
        var others = ReportRow(
            label: "\(HumanNumber.count(sorted.count - shown)) others", proven: .init(), suspected: .init(), countsLosses: countsLosses)
        for element in sorted.dropFirst(shown) {
            others.proven.add(proven[element.key] ?? .init())
            others.suspected.add(suspected[element.key] ?? .init())
        }
        self.others = others
    }

    /// The names of two parts with the highest counts of conflicts, in the same order.
    ///
    /// - Complexity: O(*n*) in the names.
    init<Key: Comparable>(
        proven: NamedCounts, suspected: NamedCounts, limit: Int, key: (String, String) -> Key, label: (Key) -> String
    ) {
        // One row more costs no more than a line that says there is one more.
        let top = NamedCounts.top(limit, proven: proven, suspected: suspected, key: key)
        rows = top.rows.map { ReportRow(label: label($0.key), proven: $0.proven, suspected: $0.suspected) }
        guard top.others > 0 else { return }
        others = ReportRow(label: "\(HumanNumber.count(top.others)) others", proven: top.othersProven, suspected: top.othersSuspected)
    }
}
