import ConflictAudit
import SyncModel

/// Draws one conflict for a person at a terminal, on one screen.
package struct ConflictPage: Sendable {
    private let style: TerminalStyle
    private let width: Int

    /// A page.
    ///
    /// - Parameters:
    ///   - style: Colours and weights; none unless given.
    ///   - width: The columns of the terminal; fewer than 40 count as 40.
    package init(style: TerminalStyle = TerminalStyle(isEnabled: false), width: Int = 80) {
        self.style = style
        self.width = max(width, 40)
    }

    /// The page, lines ended by line feeds.
    ///
    /// - Parameter source: How the command line that restores the value names the logs.
    package func render(_ details: ConflictDetails, source: String) -> String {
        let conflict = details.conflict
        var page = ReportPage(width: width, style: style)
        let certainty = conflict.isProven ? "proven" : "suspected"
        page.paragraph("\(EventText.place(conflict.key, conflict.field))  \(conflict.id)", style.bold)
        page.paragraph(
            "\(conflict.severity.rawValue), \(certainty), \(conflict.kind.rawValue), policy \(EventText.name(conflict.policy))", style.dim)
        page.paragraph(details.explanation.sentence + ".") { conflict.severity.isLoss ? style.red($0) : style.green($0) }
        for remark in details.explanation.remarks { page.paragraph(remark + ".", style.yellow) }
        var text = page.text
        text += "\n" + TimelineDrawing(details, width: width, style: style).text
        text += "\n" + SidesDrawing(details, width: width, style: style).text
        var footer = ReportPage(width: width, style: style)
        footer.lineBreak()
        for (sentence, tone) in closing(details, source: source) { footer.paragraph(sentence, tone) }
        text += footer.text
        if let force = restoring(details) {
            // On a line of its own and never broken: it is there to be copied.
            text += style.bold("Get it back: syncaudit restore\(force) \(conflict.id) \(source)") + "\n"
        }
        return text
    }

    /// What the command line that restores the value must say besides; nil where there is nothing to restore, or no way to.
    private func restoring(_ details: ConflictDetails) -> String? {
        guard details.recoverability == .available, !details.isRestored else { return nil }
        return details.successor == nil ? "" : " --force"
    }

    private func closing(_ details: ConflictDetails, source: String) -> [(String, (String) -> String)] {
        let conflict = details.conflict
        guard conflict.severity.isLoss else { return [("Nothing to restore.", style.dim)] }
        var sentences: [(String, (String) -> String)] = []
        if details.charactersLost > 0 {
            sentences.append(("Lost: \(HumanNumber.count(details.charactersLost, "character")) of text.", style.plain))
        }
        if let dot = details.restoredBy {
            sentences.append(("Restored by write \(dot.sequence) of \(EventText.name(dot.device.rawValue)).", style.green))
        } else if let dot = details.successor {
            sentences.append(
                (
                    "The field has moved on since: write \(dot.sequence) of \(EventText.name(dot.device.rawValue)) is shown now.",
                    style.yellow
                ))
        }
        switch details.recoverability {
        case .available: break
        case .omitted: sentences.append(("It cannot be restored from this log, which leaves the value out.", style.yellow))
        case .truncated: sentences.append(("It cannot be restored from this log, in which the value was cut.", style.yellow))
        case .notApplicable: sentences.append(("No single write to the record can bring back what was lost.", style.yellow))
        }
        if !details.siblings.isEmpty {
            let shown = details.siblings.prefix(3).map(\.description).joined(separator: ", ")
            let more = details.siblings.count > 3 ? " and \(HumanNumber.count(details.siblings.count - 3)) more" : ""
            sentences.append(("The same two writes also met in: \(shown)\(more).", style.dim))
        }
        return sentences
    }
}

extension TerminalStyle {
    /// The text as it is.
    fileprivate func plain(_ text: String) -> String { text }
}
