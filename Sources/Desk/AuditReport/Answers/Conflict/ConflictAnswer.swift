package import AuditAnalysis
import AuditLog
import ConflictAudit
package import SyncBytes
import SyncLines
package import SyncModel

/// One conflict: what met, what became of it and what can be done about it.
package struct ConflictAnswer: Answer {
    private let details: ConflictDetails
    private let source: String

    /// An answer.
    ///
    /// - Parameter source: How the command line that restores the value names the logs.
    package init(_ details: ConflictDetails, source: String) { (self.details, self.source) = (details, source) }

    package var document: Document {
        let explanation = details.explanation
        return [
            "conflict": LoggedLine(conflict: details.conflict),
            "explanation": [
                "outcome": explanation.outcome, "evidence": explanation.evidence, "remarks": explanation.remarks,
            ] as Document,
            "timeline": Rows(details.timeline.entries) { entry in
                [
                    "role": entry.role.rawValue, "device": entry.dot.device, "n": entry.dot.sequence,
                    "ts": Time(entry.timestamp.milliseconds), "counter": Int(entry.timestamp.counter), "op": entry.operation.rawValue,
                    "seen": entry.seen,
                ]
            },
            "recoverability": details.recoverability.rawValue, "charactersLost": details.charactersLost,
            "restored": details.isRestored, "restoredBy": details.restoredBy?.description, "successor": details.successor?.description,
            "siblings": details.siblings.map(\.description), "versions": details.versions.isEmpty ? nil : Rows(details.versions, document),
        ]
    }

    private func document(_ version: SavedVersion) -> Document {
        [
            "role": version.role.rawValue, "version": version.name, "device": version.author, "ts": version.milliseconds.map(Time.init),
            "fields": version.fields.map(FieldValue.object) ?? FieldValue.null,
        ]
    }

    /// What fits one screen.
    package func page(_ layout: PageLayout) -> Page {
        let conflict = details.conflict
        var page = Page()
        let certainty = conflict.isProven ? "proven" : "suspected"
        page.headline("\(EventText.register(conflict.key, conflict.field, layout.names))  \(conflict.id)")
        page.paragraph(
            "\(conflict.severity.rawValue), \(certainty), \(conflict.kind.rawValue), policy \(EventText.name(conflict.policy))", .aside)
        page.paragraph(details.explanation.sentence + ".", conflict.severity.isLoss ? .bad : .good)
        for remark in details.explanation.remarks { page.paragraph(remark + ".", .warning) }
        page.lineBreak()
        page.drawTimeline(of: details, width: layout.width)
        page.lineBreak()
        page.drawSides(of: details, width: layout.width)
        page.lineBreak()
        let closing = ConflictClosing(details, source: source)
        for (sentence, tone) in closing.sentences { page.paragraph(sentence, tone) }
        // On a line of its own and never broken: it is there to be copied.
        if let command = closing.command { page.line("Get it back: " + command, .strong) }
        return page
    }
}

/// A conflict as its line in a log has it.
struct LoggedLine: DocumentValue {
    let conflict: Conflict

    func append(to buffer: inout LineBuffer) {
        LineEncoder.append(AuditEvent(at: conflict.milliseconds, .conflict(conflict)), sequence: nil, source: nil, to: &buffer)
        // Without the line break.
        buffer.truncate(to: buffer.count - 1)
    }
}

extension VersionVector: DocumentValue {
    package func append(to buffer: inout LineBuffer) { WriteLine.append(self, to: &buffer) }
}
