package import AuditAnalysis

/// What logs tell of conflicts and of sync itself, counted: what was lost comes first, then how sure that is, then everything else; proven
/// and suspected conflicts never share a number.
///
/// Names from data are escaped, so that nothing in them acts on the terminal.
package struct ReportAnswer: Answer {
    let summary: Summary
    let clocks: ClockWhatIf.Answer?
    let top: Int

    /// An answer.
    ///
    /// - Parameters:
    ///   - summary: What was counted.
    ///   - top: How many rows a list of ``document`` shows before it adds up the rest.
    ///   - clocks: What would change if the clocks were right; nil where nobody asked, or there is nothing to ask.
    package init(_ summary: Summary, top: Int = 10, clocks: ClockWhatIf.Answer? = nil) {
        (self.summary, self.top, self.clocks) = (summary, top, clocks)
    }

    /// Everything counted.
    ///
    /// - Complexity: O(*n* log *n*) in the distinct keys of the summary.
    package func page(_ layout: PageLayout) -> Page {
        let headline = ReportHeadline(summary, alarms: layout.alarms)
        var page = headline.page()
        guard summary.hasConflicts else {
            page.health(of: summary)
            if let unlooked = headline.unlooked {
                page.lineBreak()
                page.paragraph(unlooked, .aside)
            }
            return page
        }
        let sections = ReportSection.all(of: summary, top: layout.top, width: layout.width, names: layout.names)
        let totals = ReportRow(label: "", proven: summary.proven.total, suspected: summary.suspected.total)
        let grid = ReportGrid(totals: totals, labelWidths: sections.flatMap(\.labelWidths), width: layout.width)
        for section in sections { page.section(section, in: grid) }
        page.health(of: summary)
        for footer in headline.footers {
            page.lineBreak()
            page.paragraph(footer, .aside)
        }
        return page
    }
}

extension ReportHeadline {
    /// The answer, what one must know to read it, and what needs attention.
    ///
    /// - Parameter isBrief: Whether to leave out what could be known and is not.
    func page(isBrief: Bool = false) -> Page {
        var page = Page()
        page.headline(sentence, tone)
        for alarm in alarms { page.paragraph(alarm, .warning) }
        for note in isBrief ? briefNotes : notes { page.paragraph(note, .aside) }
        for warning in warnings { page.paragraph(warning, .warning) }
        if let outcome { page.paragraph(outcome, .aside) }
        return page
    }
}
