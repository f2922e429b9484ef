package import AuditAnalysis
import ConflictAudit
import SyncLines
import SyncModel

/// Tells a record's story to a person at a terminal.
package struct StoryPage: Sendable {
    private let style: TerminalStyle
    private let width: Int
    private let names: RecordNames

    /// A page.
    ///
    /// - Parameters:
    ///   - style: Colours and weights; none unless given.
    ///   - width: The columns of the terminal; fewer than 40 count as 40.
    ///   - names: What people call records; nothing unless given.
    package init(style: TerminalStyle = TerminalStyle(isEnabled: false), width: Int = 80, names: RecordNames = .none) {
        self.style = style
        self.names = names
        self.width = max(width, 40)
    }

    /// The page, lines ended by line feeds.
    ///
    /// - Parameter source: How a command line names what was read.
    package func render(_ story: RecordStory.Answer, source: String) -> String {
        let words = StoryWords(story, names: names)
        var page = ReportPage(width: width, style: style)
        page.paragraph(words.title, style.bold)
        page.paragraph(words.counts) { story.losses.contains { $0.status == .lost } ? style.red($0) : style.dim($0) }
        for note in words.notes { page.paragraph(note, style.dim) }
        page.lineBreak()
        var text = page.text + steps(story, words)
        var end = ReportPage(width: width, style: style)
        for loss in story.otherLosses { end.paragraph(words.sentence(loss), style.red) }
        end.lineBreak()
        end.paragraph(words.now, style.bold)
        for (sentence, isBehind) in words.replicas { end.paragraph(sentence) { isBehind ? style.yellow($0) : style.dim($0) } }
        text += end.text
        let open = story.losses.filter { $0.status == .lost }
        if let loss = open.first {
            text += "\n" + style.bold("Get it back: syncaudit restore \(loss.conflict.id) \(source)") + "\n"
            if open.count > 1 { text += style.dim("and \(HumanNumber.count(open.count - 1)) more, each by its id above") + "\n" }
        }
        return text
    }

    private func steps(_ story: RecordStory.Answer, _ words: StoryWords) -> String {
        let graph = StoryGraph(parents: story.steps.map(\.parents))
        let rows = graph.rows.isEmpty ? story.steps.map { _ in StoryGraph.Row(beside: "  ") } : graph.rows
        let margin = max(graph.width, 2)
        var text = ""
        for (index, (step, row)) in zip(story.steps, rows).enumerated() {
            if let above = row.above { text += style.dim(above) + "\n" }
            let isLost = story.losses.contains { $0.conflict.loser.dot == step.write.dot && $0.status == .lost }
            let mark = step.isShown ? style.green("●") : isLost ? style.red("○") : "○"
            let left = style.dim(row.left) + mark + " " + style.dim(row.right) + blank(margin - row.left.count - 2 - row.right.count)
            let beside = style.dim(row.beside) + blank(margin - row.beside.count)
            for (line, part) in lines(of: words.headline(index), beside: margin).enumerated() {
                text += (line == 0 ? left : beside) + part + "\n"
            }
            for (sentence, tone) in words.remarks(index) {
                for part in lines(of: sentence, beside: margin + 4) {
                    text += beside + "    " + (tone == .lost ? style.red(part) : tone == .good ? style.green(part) : style.dim(part)) + "\n"
                }
            }
            if let below = row.below { text += style.dim(below) + "\n" }
        }
        return text
    }

    private func lines(of sentence: String, beside margin: Int) -> [String] {
        TerminalText.lines(sentence, to: max(20, width - margin), wide: .cut)
    }

    private func blank(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
