import AuditAnalysis

/// Conflicts by period as columns: what was lost at the bottom, what was kept and what is only suspected above it.
struct HistoryChart {
    private let rows: [ReportRow]
    private let largest: Int
    private let days: [Range<Int>]

    /// A chart; `days` are those of each row.
    init(_ breakdown: Breakdown, days: [Range<Int>]) {
        rows = breakdown.rows
        self.days = days
        largest = rows.map(\.conflicts).max() ?? 0
    }

    /// The conflicts of a row.
    func selection(_ row: ReportRow) -> ConflictSelection? {
        zip(rows, days).first { $0.0.label == row.label }.map { Self.selection($0.1, row.label) }
    }

    private static func selection(_ days: Range<Int>, _ label: String) -> ConflictSelection {
        let day: Int64 = 86_400_000
        return ConflictSelection().with("when", Int64(days.lowerBound) * day...(Int64(days.upperBound) * day - 1), label: label)
    }

    private static let kinds = [("lost", "lost"), ("kept", "nothing lost"), ("maybe", "suspected")]

    private static func parts(_ row: ReportRow) -> [Int] {
        [row.proven.losses, row.proven.conflicts - row.proven.losses, row.suspected.conflicts]
    }

    func append(to page: inout HTMLMarkup) {
        guard let first = rows.first, let last = rows.last, largest > 0 else { return }
        let used = Self.kinds.indices.filter { kind in rows.contains { Self.parts($0)[kind] > 0 } }
        page.element("ul", ["class": "key"]) { page in
            for kind in used {
                page.element("li") { page in
                    page.element("svg", ["aria-hidden": "true"]) { page in
                        page.element("rect", ["class": Self.kinds[kind].0, "width": "100%", "height": "100%"]) { _ in }
                    }
                    page.text(Self.kinds[kind].1)
                }
            }
        }
        page.element("div", ["class": "chart"]) { page in
            page.element("div", ["class": "scale", "aria-hidden": "true"]) { page in
                page.element("span", text: HumanNumber.count(largest))
                page.element("span", text: "0")
            }
            page.element("svg", ["role": "img", "aria-labelledby": "history-title history-text"]) { page in
                page.element("title", ["id": "history-title"], text: "Conflicts over time")
                page.element("desc", ["id": "history-text"], text: description)
                page.element("line", ["x2": "100%", "y1": "0.5", "y2": "0.5"]) { _ in }
                page.element("line", ["x2": "100%", "y1": "50%", "y2": "50%"]) { _ in }
                for (index, row) in rows.enumerated() where row.conflicts > 0 { column(index, row, &page) }
            }
            page.element("div", ["class": "axis", "aria-hidden": "true"]) { page in
                page.element("span", text: first.label)
                if rows.count > 8 { page.element("span", text: rows[(rows.count - 1) / 2].label) }
                if rows.count > 1 { page.element("span", text: last.label) }
            }
        }
    }

    private func column(_ index: Int, _ row: ReportRow, _ page: inout HTMLMarkup) {
        let width = 1 / Double(rows.count)
        let selection = days.indices.contains(index) ? Self.selection(days[index], row.label) : nil
        page.element("g", selection.map { ["data-pick": $0.query] } ?? [:]) { page in
            page.element("title", text: "\(row.label): \(Self.words(row))")
            var top = 1.0
            for (kind, count) in zip(Self.kinds, Self.parts(row)) where count > 0 {
                // What is more than nothing shows at least a sliver.
                let height = max(Double(count) / Double(largest), 0.005)
                top -= height
                let attributes: HTMLMarkup.Attributes = [
                    "class": kind.0, "x": HTMLMarkup.percent((Double(index) + 0.1) * width), "width": HTMLMarkup.percent(width * 0.8),
                    "y": HTMLMarkup.percent(top), "height": HTMLMarkup.percent(height),
                ]
                page.element("rect", attributes) { _ in }
            }
        }
    }

    private static func words(_ row: ReportRow) -> String {
        var words: [String] = []
        if row.proven.conflicts > 0 {
            words.append(HumanNumber.count(row.proven.conflicts, "conflict"))
            words.append("\(HumanNumber.count(row.proven.losses)) lost")
        }
        if row.suspected.conflicts > 0 {
            words.append("\(HumanNumber.count(row.suspected.conflicts)) suspected")
            words.append("\(HumanNumber.count(row.suspected.losses)) perhaps lost")
        }
        return words.joined(separator: ", ")
    }

    private var description: String {
        guard let first = rows.first, let last = rows.last, let peak = rows.max(by: { $0.conflicts < $1.conflicts }) else { return "" }
        return "From \(first.label) to \(last.label); the most in \(peak.label): \(Self.words(peak)). All numbers are in the table below."
    }
}
