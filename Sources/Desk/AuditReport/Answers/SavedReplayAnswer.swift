package import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncLines
import SyncModel

/// What would have kept the edits that a table of saved rows lost: nothing is decided again, for in the rows stands what the server kept.
///
/// ```swift
/// print(SavedReplayAnswer(audit.finish()).text(PageLayout()))
/// ```
package struct SavedReplayAnswer: Answer {
    /// A way to save, and what it would have lost.
    private struct Outcome {
        let name: String
        let title: String
        let lost: [Conflict]
        var refused: Int?
    }

    private let result: SavedRowsAudit.Result
    private let outcomes: [Outcome]

    package init(_ result: SavedRowsAudit.Result) {
        self.result = result
        let losses = result.conflicts.map(\.conflict)
        outcomes = [
            Outcome(name: "asKept", title: "as it is", lost: losses),
            Outcome(name: "changedFields", title: "changed fields sent alone", lost: losses.filter { SavedLossKind($0) != .putBack }),
            Outcome(name: "checkedBase", title: "base checked, 409", lost: [], refused: result.staleSaves),
        ]
    }

    // MARK: For a person

    /// The comparison.
    package func page(_ layout: PageLayout) -> Page {
        let sentences = SavedRowsSentences(result)
        var page = Page()
        page.headline(sentences.finding + ".")
        for sentence in sentences.all.dropFirst() { page.paragraph(sentence.prefix(1).uppercased() + sentence.dropFirst() + ".") }
        page.lineBreak()
        let total = result.conflicts.count
        var table = TextTable(columns: [
            .init("Saves", isFlexible: true), .init("edits lost", alignment: .right), .init("kept", alignment: .right),
            .init("saves refused", alignment: .right),
        ])
        for outcome in outcomes {
            let kept = outcome.lost.count < total ? HumanNumber.count(total - outcome.lost.count) : ""
            table.addRow([outcome.title, HumanNumber.count(outcome.lost.count), kept, outcome.refused.map { HumanNumber.count($0) } ?? ""])
        }
        page.table(table)
        let counts = outcomes.map { Self.byField($0.lost) }
        let fields = counts[0].ordered { ($1.value, $0.key) < ($0.value, $1.key) }
        if fields.isEmpty { return page }
        var breakdown = TextTable(
            columns: [.init("Edits lost, by field", isFlexible: true)] + outcomes.map { .init($0.title, alignment: .right) })
        for (key, _) in fields.prefix(layout.top) {
            breakdown.addRow([Self.name(key)] + counts.map { HumanNumber.count($0[key] ?? 0) })
        }
        page.lineBreak()
        page.table(breakdown)
        if fields.count > layout.top { page.line("and \(HumanNumber.count(fields.count - layout.top, "more field"))") }
        return page
    }

    private static func name(_ key: ConflictStatistics.FieldKey) -> String {
        let type = EventText.name(key.type.rawValue)
        return key.field.map { "\(type).\(EventText.name($0.rawValue))" } ?? type
    }

    private static func byField(_ losses: [Conflict]) -> [ConflictStatistics.FieldKey: Int] {
        Dictionary(losses.map { (ConflictStatistics.FieldKey(type: $0.key.type, field: $0.field), 1) }, uniquingKeysWith: +)
    }

    // MARK: For programs

    package var document: Document {
        [
            "replay": 1, "rows": result.rows, "saves": result.saves, "savesWithBase": result.told,
            "policies": Rows(outcomes.enumerated()) { index, outcome in
                [
                    "policy": outcome.name, "recorded": index == 0, "editsLost": outcome.lost.count,
                    "editsSuspected": outcome.lost.count { !$0.isProven }, "saved": result.conflicts.count - outcome.lost.count,
                    "savesRefused": outcome.refused,
                    "byField": Rows(Self.byField(outcome.lost).ordered { $0.key < $1.key }) { field, count in
                        ["recordType": field.type, "field": field.field, "editsLost": count]
                    },
                ]
            },
        ]
    }
}
