import AuditAnalysis

/// The sections of a report as tables with bars.
struct BreakdownTable {
    /// The columns of numbers that a report fills.
    let columns: [ReportGrid.Column]

    func append(_ section: ReportSection, to page: inout HTMLMarkup) {
        switch section.content {
        case .sentence(let sentence):
            page.element("h3", text: section.title)
            page.element("p", ["class": "soft"], text: sentence)
        case .lengths(let lengths): append(lengths, title: section.title, to: &page)
        case .breakdown(let breakdown):
            append(breakdown, title: section.title, to: &page) { row in
                section.facet.map { facet in
                    let selection = ConflictSelection().with(facet, EventText.label(row.identity ?? row.label))
                    return section.topic == .losses ? selection.with("edit", "lost") : selection
                }
            }
        }
    }

    /// Appends a breakdown; `selection` says which conflicts a row counts, where a list can show them.
    func append(
        _ breakdown: Breakdown, title: String, to page: inout HTMLMarkup, selection: (ReportRow) -> ConflictSelection?
    ) {
        let used = columns.filter(breakdown.fills)
        let largest = breakdown.largest
        Self.table(title, used.map { $0.heading(short: false) }, &page) { page in
            for row in breakdown.rows {
                page.element("tr") { page in
                    self.row(row, used, selection(row), &page) { Self.bar(row, breakdown.measure, largest, &$0) }
                }
            }
            if let others = breakdown.others { page.element("tr", ["class": "rest"]) { row(others, used, nil, &$0) { _ in } } }
        }
    }

    /// A table of numbers by name.
    private static func table(_ title: String, _ headings: [String], _ page: inout HTMLMarkup, rows: (inout HTMLMarkup) -> Void) {
        page.element("table", ["class": "figure"]) { page in
            page.element("caption", text: title)
            page.element("thead") { page in
                page.element("tr") { page in
                    page.element("td") { _ in }
                    for heading in headings { page.element("th", ["scope": "col"], text: heading) }
                }
            }
            page.element("tbody") { rows(&$0) }
        }
    }

    private func row(
        _ row: ReportRow, _ used: [ReportGrid.Column], _ selection: ConflictSelection?, _ page: inout HTMLMarkup,
        _ bar: (inout HTMLMarkup) -> Void
    ) {
        page.element("th", ["scope": "row"]) { page in
            let selection = row.conflicts > 0 ? selection : nil
            page.element("span", selection.map { ["data-pick": $0.query] } ?? [:]) { page in
                page.text(EventText.label(row.label))
                bar(&page)
            }
        }
        for column in used {
            let value = column.value(row)
            let tone = value == 0 ? "zero" : column == .losses ? "lost" : column == .suspectedLosses ? "maybe" : nil
            page.element("td", tone.map { ["class": $0] } ?? [:], text: value.map { HumanNumber.count($0) } ?? "")
        }
    }

    private static func bar(_ row: ReportRow, _ measure: Breakdown.Measure, _ largest: Int, _ page: inout HTMLMarkup) {
        let parts: [(String, Int)] =
            measure == .losses
            ? [("lost", row.proven.losses), ("maybe", row.suspected.losses)]
            : [
                ("lost", row.countsLosses ? row.proven.losses : 0),
                ("kept", row.proven.conflicts - (row.countsLosses ? row.proven.losses : 0)),
                ("maybe", row.suspected.conflicts),
            ]
        page.element("svg", ["class": "bar", "aria-hidden": "true"]) { page in
            page.element("rect", ["class": "track", "width": "100%", "height": "5"]) { _ in }
            var start = 0.0
            for (kind, count) in parts where count > 0 && largest > 0 {
                // What is more than nothing shows at least a sliver.
                let share = max(Double(count) / Double(largest), 0.004)
                page.element("rect", ["class": kind, "x": HTMLMarkup.percent(start), "width": HTMLMarkup.percent(share), "height": "5"]) {
                    _ in
                }
                start += share
            }
        }
    }

    private func append(_ lengths: [ReportSection.Length], title: String, to page: inout HTMLMarkup) {
        let certainties = ReportSection.certainties(in: lengths)
        Self.table(title, certainties.map(\.name), &page) { page in
            for length in lengths {
                page.element("tr") { page in
                    page.element("th", ["scope": "row"], text: length.label)
                    for certainty in certainties {
                        page.element("td", text: length[keyPath: certainty.length].map { HumanNumber.duration(milliseconds: $0) } ?? "–")
                    }
                }
            }
        }
    }
}
