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
        case .breakdown(let breakdown): append(breakdown, title: section.title, to: &page)
        }
    }

    private func append(_ breakdown: Breakdown, title: String, to page: inout HTMLMarkup) {
        // A heading over nothing asks a question that is not answered.
        let used = columns.filter { column in breakdown.rows.contains { column.value($0) != nil } }
        let largest = breakdown.rows.map { breakdown.measure == .losses ? $0.losses : $0.conflicts }.max() ?? 0
        page.element("table", ["class": "figure"]) { page in
            page.element("caption", text: title)
            page.element("thead") { page in
                page.element("tr") { page in
                    page.element("td") { _ in }
                    for column in used { page.element("th", ["scope": "col"], text: column.heading(short: false)) }
                }
            }
            page.element("tbody") { page in
                for row in breakdown.rows {
                    page.element("tr") { self.row(row, used, &$0) { Self.bar(row, breakdown.measure, largest, &$0) } }
                }
                if let others = breakdown.others { page.element("tr", ["class": "rest"]) { row(others, used, &$0) { _ in } } }
            }
        }
    }

    private func row(_ row: ReportRow, _ used: [ReportGrid.Column], _ page: inout HTMLMarkup, _ bar: (inout HTMLMarkup) -> Void) {
        page.element("th", ["scope": "row"]) { page in
            page.text(EventText.label(row.label))
            bar(&page)
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
        let sides = [("proven", \.proven), ("suspected", \.suspected)] as [(String, KeyPath<ReportSection.Length, Int64?>)]
        let used = sides.filter { _, side in lengths.contains { $0[keyPath: side] != nil } }
        page.element("table", ["class": "figure"]) { page in
            page.element("caption", text: title)
            page.element("thead") { page in
                page.element("tr") { page in
                    page.element("td") { _ in }
                    for (name, _) in used { page.element("th", ["scope": "col"], text: name) }
                }
            }
            page.element("tbody") { page in
                for length in lengths {
                    page.element("tr") { page in
                        page.element("th", ["scope": "row"], text: length.label)
                        for (_, side) in used {
                            page.element("td", text: length[keyPath: side].map { HumanNumber.duration(milliseconds: $0) } ?? "–")
                        }
                    }
                }
            }
        }
    }
}
