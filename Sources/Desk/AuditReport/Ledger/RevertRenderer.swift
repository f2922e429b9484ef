package import AuditAnalysis
import SyncBytes
import SyncLines
import SyncMerge
import SyncModel

/// Writes the edits that were put back.
package enum RevertRenderer {
    /// What is said of a number of them: where they come from, as likely as not.
    package static func sentence(_ count: Int) -> String {
        "\(HumanNumber.count(count, "edit")) \(count == 1 ? "was" : "were") put back by writers who had seen \(count == 1 ? "it" : "them"): "
            + "a resolver that merges by itself looks like this"
    }

    /// The sentence, and which command lists them; nil where there are none.
    package static func note(_ count: Int) -> String? {
        count > 0 ? "\(sentence(count)); 'syncaudit lost --reverts FILES' lists them" : nil
    }

    /// A list for people, lines ended by line feeds.
    package static func text(_ ledger: RevertLedger, _ layout: PageLayout) -> String {
        var page = ReportPage(width: layout.width, style: layout.style)
        let evidence = ledger.evidence
        guard !ledger.reverts.isEmpty else {
            page.paragraph(
                evidence.writes == 0 ? "There is no write in it: name the trace" : "No edit is known to have been put back",
                layout.style.bold)
            if evidence.writes > 0, !evidence.isComplete { page.paragraph(evidence.contextShare, layout.style.dim) }
            return page.text
        }
        page.paragraph(sentence(ledger.reverts.count), layout.style.bold)
        if !evidence.isComplete { page.paragraph(evidence.contextShare, layout.style.dim) }
        page.lineBreak()
        for revert in ledger.reverts.suffix(layout.top).reversed() {
            let register = EventText.register(revert.write.key, revert.field, layout.names)
            page.item(
                "\(EventText.name(revert.edit.dot.device.rawValue))'s \(value(revert.edit, revert.field) ?? "removal") in \(register) was put back to "
                    + "\(value(revert.write, revert.field) ?? "nothing") by \(EventText.name(revert.write.dot.device.rawValue))",
                String(RFC3339.string(milliseconds: revert.write.timestamp.milliseconds).prefix(16)), layout.style.cyan)
        }
        let more = ledger.reverts.count - layout.top
        if more > 0 { page.paragraph("  and \(HumanNumber.count(more)) more; --format csv lists all", layout.style.dim) }
        return page.text
    }

    private static func value(_ write: TaggedWrite, _ field: FieldName) -> String? {
        write.value(of: field).flatMap { $0 == .null ? nil : EventText.value($0) }
    }

    /// One JSON object on one line: `{"reverts":[{"recordType":…,"recordID":…,"field":…,"edit":{…},"write":{…}}]}`.
    ///
    /// They come in the order of the trace; each side has `device`, `n`, `ts` and `value`. `writesWithoutContext` is how many writes do not
    /// say what they had seen.
    package static func json(_ ledger: RevertLedger) -> [UInt8] {
        var buffer = LineBuffer()
        buffer.object { object in
            object.field("writesWithoutContext", ledger.evidence.writes - (ledger.evidence.withContext ?? 0))
            object.list("reverts", ledger.reverts) { object, revert in
                object.object { row in
                    row.record(revert.write.key)
                    row.field("field", revert.field.rawValue)
                    for (key, write) in [("edit", revert.edit), ("write", revert.write)] {
                        row.key(named: key)
                        row.object { side in
                            side.field("device", write.dot.device.rawValue)
                            side.field("n", write.dot.sequence)
                            side.date("ts", write.timestamp.milliseconds)
                            side.field("value", write.value(of: revert.field) ?? .null)
                        }
                    }
                }
            }
        }
        buffer.append(UInt8(ascii: "\n"))
        return buffer.array
    }

    /// Comma-separated values with a line of names, in the order of the trace; the values are JSON.
    package static func csv(_ ledger: RevertLedger) -> String {
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
}
