package import AuditAnalysis
import ConflictAudit

/// Writes a summary and a list of conflicts as one page of HTML that needs nothing else: no network, no server, no other file.
///
/// The sections of ``TableRenderer`` as charts and tables, and what `show` tells of each conflict listed. The page's own policy lets nothing run and
/// nothing load but the style and the script in it, which are the same in every page. The same input always gives the same page.
package struct HTMLRenderer: Sendable {
    /// How many rows a breakdown shows before it adds up the rest.
    package let top: Int
    /// How command lines name the logs.
    package let source: String

    /// The most devices in a row of the matrix.
    private static let matrixLimit = 12
    /// The most columns of the history: four months of days, two years of weeks, ten of months.
    private static let periods = 124

    /// A renderer.
    ///
    /// - Parameters:
    ///   - top: How many rows a breakdown shows; less than 1 counts as 1.
    ///   - source: How the command lines that show or restore a conflict name the logs.
    package init(top: Int = 10, source: String) {
        self.top = max(top, 1)
        self.source = source
    }

    /// The page, lines ended by line feeds.
    ///
    /// - Complexity: O(*n* log *n*) in the distinct keys of the summary, and that of `ConflictListing/entries`.
    package func render(_ summary: Summary, _ listing: ConflictListing, clocks: ClockWhatIf? = nil) -> String {
        let headline = ReportHeadline(summary)
        var page = HTMLMarkup()
        page.verbatim("<!DOCTYPE html>\n<html lang=\"en\">\n")
        page.element("head") { Self.head(&$0, title: headline.sentence) }
        page.element("body") { page in
            if summary.hasConflicts { page.element("a", ["class": "skip", "href": "#conflicts"], text: "To the list of conflicts") }
            page.element("header") { header(&$0, summary, headline, clocks) }
            page.element("main") { page in
                guard summary.hasConflicts else { return }
                figures(&page, summary, headline)
                charts(&page, summary)
                page.element("section", ["id": "conflicts"]) { page in
                    page.element("h2", text: "Conflicts")
                    ConflictTable(summary, listing, source: source).append(to: &page)
                }
            }
            page.element("footer") { page in
                if let footer = headline.footer { page.element("p", text: footer) }
                page.element("p", text: "Written by syncaudit report. Times are UTC, by the clocks of the devices.")
            }
            page.element("script", verbatim: PageScript.text)
        }
        page.verbatim("</html>\n")
        return page.html
    }

    /// What the page may do; see the W3C's *Content Security Policy Level 3*.
    static let policy =
        "default-src 'none'; script-src 'sha256-\(PageScript.hash)'; style-src 'sha256-\(PageStyle.hash)'; base-uri 'none'; form-action 'none'"

    private static func head(_ page: inout HTMLMarkup, title: String) {
        page.void("meta", ["charset": "utf-8"])
        page.void("meta", ["http-equiv": "Content-Security-Policy", "content": policy])
        page.void("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
        page.void("meta", ["name": "color-scheme", "content": "light dark"])
        page.void("meta", ["name": "referrer", "content": "no-referrer"])
        page.element("title", text: "\(title) – SyncAudit")
        page.element("style", verbatim: PageStyle.text)
    }

    private func header(_ page: inout HTMLMarkup, _ summary: Summary, _ headline: ReportHeadline, _ clocks: ClockWhatIf?) {
        page.element("p", ["class": "brand"], text: "SyncAudit report")
        page.element("h1", text: headline.sentence)
        for note in headline.notes { page.element("p", ["class": "soft"], text: note) }
        for warning in headline.warnings { page.element("p", ["class": "maybe"], text: warning) }
        if let clocks {
            let isWarning = (clocks.answer?.flipped ?? 0) > 0
            page.element("p", ["class": isWarning ? "maybe" : "soft"], text: CheckRenderer.sentence(clocks.answer))
        }
        guard summary.hasConflicts else { return }
        page.element("nav", ["aria-label": "Sections"]) { page in
            for (id, title) in [
                ("history", "Over time"), ("lost", "What was lost"), ("matrix", "Device against device"), ("gaps", "Time between"),
                ("breakdowns", "Breakdowns"), ("conflicts", "Conflicts"),
            ] where id != "lost" || summary.losesAnything {
                page.element("a", ["href": "#\(id)"], text: title)
                page.text(" ")
            }
        }
    }

    private func figures(_ page: inout HTMLMarkup, _ summary: Summary, _ headline: ReportHeadline) {
        let (proven, suspected) = (summary.proven, summary.suspected)
        var figures: [(name: String, value: String, tone: String)] = []
        func add(_ name: String, _ count: Int, _ tone: String = "plain") { figures.append((name, HumanNumber.count(count), tone)) }
        if proven.total.conflicts > 0 {
            add("edits lost", proven.total.losses, proven.total.losses > 0 ? "lost" : "good")
            add(suspected.total.conflicts > 0 ? "proven conflicts" : "conflicts", proven.total.conflicts)
        }
        if suspected.total.conflicts > 0 {
            add("edits perhaps lost", suspected.total.losses, suspected.total.losses > 0 ? "maybe" : "good")
            add("suspected conflicts", suspected.total.conflicts)
        }
        if summary.writes.count > 0 { add("writes", summary.writes.count) }
        add("devices", headline.deviceCount)
        add("records", headline.recordCount)
        for (name, gaps) in [("median time apart", proven.statistics.gaps), ("median, suspected", suspected.statistics.gaps)] {
            if let median = gaps.percentileMilliseconds(0.5) { figures.append((name, HumanNumber.duration(milliseconds: median), "plain")) }
        }
        page.element("dl", ["class": "figures"]) { page in
            for figure in figures {
                page.element("div") { page in
                    page.element("dt", text: figure.name)
                    page.element("dd", ["class": figure.tone], text: figure.value)
                }
            }
        }
    }

    private func charts(_ page: inout HTMLMarkup, _ summary: Summary) {
        // Names need not be cut to a column: lines are broken.
        let sections = ReportSection.all(of: summary, top: top, width: 160, periods: Self.periods)
        let totals = ReportRow(label: "", proven: summary.proven.total, suspected: summary.suspected.total)
        let tables = BreakdownTable(columns: ReportGrid.Column.needed(for: totals))
        for section in sections where section.topic == .history {
            guard case .breakdown(let history) = section.content else { continue }
            page.element("section", ["id": "history"]) { page in
                page.element("h2", text: "Conflicts over time")
                page.element("div", ["class": "card"]) { page in
                    HistoryChart(history).append(to: &page)
                    page.element("details") { page in
                        page.element("summary", text: "The same as a table")
                        tables.append(section, to: &page)
                    }
                }
            }
        }
        cards("lost", "What was lost", sections.filter { $0.topic == .losses }, tables, isWide: true, &page)
        matrices(&page, summary)
        page.element("section", ["id": "gaps"]) { page in
            page.element("h2", text: "Time between the two writes")
            page.element("div", ["class": "cards wide"]) { page in
                let bins = GapBins(proven: summary.proven.statistics.gaps, suspected: summary.suspected.statistics.gaps)
                let section = ReportSection(title: "How far apart", content: .breakdown(Breakdown(rows: bins.rows)))
                page.element("div", ["class": "card"]) { page in
                    tables.append(section, to: &page)
                    page.element("p", ["class": "soft"], text: "Limits are exact to 1.6 %.")
                }
                for section in sections where section.topic == .gaps {
                    let titled = ReportSection(title: "Percentiles", content: section.content)
                    page.element("div", ["class": "card"]) { tables.append(titled, to: &$0) }
                }
            }
        }
        cards("breakdowns", "Breakdowns", sections.filter { $0.topic == .other }, tables, isWide: tables.columns.count > 2, &page)
    }

    private func cards(
        _ id: String, _ title: String, _ sections: [ReportSection], _ tables: BreakdownTable, isWide: Bool, _ page: inout HTMLMarkup
    ) {
        guard !sections.isEmpty else { return }
        page.element("section", ["id": id]) { page in
            page.element("h2", text: title)
            page.element("div", ["class": isWide ? "cards wide" : "cards"]) { page in
                for section in sections { page.element("div", ["class": "card"]) { tables.append(section, to: &$0) } }
            }
        }
    }

    private func matrices(_ page: inout HTMLMarkup, _ summary: Summary) {
        page.element("section", ["id": "matrix"]) { page in
            page.element("h2", text: "Device against device")
            for (name, tally) in [("Conflicts", summary.proven), ("Suspected conflicts", summary.suspected)] where tally.total.conflicts > 0
            {
                let matrix = DeviceMatrix(tally.byDevicePair, limit: min(top, Self.matrixLimit))
                page.element("div", ["class": "card"]) { matrix.append(to: &$0, title: name) }
            }
        }
    }
}

extension Summary {
    fileprivate var losesAnything: Bool { proven.total.losses > 0 || suspected.total.losses > 0 }
}
