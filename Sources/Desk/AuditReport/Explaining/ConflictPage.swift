package import AuditAnalysis
import ConflictAudit
import SyncModel

/// Draws one conflict for a person at a terminal, on one screen.
package struct ConflictPage: Sendable {
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
    /// - Parameter source: How the command line that restores the value names the logs.
    package func render(_ details: ConflictDetails, source: String) -> String {
        let conflict = details.conflict
        var page = ReportPage(width: width, style: style)
        let certainty = conflict.isProven ? "proven" : "suspected"
        page.paragraph("\(EventText.register(conflict.key, conflict.field, names))  \(conflict.id)", style.bold)
        page.paragraph(
            "\(conflict.severity.rawValue), \(certainty), \(conflict.kind.rawValue), policy \(EventText.name(conflict.policy))", style.dim)
        page.paragraph(details.explanation.sentence + ".") { conflict.severity.isLoss ? style.red($0) : style.green($0) }
        for remark in details.explanation.remarks { page.paragraph(remark + ".", style.yellow) }
        var text = page.text
        text += "\n" + TimelineDrawing(details, width: width, style: style).text
        text += "\n" + SidesDrawing(details, width: width, style: style).text
        var footer = ReportPage(width: width, style: style)
        footer.lineBreak()
        let closing = ConflictClosing(details, source: source)
        for (sentence, tone) in closing.sentences { footer.paragraph(sentence) { style.toned($0, tone) } }
        text += footer.text
        // On a line of its own and never broken: it is there to be copied.
        if let command = closing.command { text += style.bold("Get it back: " + command) + "\n" }
        return text
    }
}

extension TerminalStyle {
    fileprivate func toned(_ text: String, _ tone: ConflictClosing.Tone) -> String {
        switch tone {
        case .plain: text
        case .aside: dim(text)
        case .good: green(text)
        case .warning: yellow(text)
        }
    }
}
