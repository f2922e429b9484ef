import ConflictAudit
import SyncModel

/// The ancestor and both sides beside each other, what differs between guillemets.
struct SidesDrawing {
    let text: String

    /// The lines that one value may take.
    private static let height = 3
    /// The fields that are shown of a whole record.
    private static let rows = 6

    init(_ details: ConflictDetails, width: Int, style: TerminalStyle) {
        let conflict = details.conflict
        let (loser, winner) = (EventText.name(conflict.loser.dot.device.rawValue), EventText.name(conflict.winner.dot.device.rawValue))
        let titles = conflict.severity.isLoss ? ["lost: \(loser)", "shown: \(winner)"] : [loser, winner]
        var rows: [(name: String?, cells: [String])] = []
        if conflict.field == nil, conflict.winner.value?.object != nil || conflict.loser.value?.object != nil {
            let (mine, theirs) = (conflict.loser.value?.object, conflict.winner.value?.object)
            let names = Set((mine?.map(\.name) ?? []) + (theirs?.map(\.name) ?? [])).sorted()
            for name in names.prefix(Self.rows) {
                let cells = Self.cells(
                    details.ancestor?.object?[name], (conflict.loser, mine?[name]), (conflict.winner, theirs?[name]), unnamed: "–")
                rows.append((EventText.name(name.rawValue), cells))
            }
            if names.count > Self.rows { rows.append(("and \(HumanNumber.count(names.count - Self.rows)) more", [])) }
        } else {
            let sides = ((conflict.loser, conflict.loser.value), (conflict.winner, conflict.winner.value))
            rows.append((nil, Self.cells(details.ancestor, sides.0, sides.1, unnamed: "(left out of the log)")))
            if let result = conflict.result { rows.append(("result: " + EventText.value(result), [])) }
        }
        let column = (width - 4) / 3
        var lines = [style.bold(Self.line((["both had seen"] + titles).map { TerminalText.shortened($0, to: column) }, column))]
        for (name, cells) in rows {
            if let name { lines.append("  " + style.cyan(TerminalText.truncated(name, to: width - 2))) }
            let drawn = cells.map { Self.wrapped($0, column) }
            for row in 0..<(drawn.map(\.count).max() ?? 0) {
                lines.append(Self.line(drawn.map { row < $0.count ? $0[row] : "" }, column))
            }
        }
        text = lines.joined(separator: "\n") + "\n"
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

    private static func wrapped(_ text: String, _ column: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        var used = 0
        for character in text {
            let more = TerminalText.width(String(character))
            if used + more > column {
                lines.append(line)
                (line, used) = ("", 0)
                if lines.count == height { break }
            }
            line.append(character)
            used += more
        }
        if lines.count == height {
            lines[height - 1] = TerminalText.truncated(lines[height - 1] + " ", to: column)
        } else if !line.isEmpty {
            lines.append(line)
        }
        return lines
    }

    private static func line(_ cells: [String], _ column: Int) -> String {
        var line = cells.map { TerminalText.padded($0, to: column) }.joined(separator: "  ")
        while line.last == " " { line.removeLast() }
        return line
    }
}
