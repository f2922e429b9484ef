package import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncModel

/// Draws the result of a replay for a person at a terminal.
///
/// Names from data are escaped, so that nothing in them acts on the terminal. The same result always gives the same text.
package struct ReplayTable: Sendable {
    private let layout: PageLayout

    /// A renderer.
    package init(_ layout: PageLayout = PageLayout()) { self.layout = layout }

    /// The comparison and what follows from it, lines ended by line feeds.
    ///
    /// The recorded rules come first, then the others, those under which the fewest edits lose first.
    package func render(_ result: ReplayResult) -> String {
        let outcomes = Self.sorted(result.outcomes)
        var page = ReportPage(width: layout.width, style: layout.style)
        let others = result.outcomes.count - 1
        page.paragraph(
            "\(HumanNumber.count(result.writes, "write")) decided again under \(HumanNumber.count(others, "other policy", "other policies"))",
            layout.style.bold)
        if let recorded = result.outcomes.first {
            let (name, lost) = (recorded.name.escaped(for: .terminal), recorded.total.lost)
            var sentences: [String] = []
            if !result.evidence.isConclusive {
                sentences = ["Under \(name), \(result.finding)"]
                if let sentence = result.evidence.contextSentence(besides: recorded.total.conflicts) { sentences.append(sentence) }
            } else if lost > 0 {
                sentences = ["\(HumanNumber.count(lost, "edit")) \(lost == 1 ? "loses" : "lose") under \(name)"]
            }
            if let sentence = result.evidence.disorderSentence { sentences.append(sentence) }
            if lost > 0 { sentences.append("Which edits were lost in your system, its final rows tell: compare them with --outcome") }
            let color = result.evidence.isConclusive ? { $0 } : layout.style.yellow
            if !sentences.isEmpty { page.paragraph(sentences.joined(separator: ". ") + ".", color) }
        }
        if let best = result.recommendations.max(by: { ($0.saved ?? 0) < ($1.saved ?? 0) }), let saved = best.saved, saved > 0 {
            page.paragraph(
                "\(Self.name(best.register)): \(best.policy) would keep \(HumanNumber.count(saved)) of \(HumanNumber.count(best.lost)), "
                    + "more than any other change.",
                layout.style.green)
        }
        page.lineBreak()
        var text = page.text + layout.style.headed(table(outcomes))
        text += note("Winners: conflicts decided differently. Values: fields that show something else in the end.")
        for (index, outcome) in outcomes.enumerated() {
            let name = index == 0 ? "Recorded" : TextTable.letter(index - 1)
            let (suspected, waiting, lists) = (outcome.total.suspected, outcome.total.waiting, outcome.fieldsMadeLists)
            if suspected > 0 {
                let verb = suspected == 1 ? "is" : "are"
                text += note("\(name): \(HumanNumber.count(suspected)) of the edits that lose \(verb) only suspected.")
            }
            if waiting > 0 {
                text += note(
                    "\(name): \(HumanNumber.count(waiting)) of the edits that lose \(waiting == 1 ? "waits" : "wait") for the app to decide."
                )
            }
            if lists > 0 {
                text += note("\(name): \(HumanNumber.count(lists, "field")) of single values would hold lists of concurrent ones.")
            }
        }
        if result.plainWritesWithoutContext > 0 {
            let count = HumanNumber.count(result.plainWritesWithoutContext, "write")
            text += note("\(count) of numbers or lists without \"seen\" could not be read as increments or additions.")
        }
        if !result.fields.isEmpty {
            text += "\n" + layout.style.headed(fields(result, outcomes))
            if result.fields.count > layout.top { text += note("\(HumanNumber.count(result.fields.count - layout.top)) more with --top.") }
        }
        return text + "\n" + recommendations(result)
    }

    private static func sorted(_ outcomes: [ReplayResult.Outcome]) -> [ReplayResult.Outcome] {
        let others = outcomes.dropFirst().enumerated().ordered { left, right in
            let (one, other) = (left.element.total, right.element.total)
            return (one.lost, one.newlyLost, left.offset) < (other.lost, other.newlyLost, right.offset)
        }
        return outcomes.prefix(1) + others.map(\.element)
    }

    private func table(_ outcomes: [ReplayResult.Outcome]) -> String {
        var table = TextTable(columns: [
            .init("Policy", isFlexible: true), .init("conflicts", alignment: .right), .init("lose", alignment: .right),
            .init("saved", alignment: .right), .init("newly lose", alignment: .right), .init("winners", alignment: .right),
            .init("values", alignment: .right),
        ])
        for (index, outcome) in outcomes.enumerated() {
            let total = outcome.total
            let differences = [total.saved, total.newlyLost, total.winnersChanged, total.valuesChanged].map {
                index == 0 ? "" : HumanNumber.count($0)
            }
            let name = outcome.name.escaped(for: .terminal)
            table.addRow(
                [
                    index == 0 ? "recorded: \(name)" : "\(TextTable.letter(index - 1))  \(name)", HumanNumber.count(total.conflicts),
                    HumanNumber.count(total.lost),
                ]
                    + differences)
        }
        return table.render(maximumWidth: layout.width)
    }

    private func fields(_ result: ReplayResult, _ outcomes: [ReplayResult.Outcome]) -> String {
        let headings = ["recorded"] + outcomes.indices.dropLast().map(TextTable.letter)
        var table = TextTable(
            columns: [.init("Edits that lose, by field", isFlexible: true)] + headings.map { TextTable.Column($0, alignment: .right) })
        for field in result.fields.prefix(layout.top) {
            table.addRow([Self.name(field)] + outcomes.map { HumanNumber.count($0.byField[field]?.lost ?? 0) })
        }
        return table.render(maximumWidth: layout.width)
    }

    private func recommendations(_ result: ReplayResult) -> String {
        guard !result.recommendations.isEmpty else {
            let loses = result.evidence.isConclusive ? "loses" : "is known to lose"
            return "Nothing to recommend: no field looks like a counter or a list, and no edit \(loses).\n"
        }
        var page = ReportPage(width: layout.width, style: layout.style)
        page.paragraph("Recommendations", layout.style.bold)
        for one in result.recommendations.prefix(layout.top) {
            page.paragraph("\(Self.name(one.register)): \(one.policy)", indentation: 2, layout.style.cyan)
            page.paragraph(one.reason + ".", indentation: 6) { $0 }
        }
        let more = result.recommendations.count - layout.top
        if more > 0 { page.paragraph("\(HumanNumber.count(more)) more with --top.", layout.style.dim) }
        return page.text
    }

    private func note(_ sentence: String) -> String {
        var page = ReportPage(width: layout.width, style: layout.style)
        page.paragraph(sentence, layout.style.dim)
        return page.text
    }

    private static func name(_ field: ConflictStatistics.FieldKey) -> String {
        (field.field.map { "\(field.type).\($0)" } ?? "\(field.type) (whole record)").escaped(for: .terminal)
    }
}
