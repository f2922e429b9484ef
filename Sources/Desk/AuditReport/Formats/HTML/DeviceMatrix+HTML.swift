import AuditAnalysis

extension DeviceMatrix {
    /// A table: a row for each winner, a column for each loser, darker where there were more conflicts.
    ///
    /// `certainty` is that of its conflicts, where there are others too.
    func append(to page: inout HTMLMarkup, title: String, certainty: String?) {
        let largest = largest
        let label = "\(title): the device of the row won over the device of the column"
        page.element("div", ["class": "scroll", "role": "region", "aria-label": label, "tabindex": "0"]) { page in
            page.element("table", ["class": "matrix"]) { page in
                page.element("caption") { page in
                    page.text(title)
                    page.element("small", ["class": "soft"], text: "the row's device won over the column's; below it how many lost an edit")
                }
                page.element("thead") { page in
                    page.element("tr") { page in
                        page.element("th", ["scope": "col"], text: "won ╲ lost")
                        for name in names { page.element("th", ["scope": "col"]) { $0.element("span", text: name) } }
                    }
                }
                page.element("tbody") { page in
                    for (winner, row) in counts.enumerated() {
                        page.element("tr") { page in
                            page.element("th", ["scope": "row"]) { $0.element("span", text: names[winner]) }
                            for (loser, count) in row.enumerated() {
                                Self.cell(count, largest, selection(winner, loser, certainty), &page)
                            }
                        }
                    }
                }
            }
        }
    }

    /// What a cell counts; nil where it counts several devices in one.
    private func selection(_ winner: Int, _ loser: Int, _ certainty: String?) -> ConflictSelection? {
        guard devices.indices.contains(winner), devices.indices.contains(loser) else { return nil }
        let selection = ConflictSelection().with(.winner, devices[winner]).with(.loser, devices[loser])
        return certainty.map { selection.with("certainty", $0) } ?? selection
    }

    private static func cell(_ count: ConflictTally.Count, _ largest: Int, _ selection: ConflictSelection?, _ page: inout HTMLMarkup) {
        guard count.conflicts > 0 else { return page.element("td", ["class": "zero"], text: "·") }
        page.element("td", ["class": "h\(heat(count.conflicts, largest))"]) { page in
            page.element("span", selection.map { ["data-pick": $0.query] } ?? [:]) { page in
                page.text(HumanNumber.count(count.conflicts))
                if count.losses > 0 { page.element("small", ["class": "lost"], text: "\(HumanNumber.count(count.losses)) lost") }
            }
        }
    }

    /// From 1 to 5 by orders of two: a few pairs have most of the conflicts, and the others should not all look alike.
    private static func heat(_ count: Int, _ largest: Int) -> Int {
        func bits(_ number: Int) -> Int { Int.bitWidth - number.leadingZeroBitCount }
        return 1 + (bits(count) - 1) * 4 / max(bits(largest) - 1, 1)
    }
}
