import AuditAnalysis
import ConflictAudit
import SyncModel

/// The ancestor and both sides beside each other, what differs between guillemets: the cells, however they are drawn.
///
/// Nothing in them acts on a terminal.
struct SidesTable {
    /// One line of the table.
    struct Row {
        /// The field, nil where the table is about one.
        let name: String?
        /// The ancestor, the loser and the winner; none where the name says all.
        let cells: [String]
    }

    /// The headings of the three columns.
    let titles: [String]
    private(set) var rows: [Row] = []

    /// The fields that are shown of a whole record.
    private static let limit = 6

    init(_ details: ConflictDetails) {
        let conflict = details.conflict
        let (loser, winner) = (EventText.name(conflict.loser.dot.device.rawValue), EventText.name(conflict.winner.dot.device.rawValue))
        titles = ["both had seen"] + (conflict.severity.isLoss ? ["lost: \(loser)", "shown: \(winner)"] : [loser, winner])
        if conflict.field == nil, conflict.winner.value?.object != nil || conflict.loser.value?.object != nil {
            let (mine, theirs) = (conflict.loser.value?.object, conflict.winner.value?.object)
            let names = Set((mine?.map(\.name) ?? []) + (theirs?.map(\.name) ?? [])).sorted()
            for name in names.prefix(Self.limit) {
                let cells = Self.cells(
                    details.ancestor?.object?[name], (conflict.loser, mine?[name]), (conflict.winner, theirs?[name]), unnamed: "–")
                rows.append(Row(name: EventText.name(name.rawValue), cells: cells))
            }
            if names.count > Self.limit { rows.append(Row(name: "and \(HumanNumber.count(names.count - Self.limit)) more", cells: [])) }
        } else {
            let sides = ((conflict.loser, conflict.loser.value), (conflict.winner, conflict.winner.value))
            rows.append(Row(name: nil, cells: Self.cells(details.ancestor, sides.0, sides.1, unnamed: "(left out of the log)")))
            if let result = conflict.result { rows.append(Row(name: "result: " + EventText.value(result), cells: [])) }
        }
    }

    /// Each side marked against the ancestor, or where there is none against the other.
    private static func cells(
        _ ancestor: FieldValue?, _ loser: (side: Conflict.Side, value: FieldValue?), _ winner: (side: Conflict.Side, value: FieldValue?),
        unnamed: String
    ) -> [String] {
        func cell(_ side: Conflict.Side, _ value: FieldValue?, _ base: FieldValue?) -> String {
            guard let value else { return side.operation == .delete ? "(deleted)" : unnamed }
            return ValueDifference.marked(value, against: base)
        }
        return [
            ancestor.map(ValueDifference.plain) ?? "–", cell(loser.side, loser.value, ancestor ?? winner.value),
            cell(winner.side, winner.value, ancestor ?? loser.value),
        ]
    }
}
