import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncMerge

extension ReportAnswer {
    /// The report for a pull request or an issue: GitHub Flavored Markdown, lines ended by line feeds.
    ///
    /// The sections of ``page(_:)`` as tables. Names from data are written so that they are nothing but text: no markup and no link.
    ///
    /// - Complexity: O(*n* log *n*) in the distinct keys of the summary.
    package func markdown(_ layout: PageLayout) -> String {
        let headline = ReportHeadline(summary, alarms: layout.alarms)
        var text = "**\(headline.sentence.escaped(for: .markdown))**\n"
        for alarm in headline.alarms { text += "\n\(alarm.escaped(for: .markdown))\n" }
        let examples = summary.examples.conflicts
        if !examples.isEmpty { text += "\n" }
        for conflict in examples { text += "- \(LossSentence(conflict, names: layout.names).text.escaped(for: .markdown))\n" }
        if examples.contains(where: { $0.reason == .deleteWins }) { text += "\n\(LossSentence.deletesWin.escaped(for: .markdown))\n" }
        for note in headline.notes + (headline.outcome.map { [$0] } ?? []) + headline.warnings {
            text += "\n\(note.escaped(for: .markdown))\n"
        }
        let health = HealthTable.all(of: summary).map { "\n" + Self.table($0) }.joined()
        guard summary.hasConflicts else {
            return text + health + (headline.unlooked.map { "\n\($0.escaped(for: .markdown))\n" } ?? "")
        }
        // Names need not be cut: a page has no last column.
        let sections = ReportSection.all(of: summary, top: layout.top, width: 400, names: layout.names)
        let totals = ReportRow(label: "", proven: summary.proven.total, suspected: summary.suspected.total)
        let columns = ReportGrid.Column.needed(for: totals)
        for section in sections { text += "\n" + Self.table(section, columns) }
        text += health
        for footer in headline.footers { text += "\n\(footer.escaped(for: .markdown))\n" }
        return text
    }

    private static func table(_ section: ReportSection, _ columns: [ReportGrid.Column]) -> String {
        switch section.content {
        case .sentence(let sentence): return "\(section.title.escaped(for: .markdown)): \(sentence.escaped(for: .markdown))\n"
        case .lengths(let lengths):
            let certainties = ReportSection.certainties(in: lengths)
            let rows = lengths.map { length in
                [length.label.escaped(for: .markdown)]
                    + certainties.map { length[keyPath: $0.length].map { HumanNumber.duration(milliseconds: $0) } ?? "" }
            }
            return table([section.title.escaped(for: .markdown)] + certainties.map(\.name), rows)
        case .breakdown(let breakdown):
            let used = columns.filter(breakdown.fills)
            let rows = (breakdown.rows + (breakdown.others.map { [$0] } ?? [])).map { row in
                [row.label.escaped(for: .markdown)] + used.map { $0.value(row).map { HumanNumber.count($0) } ?? "" }
            }
            return table([section.title.escaped(for: .markdown)] + used.map { $0.heading(short: false) }, rows)
        }
    }

    private static func table(_ table: HealthTable) -> String {
        let rows = table.rows.map { row in ([row.device] + row.cells).map { $0.escaped(for: .markdown) } }
        return Self.table(([table.title] + table.headings).map { $0.escaped(for: .markdown) }, rows) { table.isOfWords($0 - 1) }
    }

    private static func table(_ headings: [String], _ rows: [[String]], isOfWords: (Int) -> Bool = { _ in false }) -> String {
        let rule = headings.indices.map { $0 == 0 || isOfWords($0) ? ":--" : "--:" }
        return ([headings, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
    }
}

extension Escaping {
    /// Writes a backslash before everything that could be markup, as CommonMark has it, and what a reader's display would act on as on a
    /// terminal.
    ///
    /// The string may be a cell of a table, begin a line or follow on others; spaces around it are left out, since they would be there too.
    /// Sentences stay readable in the source: a mark that means something only in some surroundings is escaped only there.
    static let markdown = Escaping { string in
        let scalars = Array(string.escaped(for: .terminal).unicodeScalars)
        // A full stop makes no link unless it is in the name of a server.
        let hasServer = string.contains("www")
        // A number with a mark behind it begins a list.
        let afterNumber = scalars.firstIndex { !("0"..."9" ~= $0) && $0 != " " }
        var (text, isAtStart) = ("", true)
        for (index, scalar) in scalars.enumerated() {
            let next = index + 1 < scalars.count ? scalars[index + 1] : " "
            if isAtStart, scalar == " " { continue }
            let isEscaped =
                switch scalar {
                case "\\", "`", "*", "_", "[", "]", "<", ">", "#", "|", "~", "$", "&", "@": true
                case "-": isAtStart && (next == " " || next == "-")
                case "+": isAtStart && next == " "
                case "=": isAtStart
                // As of the address of a page or of a person.
                case ":": next == "/" || next.properties.isAlphabetic
                case ".": hasServer || index == afterNumber && next == " "
                case ")": index == afterNumber && next == " "
                default: false
                }
            if isEscaped { text += "\\" }
            text.unicodeScalars.append(scalar)
            isAtStart = false
        }
        while text.last == " " { text.removeLast() }
        return text
    }
}
