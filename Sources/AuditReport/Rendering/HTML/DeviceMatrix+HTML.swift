import AuditAnalysis

extension DeviceMatrix {
    /// A table: a row for each winner, a column for each loser, darker where there were more conflicts.
    func append(to page: inout HTMLMarkup, title: String) {
        let largest = largest
        let label = "\(title): the device of the row won over the device of the column"
        page.element("div", ["class": "scroll", "role": "region", "aria-label": label, "tabindex": "0"]) { page in
            page.element("table", ["class": "matrix"]) { page in
                page.element("caption") { page in
                    page.text(title)
                    page.element("small", ["class": "soft"], text: "the row's device won over the column's; in red how many lost an edit")
                }
                page.element("thead") { page in
                    page.element("tr") { page in
                        page.element("th", ["scope": "col"], text: "won ╲ lost")
                        for name in names { page.element("th", ["scope": "col"]) { $0.element("span", text: name) } }
                    }
                }
                page.element("tbody") { page in
                    for (name, row) in zip(names, counts) {
                        page.element("tr") { page in
                            page.element("th", ["scope": "row"]) { $0.element("span", text: name) }
                            for count in row { Self.cell(count, largest, &page) }
                        }
                    }
                }
            }
        }
    }

    private static func cell(_ count: ConflictTally.Count, _ largest: Int, _ page: inout HTMLMarkup) {
        guard count.conflicts > 0 else { return page.element("td", ["class": "zero"], text: "·") }
        page.element("td", ["class": "h\(heat(count.conflicts, largest))"]) { page in
            page.text(HumanNumber.count(count.conflicts))
            if count.losses > 0 { page.element("small", ["class": "lost"], text: "\(HumanNumber.count(count.losses)) lost") }
        }
    }

    /// From 1 to 5 by orders of two: a few pairs have most of the conflicts, and the others should not all look alike.
    private static func heat(_ count: Int, _ largest: Int) -> Int {
        func bits(_ number: Int) -> Int { Int.bitWidth - number.leadingZeroBitCount }
        return 1 + (bits(count) - 1) * 4 / max(bits(largest) - 1, 1)
    }
}
