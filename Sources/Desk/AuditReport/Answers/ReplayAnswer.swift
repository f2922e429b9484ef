package import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncLines
import SyncModel

/// What came of a trace under several policies, and what to change.
package struct ReplayAnswer: Answer {
    private let result: ReplayResult

    /// The answer to a replay.
    package init(_ result: ReplayResult) { self.result = result }

    // MARK: For programs

    package var document: Document {
        let evidence = result.evidence
        return [
            "replay": 1, "writes": result.writes, "writesWithoutContext": evidence.contexts.withoutContext,
            "isConclusive": evidence.isConclusive, "isDisordered": evidence.isDisordered, "impossibility": evidence.impossibility,
            "evidence": evidence.contextSentence(), "plainWritesWithoutContext": result.plainWritesWithoutContext,
            "finding": result.finding,
            "policies": Rows(result.outcomes.enumerated()) { index, outcome in
                Document(
                    ["policy": outcome.name, "recorded": index == 0], Self.document(outcome.total),
                    [
                        "byField": Rows(outcome.byField.ordered { $0.key < $1.key }) { field, count in
                            Document(["recordType": field.type, "field": field.field], Self.document(count))
                        }
                    ])
            },
            "recommendations": Rows(result.recommendations) { one in
                [
                    "recordType": one.register.type, "field": one.register.field, "policy": one.policy, "editsLost": one.lost,
                    "saved": one.saved, "reason": one.reason,
                ]
            },
        ]
    }

    private static func document(_ count: ReplayResult.Count) -> Document {
        [
            "conflicts": count.conflicts, "editsLost": count.lost, "editsSuspected": count.suspected, "waiting": count.waiting,
            "saved": count.saved, "newlyLost": count.newlyLost, "winnersChanged": count.winnersChanged,
            "valuesChanged": count.valuesChanged,
        ]
    }

    // MARK: For a person

    /// The comparison and what follows from it.
    ///
    /// The recorded rules come first, then the others, those under which the fewest edits lose first.
    package func page(_ layout: PageLayout) -> Page {
        let outcomes = Self.sorted(result.outcomes)
        var page = Page()
        let others = result.outcomes.count - 1
        page.headline(
            "\(HumanNumber.count(result.writes, "write")) decided again under \(HumanNumber.count(others, "other policy", "other policies"))"
        )
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
            let tone = result.evidence.isConclusive ? Tone.plain : .warning
            if !sentences.isEmpty { page.paragraph(sentences.joined(separator: ". ") + ".", tone) }
        }
        if let best = result.recommendations.max(by: { ($0.saved ?? 0) < ($1.saved ?? 0) }), let saved = best.saved, saved > 0 {
            page.paragraph(
                "\(best.register.label): \(best.policy) would keep \(HumanNumber.count(saved)) of \(HumanNumber.count(best.lost)), "
                    + "more than any other change.", .good)
        }
        page.lineBreak()
        page.table(table(outcomes))
        page.paragraph("Winners: conflicts decided differently. Values: fields that show something else in the end.", .aside)
        for (index, outcome) in outcomes.enumerated() {
            let name = index == 0 ? "Recorded" : TextTable.letter(index - 1)
            let (suspected, waiting, lists) = (outcome.total.suspected, outcome.total.waiting, outcome.fieldsMadeLists)
            if suspected > 0 {
                let verb = suspected == 1 ? "is" : "are"
                page.paragraph("\(name): \(HumanNumber.count(suspected)) of the edits that lose \(verb) only suspected.", .aside)
            }
            if waiting > 0 {
                let verb = waiting == 1 ? "waits" : "wait"
                page.paragraph("\(name): \(HumanNumber.count(waiting)) of the edits that lose \(verb) for the app to decide.", .aside)
            }
            if lists > 0 {
                page.paragraph(
                    "\(name): \(HumanNumber.count(lists, "field")) of single values would hold lists of concurrent ones.", .aside)
            }
        }
        if result.plainWritesWithoutContext > 0 {
            let count = HumanNumber.count(result.plainWritesWithoutContext, "write")
            page.paragraph("\(count) of numbers or lists without \"seen\" could not be read as increments or additions.", .aside)
        }
        if !result.fields.isEmpty {
            page.lineBreak()
            page.table(fields(outcomes, layout))
            let more = result.fields.count - layout.top
            if more > 0 { page.paragraph("\(HumanNumber.count(more)) more with --top.", .aside) }
        }
        page.lineBreak()
        drawRecommendations(layout, on: &page)
        return page
    }

    private static func sorted(_ outcomes: [ReplayResult.Outcome]) -> [ReplayResult.Outcome] {
        let others = outcomes.dropFirst().enumerated().ordered { left, right in
            let (one, other) = (left.element.total, right.element.total)
            return (one.lost, one.newlyLost, left.offset) < (other.lost, other.newlyLost, right.offset)
        }
        return outcomes.prefix(1) + others.map(\.element)
    }

    private func table(_ outcomes: [ReplayResult.Outcome]) -> TextTable {
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
        return table
    }

    private func fields(_ outcomes: [ReplayResult.Outcome], _ layout: PageLayout) -> TextTable {
        let headings = ["recorded"] + outcomes.indices.dropLast().map(TextTable.letter)
        var table = TextTable(
            columns: [.init("Edits that lose, by field", isFlexible: true)] + headings.map { TextTable.Column($0, alignment: .right) })
        for field in result.fields.prefix(layout.top) {
            table.addRow([field.label] + outcomes.map { HumanNumber.count($0.byField[field]?.lost ?? 0) })
        }
        return table
    }

    private func drawRecommendations(_ layout: PageLayout, on page: inout Page) {
        guard !result.recommendations.isEmpty else {
            let loses = result.evidence.isConclusive ? "loses" : "is known to lose"
            page.line("Nothing to recommend: no field looks like a counter or a list, and no edit \(loses).")
            return
        }
        page.headline("Recommendations")
        for one in result.recommendations.prefix(layout.top) {
            page.paragraph("\(one.register.label): \(one.policy)", indentation: 2, .name)
            page.paragraph(one.reason + ".", indentation: 6)
        }
        let more = result.recommendations.count - layout.top
        if more > 0 { page.paragraph("\(HumanNumber.count(more)) more with --top.", .aside) }
    }
}
