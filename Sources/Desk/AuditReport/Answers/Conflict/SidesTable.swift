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

    /// The headings of the columns.
    let titles: [String]
    private(set) var rows: [Row] = []

    /// The fields that are shown of a whole record.
    private static let limit = 6

    init(_ details: ConflictDetails) {
        if details.versions.isEmpty { self.init(sidesOf: details) } else { self.init(details.versions, details.conflict.field) }
    }

    private init(sidesOf details: ConflictDetails) {
        let conflict = details.conflict
        let (loser, winner) = (EventText.name(conflict.loser.dot.device.rawValue), EventText.name(conflict.winner.dot.device.rawValue))
        titles =
            if let versions = conflict.versions {
                ["base: \(versions.base.map { EventText.name($0) } ?? "not told")"]
                    + [("lost", versions.lost, loser), ("save", versions.save, winner)].map {
                        "\($0.0): \(EventText.name($0.1)) of \($0.2)"
                    }
            } else {
                ["both had seen"] + (conflict.severity.isLoss ? ["lost: \(loser)", "shown: \(winner)"] : [loser, winner])
            }
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

    /// The versions of a record in a column each, of its fields those that are not the same in all, the lost one first.
    private init(_ versions: [SavedVersion], _ lost: FieldName?) {
        titles = versions.map { "\($0.role.rawValue): \(EventText.name($0.name))" }
        rows.append(Row(name: nil, cells: versions.map { $0.author.map { "of \(EventText.name($0.rawValue))" } ?? "–" }))
        let maps = versions.compactMap(\.fields)
        let all = Set(maps.flatMap(\.names)).sorted()
        let names = all.filter { name in Set(maps.map { $0[name] }).count > 1 || name == lost }
        for name in names.filter({ $0 == lost }) + names.filter({ $0 != lost }).prefix(Self.limit - 1) {
            let base = versions[0].fields?[name]
            let cells = versions.enumerated().map { index, version -> String in
                guard let fields = version.fields else { return "(deleted)" }
                guard let value = fields[name] else { return "–" }
                return index == 0 ? ValueDifference.plain(value) : ValueDifference.marked(value, against: base)
            }
            rows.append(Row(name: EventText.name(name.rawValue), cells: cells))
        }
        if names.count > Self.limit {
            rows.append(Row(name: "and \(HumanNumber.count(names.count - Self.limit)) more that differ", cells: []))
        }
        if names.count < all.count {
            rows.append(Row(name: "\(HumanNumber.count(all.count - names.count, "field")) alike in all", cells: []))
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
