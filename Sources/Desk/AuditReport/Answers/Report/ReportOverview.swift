package import AuditAnalysis
import ConflictAudit
import SyncMerge
import SyncModel

/// What logs tell on one screen: the answer, what needs attention, three of the edits lost, where most is lost, and what to do next.
///
/// What is not shown is in ``ReportAnswer``. Names from data are escaped, so that nothing in them acts on the terminal.
package struct ReportOverview {
    private let summary: Summary
    private let rows: Int?
    private let height: Int
    private let source: String
    private let hasLines: Bool

    /// The lines of the usual terminal, but for the one of the shell that comes behind.
    package static let usualHeight = 23

    /// An overview.
    ///
    /// - Parameters:
    ///   - summary: What was counted.
    ///   - rows: How many rows each breakdown shows; as many as fit on the screen where nil.
    ///   - height: How many lines the screen has; more are written only where so few are no use.
    ///   - source: The inputs as a shell takes them, for the commands to run next.
    ///   - hasLines: Whether the inputs hold the lines of the conflicts, as summaries do not: other verbs can show them then.
    package init(_ summary: Summary, rows: Int? = nil, height: Int = usualHeight, source: String, hasLines: Bool = true) {
        (self.summary, self.rows, self.height, self.source, self.hasLines) = (summary, rows, height, source, hasLines)
    }

    /// The screen.
    ///
    /// - Complexity: O(*n* log *n*) in the distinct keys of the summary.
    package func page(_ layout: PageLayout) -> Page {
        var page = ReportHeadline(summary, alarms: layout.alarms).page(isBrief: true)
        let next = nextSteps(layout)
        guard summary.hasConflicts else {
            // Of logs that tell of nothing there is nothing more to see.
            if !summary.health.isEmpty { page.add(next) }
            return page
        }
        page.add(examples(layout, above: page.lineCount(width: layout.width) + next.lineCount(width: layout.width)))
        let room = height - page.lineCount(width: layout.width) - next.lineCount(width: layout.width)
        let fitting = ReportSection.all(of: summary, top: 1, width: layout.width).filter { $0.topic == .losses || $0.title == "By kind" }
            .count
        // A blank line, a heading and the sum of the others for each.
        let count = max(1, min(2, fitting, room / 4))
        let top = rows ?? max(1, min(4, room / count - 3))
        let sections = ReportSection.all(of: summary, top: top, width: layout.width)
        let losses = sections.filter { $0.topic == .losses }
        let shown = (losses.isEmpty ? sections.filter { $0.title == "By kind" || $0.title == "By field" } : losses).prefix(count)
        let totals = ReportRow(label: "", proven: summary.proven.total, suspected: summary.suspected.total)
        let grid = ReportGrid(totals: totals, labelWidths: shown.flatMap(\.labelWidths), width: layout.width)
        for section in shown { page.section(section, in: grid) }
        page.add(next)
        return page
    }

    /// As many of the examples as leave room for one breakdown of two rows, and one in any case.
    ///
    /// - Parameter taken: The lines of the screen that are taken.
    private func examples(_ layout: PageLayout, above taken: Int) -> Page {
        let examples = summary.examples.conflicts
        for count in (1..<examples.count + 1).reversed() {
            let page = Self.page(of: examples.prefix(count), layout)
            if count == 1 || height - page.lineCount(width: layout.width) - taken >= 4 { return page }
        }
        return Page()
    }

    private static func page(of examples: ArraySlice<Conflict>, _ layout: PageLayout) -> Page {
        var page = Page()
        page.lineBreak()
        for conflict in examples {
            // Two lines, of which a word that goes to the next leaves some room.
            let sentence = LossSentence(conflict, names: layout.names).fitting(2 * (layout.width - 2) - 12)
            page.item(("•", .bad), (" ", .plain), words: sentence)
        }
        if examples.contains(where: { $0.reason == .deleteWins }) {
            page.paragraph("The policy lets deletes win: 'syncaudit replay --deletes edit-wins' compares", indentation: 2, .aside)
        }
        return page
    }

    /// Whether `check` can find what was not looked for here: in a pipe that holds no writes there is nothing.
    private func isForCheck(_ alarms: ReportAlarms) -> Bool {
        guard let unlooked = alarms.unlooked else { return false }
        return unlooked.isForCheck && (unlooked != .stream || summary.hasWriteLines)
    }

    /// The commands to run next, after an empty line.
    private func nextSteps(_ layout: PageLayout) -> Page {
        var steps: [(words: String, purpose: String)] = []
        if hasLines, let first = summary.examples.conflicts.first {
            steps.append(("show \(first.id)", "the first of these, whole"))
            steps.append(("lost", summary.proven.total.losses > 0 ? "every value lost" : "every value perhaps lost"))
        }
        if isForCheck(layout.alarms) { steps.append(("check", "mass effects, not looked for here")) }
        steps.append(("report --all", "everything counted"))
        // A command that is cut off is of no use.
        let isLong = steps.contains { TerminalText.width("syncaudit \($0.words) \(source)") > layout.width }
        let commands = steps.map { "syncaudit \($0.words) \(isLong ? "FILES" : source)" }
        let longest = commands.map(TerminalText.width).max() ?? 0
        var page = Page()
        page.lineBreak()
        for (command, step) in zip(commands, steps) { page.command(TerminalText.padded(command, to: longest), purpose: step.purpose) }
        return page
    }
}
