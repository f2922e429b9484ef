package import AuditAnalysis
import ConflictAudit
import SyncMerge
import SyncModel

/// Draws a summary on one screen: the answer, what needs attention, three of the edits lost, where most is lost, and what to do next.
///
/// What is not shown is in ``TableRenderer``. Names from data are escaped, so that nothing in them acts on the terminal.
package struct OverviewRenderer: Sendable {
    private let layout: PageLayout
    private let rows: Int?
    private let source: String
    private let hasLines: Bool

    private let height: Int

    /// The lines of the usual terminal, but for the one of the shell that comes behind.
    package static let usualHeight = 23

    /// A renderer.
    ///
    /// - Parameters:
    ///   - rows: How many rows each breakdown shows; as many as fit on the screen where nil.
    ///   - height: How many lines the screen has; more are written only where so few are no use.
    ///   - source: The inputs as a shell takes them, for the commands to run next.
    ///   - hasLines: Whether the inputs hold the lines of the conflicts, as summaries do not: other verbs can show them then.
    package init(_ layout: PageLayout = PageLayout(), rows: Int? = nil, height: Int = usualHeight, source: String, hasLines: Bool = true) {
        (self.layout, self.rows, self.height, self.source, self.hasLines) = (layout, rows, height, source, hasLines)
    }

    /// The screen, lines ended by line feeds.
    ///
    /// - Complexity: O(*n* log *n*) in the distinct keys of the summary.
    package func render(_ summary: Summary) -> String {
        let headline = ReportHeadline(summary, alarms: layout.alarms)
        var page = ReportPage(width: layout.width, style: layout.style)
        page.draw(headline, layout.style, isBrief: true)
        let next = nextSteps(summary)
        guard summary.hasConflicts else {
            // Of logs that tell of nothing there is nothing more to see.
            if !summary.health.isEmpty { draw(next, &page) }
            return page.text
        }
        page = examples(summary, below: page, above: next.count)
        let room = height - page.lineCount - next.count - 1
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
        for section in shown { page.draw(section, in: grid) }

        draw(next, &page)
        return page.text
    }

    private func draw(_ next: [(command: String, purpose: String)], _ page: inout ReportPage) {
        page.lineBreak()
        for step in next {
            page.add(
                TerminalText.padded(step.command, to: next.map { TerminalText.width($0.command) }.max() ?? 0), step.purpose, layout.style)
        }
    }

    /// As many of the examples as leave room for one breakdown of two rows, and one in any case.
    private func examples(_ summary: Summary, below page: ReportPage, above next: Int) -> ReportPage {
        let examples = summary.examples.conflicts
        guard !examples.isEmpty else { return page }
        for count in (1...examples.count).reversed() {
            var longer = page
            draw(examples.prefix(count), &longer)
            if count == 1 || height - longer.lineCount - next - 1 >= 4 { return longer }
        }
        return page
    }

    private func draw(_ examples: ArraySlice<Conflict>, _ page: inout ReportPage) {
        page.lineBreak()
        for conflict in examples {
            // Two lines, of which a word that goes to the next leaves some room.
            page.item(LossSentence(conflict, names: layout.names).fitting(2 * (layout.width - 2) - 12), layout.style.red("•"))
        }
        if examples.contains(where: { $0.reason == .deleteWins }) {
            page.paragraph(
                "The policy lets deletes win: 'syncaudit replay --deletes edit-wins' compares",
                indentation: 2, layout.style.dim)
        }
    }

    /// Whether `check` can find what was not looked for here: in a pipe that holds no writes there is nothing.
    private func isForCheck(_ summary: Summary) -> Bool {
        guard let unlooked = layout.alarms.unlooked else { return false }
        return unlooked.isForCheck && (unlooked != .stream || summary.hasWriteLines)
    }

    private func nextSteps(_ summary: Summary) -> [(command: String, purpose: String)] {
        var steps: [(words: String, purpose: String)] = []
        if hasLines, let first = summary.examples.conflicts.first {
            steps.append(("show \(first.id)", "the first of these, whole"))
            steps.append(("lost", summary.proven.total.losses > 0 ? "every value lost" : "every value perhaps lost"))
        }
        if isForCheck(summary) { steps.append(("check", "mass effects, not looked for here")) }
        steps.append(("report --all", "everything counted"))
        // A command that is cut off is of no use.
        let isLong = steps.contains { TerminalText.width("syncaudit \($0.words) \(source)") > layout.width }
        return steps.map { ("syncaudit \($0.words) \(isLong ? "FILES" : source)", $0.purpose) }
    }
}
