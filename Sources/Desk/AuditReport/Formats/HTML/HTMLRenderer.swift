package import AuditAnalysis
import ConflictAudit
import SyncMerge

/// Writes a summary and a list of conflicts as one page of HTML that needs nothing else: no network, no server, no other file.
///
/// The sections of ``ReportAnswer`` as charts and tables, and what `show` tells of each conflict listed. The page's own policy lets
/// nothing run and nothing load but the style and the script in it, which are the same in every page. The same input always gives the same
/// page.
package struct HTMLRenderer: Sendable {
    /// How many rows a breakdown shows before it adds up the rest.
    package let top: Int
    /// How command lines name the logs.
    package let source: String
    /// What the page is about.
    package let subject: PageSubject
    /// What is said right below the headline, or why nothing is.
    package let alarms: ReportAlarms

    /// The most devices in a row of the matrix.
    private static let matrixLimit = 12
    /// The most columns of the history: four months of days, two years of weeks, ten of months.
    private static let periods = 124

    /// A renderer.
    ///
    /// - Parameters:
    ///   - top: How many rows a breakdown shows; less than 1 counts as 1.
    ///   - source: How the command lines that show or restore a conflict name the logs.
    ///   - subject: What the page says it is about.
    ///   - alarms: What is said right below the headline, or why nothing is.
    package init(top: Int = 10, source: String, subject: PageSubject = PageSubject(), alarms: ReportAlarms = .none) {
        self.top = max(top, 1)
        self.source = source
        self.subject = subject
        self.alarms = alarms
    }

    /// The page, lines ended by line feeds.
    ///
    /// - Complexity: O(*n* log *n*) in the distinct keys of the summary, and that of `ConflictListing/entries`.
    package func render(_ summary: Summary, _ listing: ConflictListing, clocks: ClockWhatIf? = nil) -> String {
        let headline = ReportHeadline(summary, alarms: alarms)
        let entries = listing.entries
        var page = HTMLMarkup()
        page.verbatim("<!DOCTYPE html>\n<html lang=\"en\">\n")
        page.element("head") { Self.head(&$0, title: subject.title ?? headline.sentence, refresh: subject.refresh) }
        page.element("body") { page in
            if summary.hasConflicts { page.element("a", ["class": "skip", "href": "#conflicts"], text: "To the list of conflicts") }
            page.element("header") { header(&$0, summary, headline, entries, listing.names, clocks) }
            page.element("main") { page in
                let health = HealthTable.all(of: summary)
                guard summary.hasConflicts else { return HealthTable.append(health, isOpen: true, to: &page) }
                figures(&page, summary, headline)
                charts(&page, summary, listing.names)
                HealthTable.append(health, isOpen: false, to: &page)
                page.element("section", ["id": "conflicts"]) { page in
                    page.element("h2", text: "Conflicts")
                    ConflictTable(summary, listing, entries, source: source).append(to: &page)
                }
            }
            page.element("footer") { page in
                for footer in headline.footers { page.element("p", text: footer) }
                page.element("p", text: "Written by syncaudit report. Times are UTC, by the clocks of the devices.")
                page.element("p", text: Self.cost(bytes: page.html.utf8.count + PageScript.text.utf8CodeUnitCount, rows: entries.count))
            }
            page.element("script", verbatim: PageScript.text)
        }
        page.verbatim("</html>\n")
        return page.html
    }

    /// How large a page is and what it takes to show it, by measurements in Chromium.
    private static func cost(bytes: Int, rows: Int) -> String {
        // Measured to two digits at best.
        let memory = (memoryOfEmptyPage + memoryPerByte * bytes + 5_000_000) / 10_000_000 * 10
        return "This page: \(HumanNumber.count(rows, "conflict")) listed, \(HumanNumber.bytes(bytes)); "
            + "a browser takes about \(memory) MB of memory to show it."
    }

    /// The memory of a browser's process for a page with nothing in it.
    private static let memoryOfEmptyPage = 190_000_000
    /// The memory for each byte of a page.
    private static let memoryPerByte = 6

    /// What the page may do; see the W3C's *Content Security Policy Level 3*.
    static let policy =
        "default-src 'none'; script-src 'sha256-\(PageScript.hash)'; style-src 'sha256-\(PageStyle.hash)'; base-uri 'none'; form-action 'none'"

    /// What comes first in a page: its encoding, what it may do, and how wide it is.
    static func preamble(_ page: inout HTMLMarkup, policy: String, refresh: Int?, runsScript: Bool) {
        page.void("meta", ["charset": "utf-8"])
        page.void("meta", ["http-equiv": "Content-Security-Policy", "content": policy])
        if let refresh {
            func meta(_ page: inout HTMLMarkup) { page.void("meta", ["http-equiv": "refresh", "content": String(refresh)]) }
            // A browser forgets what a page is narrowed to when it follows this element; the script loads the page again without
            // forgetting.
            if runsScript {
                page.element("noscript", ["id": "refresh", "data-seconds": String(refresh)]) { meta(&$0) }
            } else {
                meta(&page)
            }
        }
        page.void("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
        page.void("meta", ["name": "color-scheme", "content": "light dark"])
        page.void("meta", ["name": "referrer", "content": "no-referrer"])
    }

    private static func head(_ page: inout HTMLMarkup, title: String, refresh: Int?) {
        preamble(&page, policy: policy, refresh: refresh, runsScript: true)
        page.element("title", text: "\(title) – SyncAudit")
        page.element("style", verbatim: PageStyle.text)
    }

    private func header(
        _ page: inout HTMLMarkup, _ summary: Summary, _ headline: ReportHeadline, _ entries: [ConflictListing.Entry], _ names: RecordNames,
        _ clocks: ClockWhatIf?
    ) {
        page.element("p", ["class": "brand"], text: subject.title.map { EventText.label($0) } ?? "SyncAudit report")
        page.element("h1", headline.isOfFailures ? ["class": "lost"] : [:], text: headline.sentence)
        for alarm in headline.alarms { page.element("p", ["class": "maybe"], text: alarm) }
        examples(&page, summary, entries, names)
        about(&page, summary, entries)
        for note in headline.notes + (headline.outcome.map { [$0] } ?? []) { page.element("p", ["class": "soft"], text: note) }
        for warning in headline.warnings { page.element("p", ["class": "maybe"], text: warning) }
        if let clocks {
            let isWarning = (clocks.answer?.flipped ?? 0) > 0
            page.element("p", ["class": isWarning ? "maybe" : "soft"], text: clocks.answer.sentence)
        }
        guard summary.hasConflicts else { return }
        page.element("nav", ["aria-label": "Sections"]) { page in
            for (id, title) in [
                ("history", "Over time"), ("lost", "What was lost"), ("matrix", "Device against device"), ("gaps", "Time between"),
                ("breakdowns", "Breakdowns"), ("health", "Health of sync"), ("conflicts", "Conflicts"),
            ] where (id != "lost" || summary.losesAnything) && (id != "health" || !summary.health.isEmpty) {
                page.element("a", ["href": "#\(id)"], text: title)
                page.text(" ")
            }
        }
    }

    /// A few lost edits in words, each opening what is told of it.
    private func examples(_ page: inout HTMLMarkup, _ summary: Summary, _ entries: [ConflictListing.Entry], _ names: RecordNames) {
        let examples = summary.examples.conflicts
        guard !examples.isEmpty else { return }
        let listed = Set(entries.map(\.details.conflict.id))
        page.element("ul", ["class": "examples"]) { page in
            for conflict in examples {
                page.element("li") { page in
                    page.text(LossSentence(conflict, names: names).text + ". ")
                    guard listed.contains(conflict.id) else { return }
                    let attributes: HTMLMarkup.Attributes = [
                        "type": "button", "class": "link", "popovertarget": ConflictCard.id(conflict), "aria-haspopup": "dialog",
                    ]
                    page.element("button", attributes, text: "Show it")
                }
            }
        }
        if examples.contains(where: { $0.reason == .deleteWins }) { page.element("p", ["class": "soft"], text: LossSentence.deletesWin) }
    }

    /// What the page is about.
    private func about(_ page: inout HTMLMarkup, _ summary: Summary, _ entries: [ConflictListing.Entry]) {
        let facts = [
            ("Dates", PageSubject.days(summary)), ("Policy", PageSubject.policies(entries)), ("Read from", subject.inputSentence),
        ]
        guard facts.contains(where: { $0.1 != nil }) else { return }
        page.element("dl", ["class": "about"]) { page in
            for case (let name, let value?) in facts {
                page.element("div") { page in
                    page.element("dt", text: name)
                    page.element("dd", text: value)
                }
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

    private func charts(_ page: inout HTMLMarkup, _ summary: Summary, _ names: RecordNames) {
        // Names need not be cut to a column: lines are broken.
        let sections = ReportSection.all(of: summary, top: top, width: 160, periods: Self.periods, names: names)
        let totals = ReportRow(label: "", proven: summary.proven.total, suspected: summary.suspected.total)
        let tables = BreakdownTable(columns: ReportGrid.Column.needed(for: totals))
        for section in sections where section.topic == .history {
            guard case .breakdown(let history) = section.content else { continue }
            page.element("section", ["id": "history"]) { page in
                page.element("h2", text: "Conflicts over time")
                page.element("div", ["class": "card"]) { page in
                    let chart = HistoryChart(history, days: section.days)
                    chart.append(to: &page)
                    page.element("details") { page in
                        page.element("summary", text: "The same as a table")
                        tables.append(history, title: section.title, to: &page) { chart.selection($0) }
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
                page.element("div", ["class": "card"]) { page in
                    tables.append(Breakdown(rows: bins.rows), title: "How far apart", to: &page) { GapBins.selection($0.label) }
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

    /// The breakdowns that are open; the others are a click away.
    private static let openBreakdowns: Set<String> = ["Proven and suspected", "By kind", "By field"]

    private func cards(
        _ id: String, _ title: String, _ sections: [ReportSection], _ tables: BreakdownTable, isWide: Bool, _ page: inout HTMLMarkup
    ) {
        guard !sections.isEmpty else { return }
        func cards(_ sections: [ReportSection], _ page: inout HTMLMarkup) {
            page.element("div", ["class": isWide ? "cards wide" : "cards"]) { page in
                for section in sections { page.element("div", ["class": "card"]) { tables.append(section, to: &$0) } }
            }
        }
        let folded = sections.filter { $0.topic == .other && !Self.openBreakdowns.contains($0.title) }
        page.element("section", ["id": id]) { page in
            page.element("h2", text: title)
            cards(sections.filter { $0.topic != .other || Self.openBreakdowns.contains($0.title) }, &page)
            guard !folded.isEmpty else { return }
            page.element("details", ["class": "more"]) { page in
                page.element("summary", text: HumanNumber.count(folded.count, "more breakdown"))
                cards(folded, &page)
            }
        }
    }

    private func matrices(_ page: inout HTMLMarkup, _ summary: Summary) {
        page.element("section", ["id": "matrix"]) { page in
            page.element("h2", text: "Device against device")
            let areBoth = summary.proven.total.conflicts > 0 && summary.suspected.total.conflicts > 0
            for (name, certainty, tally) in [
                ("Conflicts", areBoth ? "proven" : nil, summary.proven),
                ("Suspected conflicts", areBoth ? "suspected" : nil, summary.suspected),
            ] where tally.total.conflicts > 0 {
                let matrix = DeviceMatrix(tally.byDevicePair, limit: min(top, Self.matrixLimit))
                page.element("div", ["class": "card"]) { matrix.append(to: &$0, title: name, certainty: certainty) }
            }
        }
    }
}

extension Summary {
    fileprivate var losesAnything: Bool { proven.total.losses > 0 || suspected.total.losses > 0 }
}
