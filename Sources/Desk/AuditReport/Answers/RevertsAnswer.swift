package import AuditAnalysis
import SyncBytes
import SyncLines
import SyncMerge
import SyncModel

/// The edits that were put back.
package struct RevertsAnswer: Answer {
    private let ledger: RevertLedger

    /// The answer to a ledger.
    package init(_ ledger: RevertLedger) { self.ledger = ledger }

    /// The edits put back, in the order of the trace.
    package var document: Document {
        [
            "writesWithoutContext": ledger.evidence.withoutContext,
            "reverts": Rows(ledger.reverts) { revert in
                func side(_ write: TaggedWrite) -> Document {
                    [
                        "device": write.dot.device, "n": write.dot.sequence, "ts": Time(write.timestamp.milliseconds),
                        "value": write.value(of: revert.field) ?? FieldValue.null,
                    ]
                }
                let key = revert.write.key
                return [
                    "recordType": key.type, "recordID": key.id, "field": revert.field, "edit": side(revert.edit),
                    "write": side(revert.write),
                ]
            },
        ]
    }

    /// Comma-separated values with a line of names, in the order of the trace; the values are JSON.
    package var csv: String {
        var text = CSVText.line(["recordType", "recordID", "field", "device", "written", "value", "putBackBy", "putBack", "putBackTo"])
        for revert in ledger.reverts {
            let (edit, write) = (revert.edit, revert.write)
            func json(_ write: TaggedWrite) -> String { CSVText.json(write.value(of: revert.field) ?? .null) }
            text += CSVText.line([
                write.key.type.rawValue.escaped(for: .spreadsheet), write.key.id.rawValue.escaped(for: .spreadsheet),
                revert.field.rawValue.escaped(for: .spreadsheet), edit.dot.device.rawValue.escaped(for: .spreadsheet),
                RFC3339.string(milliseconds: edit.timestamp.milliseconds), json(edit), write.dot.device.rawValue.escaped(for: .spreadsheet),
                RFC3339.string(milliseconds: write.timestamp.milliseconds), json(write),
            ])
        }
        return text
    }

    /// What was put back, the latest first.
    package func page(_ layout: PageLayout) -> Page {
        var page = Page()
        let (evidence, reverts) = (ledger.evidence, ledger.reverts)
        page.headline(
            !reverts.isEmpty
                ? Self.sentence(reverts.count)
                : evidence.writes == 0 ? "There is no write in it: name the trace" : "No edit is known to have been put back")
        if evidence.writes > 0 || !reverts.isEmpty, !evidence.isComplete { page.paragraph(evidence.contextShare, .aside) }
        guard !reverts.isEmpty else { return page }
        page.lineBreak()
        for revert in reverts.suffix(layout.top).reversed() {
            let time = RFC3339.string(milliseconds: revert.write.timestamp.milliseconds).prefix(16)
            let (author, other) = (revert.edit.dot.device.rawValue, revert.write.dot.device.rawValue)
            let (edit, result) = (value(revert.edit, revert.field) ?? "removal", value(revert.write, revert.field) ?? "nothing")
            let register = EventText.register(revert.write.key, revert.field, layout.names)
            page.item(
                (String(time), .name), ("  ", .plain),
                words: "\(EventText.name(author))'s \(edit) in \(register) was put back to \(result) by \(EventText.name(other))")
        }
        let more = reverts.count - layout.top
        if more > 0 { page.paragraph("and \(HumanNumber.count(more)) more; --format csv lists all", .aside) }
        return page
    }

    private func value(_ write: TaggedWrite, _ field: FieldName) -> String? {
        write.value(of: field).flatMap { $0 == .null ? nil : EventText.value($0) }
    }

    /// What is said of a number of them: where they come from, as likely as not.
    private static func sentence(_ count: Int) -> String {
        "\(HumanNumber.count(count, "edit")) \(count == 1 ? "was" : "were") put back by writers who had seen \(count == 1 ? "it" : "them"): "
            + "a resolver that merges by itself looks like this"
    }

    /// The sentence, and which command lists them; nil where there are none.
    package static func note(_ count: Int) -> String? {
        count > 0 ? "\(sentence(count)); 'syncaudit lost --reverts FILES' lists them" : nil
    }
}
