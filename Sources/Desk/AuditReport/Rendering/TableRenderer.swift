package import AuditAnalysis

/// Draws a summary for a person at a terminal.
///
/// What was lost comes first, then how sure that is, then everything else; proven and suspected conflicts never share a number. Names from
/// data are escaped, so that nothing in them acts on the terminal. The same summary always gives the same text.
package struct TableRenderer: Sendable {
    private let layout: PageLayout

    /// A renderer.
    package init(_ layout: PageLayout = PageLayout()) { self.layout = layout }

    /// The report, lines ended by line feeds.
    ///
    /// - Complexity: O(*n* log *n*) in the distinct keys of the summary.
    package func render(_ summary: Summary) -> String {
        let headline = ReportHeadline(summary, alarms: layout.alarms)
        var page = ReportPage(width: layout.width, style: layout.style)
        page.draw(headline, layout.style)
        let health = HealthTable.all(of: summary)
        guard summary.hasConflicts else {
            for table in health { page.draw(table) }
            if let unlooked = headline.unlooked {
                page.lineBreak()
                page.paragraph(unlooked, layout.style.dim)
            }
            return page.text
        }

        let sections = ReportSection.all(of: summary, top: layout.top, width: layout.width, names: layout.names)
        let totals = ReportRow(label: "", proven: summary.proven.total, suspected: summary.suspected.total)
        let grid = ReportGrid(totals: totals, labelWidths: sections.flatMap(\.labelWidths), width: layout.width)
        for section in sections { page.draw(section, in: grid) }
        for table in health { page.draw(table) }
        for footer in headline.footers {
            page.lineBreak()
            page.paragraph(footer, layout.style.dim)
        }
        return page.text
    }
}
