/// Draws a summary for a person at a terminal.
///
/// What was lost comes first, then how sure that is, then everything else; proven and suspected conflicts never share a number. Names from
/// data are escaped, so that nothing in them acts on the terminal. The same summary always gives the same text.
package struct TableRenderer: Sendable {
    /// How many rows a breakdown shows before it adds up the rest.
    package let top: Int
    /// Colours and weights, or none.
    package let style: TerminalStyle
    /// The columns of the terminal.
    package let width: Int

    /// A renderer.
    ///
    /// - Parameters:
    ///   - top: How many rows a breakdown shows; less than 1 counts as 1.
    ///   - style: Colours and weights; none unless given.
    ///   - width: The columns of the terminal; fewer than 40 count as 40.
    package init(top: Int = 10, style: TerminalStyle = TerminalStyle(isEnabled: false), width: Int = 80) {
        self.top = max(top, 1)
        self.style = style
        self.width = max(width, 40)
    }

    /// The report, lines ended by line feeds.
    ///
    /// - Complexity: O(*n* log *n*) in the distinct keys of the summary.
    package func render(_ summary: Summary) -> String {
        let headline = ReportHeadline(summary)
        var page = ReportPage(width: width, style: style)
        page.paragraph(headline.sentence) { sentence in
            switch headline.tone {
            case .good: style.bold(style.green(sentence))
            case .maybe: style.bold(style.yellow(sentence))
            case .lost: style.bold(style.red(sentence))
            }
        }
        for note in headline.notes { page.paragraph(note, style.dim) }
        for warning in headline.warnings { page.paragraph(warning, style.yellow) }
        guard summary.hasConflicts else { return page.text }

        let sections = ReportSection.all(of: summary, top: top, width: width)
        let totals = ReportRow(label: "", proven: summary.proven.total, suspected: summary.suspected.total)
        let grid = ReportGrid(totals: totals, labelWidths: sections.flatMap(\.labelWidths), width: width)
        for section in sections { page.draw(section, in: grid) }
        if let footer = headline.footer {
            page.lineBreak()
            page.paragraph(footer, style.dim)
        }
        return page.text
    }
}

extension Summary {
    var hasConflicts: Bool { proven.total.conflicts > 0 || suspected.total.conflicts > 0 }
}
