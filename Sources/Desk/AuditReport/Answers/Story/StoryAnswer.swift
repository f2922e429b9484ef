package import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncModel

/// What happened to one record.
package struct StoryAnswer: Answer {
    private let story: RecordStory.Answer
    private let source: String?
    /// The most losses that a page tells of whose writes it does not show.
    private static let otherLossLimit = 50

    /// An answer.
    ///
    /// - Parameter source: How the command line that restores a value names what was read; nil where none can.
    package init(_ story: RecordStory.Answer, source: String?) { (self.story, self.source) = (story, source) }

    package var document: Document {
        let losses: [(step: Int?, edit: RecordStory.LostEdit)] =
            story.steps.enumerated().flatMap { step in step.element.losses.map { (step.offset, $0) } } + story.otherLosses.map { (nil, $0) }
        let conflicts = story.steps.enumerated().flatMap { step in step.element.conflicts.map { (step: step.offset, conflict: $0) } }
        return [
            "recordType": story.key.type, "recordID": story.key.id, "field": story.field, "writes": Rows(story.steps, document),
            "omitted": story.omittedCount, "isUnaudited": story.isUnaudited,
            "isAuditedHere": story.isAuditedHere,
            "losses": Rows(losses) {
                ["write": $0.step, "status": $0.edit.status.rawValue, "conflict": LoggedLine(conflict: $0.edit.conflict)]
            },
            "gone": story.gone.isEmpty ? nil : Rows(story.gone, document),
            "conflicts": Rows(conflicts) { ["write": $0.step, "conflict": LoggedLine(conflict: $0.conflict)] },
            "now": story.hasWrites ? story.now.map(FieldValue.object) ?? FieldValue.null : nil,
            "devices": Rows(story.replicas) {
                ["source": $0.name, "shown": $0.isWhole ? $0.shown.map(FieldValue.object) ?? FieldValue.null : nil, "missing": $0.missing]
            },
        ]
    }

    private func document(_ step: RecordStory.Step) -> Document {
        Document(
            document(step.write),
            [
                "parents": step.parents, "unseen": step.unseen, "hasContext": step.write.hasCausalContext, "isShown": step.isShown,
                "logs": Rows(step.logs) { ["source": $0.name, "at": $0.milliseconds.map(Time.init)] },
            ])
    }

    private func document(_ write: TaggedWrite) -> Document {
        [
            "device": write.dot.device, "n": write.dot.sequence, "ts": Time(write.timestamp.milliseconds),
            "op": write.isDelete ? "delete" : "put", "fields": write.fields.map(FieldValue.object),
        ]
    }

    package func page(_ layout: PageLayout) -> Page {
        let words = StoryWords(story, names: layout.names)
        var page = Page()
        page.headline(words.title)
        page.paragraph(words.counts, story.losses.contains { $0.status == .lost } ? .bad : .aside)
        for note in words.notes { page.paragraph(note, .aside) }
        page.lineBreak()
        draw(words, width: layout.width, on: &page)
        for loss in story.otherLosses.prefix(Self.otherLossLimit) { page.paragraph(words.sentence(loss), .bad) }
        if case let more = story.otherLosses.count - Self.otherLossLimit, more > 0 {
            page.paragraph("and \(HumanNumber.count(more, "loss", "losses")) more of writes that are not shown", .bad)
        }
        for sentence in words.gone(atMost: Self.otherLossLimit) { page.paragraph(sentence, .bad) }
        page.lineBreak()
        for (index, line) in words.now.enumerated() { page.paragraph(line, indentation: index == 0 ? 0 : 2, index == 0 ? .strong : .plain) }
        for (sentence, tone) in words.replicas { page.paragraph(sentence, tone) }
        if story.isUnaudited {
            page.lineBreak()
            page.line("To find conflicts: syncaudit audit FILE > conflicts.jsonl, and name that file too", .strong)
        }
        // What is shown instead has not moved on, so that giving the value back replaces nothing that came later.
        let shown = Set(story.steps.filter(\.isShown).map(\.write.dot))
        let open = story.losses.filter { $0.status == .lost && $0.isAvailable }
        guard let source, let loss = open.last(where: { shown.contains($0.conflict.winner.dot) }) else { return page }
        page.lineBreak()
        let isOneOfMany = open.contains { $0.conflict.winner.dot == loss.conflict.winner.dot && $0.conflict.id != loss.conflict.id }
        page.line(
            "Get \(isOneOfMany ? "all that it took" : "it") back: syncaudit restore \(isOneOfMany ? "--overwrite " : "")"
                + "\(loss.conflict.id) \(source)", .strong)
        return page
    }

    /// Draws the writes, each beside the lines that lead to it.
    private func draw(_ words: StoryWords, width: Int, on page: inout Page) {
        let graph = StoryGraph(parents: story.steps.map(\.parents))
        if graph.rows.isEmpty, !story.steps.isEmpty {
            page.paragraph("So many devices wrote side by side that no lines are drawn.", .aside)
        }
        let rows = graph.rows.isEmpty ? story.steps.map { _ in StoryGraph.Row(beside: "  ") } : graph.rows
        let margin = max(graph.width, 2)
        let lost = Set(story.losses.filter { $0.status == .lost }.map(\.conflict.loser.dot))
        for (index, (step, row)) in zip(story.steps, rows).enumerated() {
            if let above = row.above { page.line(above, .aside) }
            let mark: Page.Span = step.isShown ? ("●", .good) : ("○", lost.contains(step.write.dot) ? .bad : .plain)
            let beside: Page.Span = (TerminalText.padded(row.beside, to: margin), .aside)
            let right = TerminalText.padded(" " + row.right, to: margin - row.left.count - 1)
            for (line, part) in lines(of: words.headline(index), beside: margin, width).enumerated() {
                if line == 0 {
                    page.line((row.left, .aside), mark, (right, .aside), (part, .plain))
                } else {
                    page.line(beside, (part, .plain))
                }
            }
            for (sentence, tone) in words.remarks(index) {
                for part in lines(of: sentence, beside: margin + 4, width) { page.line(beside, ("    " + part, tone)) }
            }
            if let below = row.below { page.line(below, .aside) }
        }
    }

    private func lines(of sentence: String, beside margin: Int, _ width: Int) -> [String] {
        TerminalText.lines(sentence, to: max(20, width - margin), wide: .cut)
    }
}
