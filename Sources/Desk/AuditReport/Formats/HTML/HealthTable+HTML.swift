import AuditAnalysis

extension HealthTable {
    /// Appends the tables as a section of a page; nothing where there are none.
    ///
    /// - Parameter isOpen: Whether all are shown at once; else all but the first are a click away.
    static func append(_ tables: [HealthTable], isOpen: Bool, to page: inout HTMLMarkup) {
        guard let first = tables.first else { return }
        page.element("section", ["id": "health"]) { page in
            page.element("h2", text: "Health of sync")
            let shown = isOpen ? tables[...] : [first]
            for table in shown { table.append(to: &page) }
            let folded = tables.dropFirst(shown.count)
            guard !folded.isEmpty else { return }
            page.element("details", ["class": "more"]) { page in
                page.element("summary", text: HumanNumber.count(folded.count, "more table"))
                for table in folded { table.append(to: &page) }
            }
        }
    }

    private func append(to page: inout HTMLMarkup) {
        page.element("div", ["class": "card scroll"]) { page in
            page.element("table", ["class": "figure"]) { page in
                page.element("caption", text: title)
                page.element("thead") { page in
                    page.element("tr") { page in
                        page.element("td") { _ in }
                        for (column, heading) in headings.enumerated() {
                            page.element("th", ["scope": "col", "class": isOfWords(column) ? "words" : "number"], text: heading)
                        }
                    }
                }
                page.element("tbody") { page in
                    for row in rows {
                        page.element("tr") { page in
                            page.element("th", ["scope": "row"], text: row.device)
                            for (column, cell) in row.cells.enumerated() {
                                let tone = row.wrong.contains(column) ? " lost" : ""
                                // On a telephone the headings stand beside the cells.
                                let attributes: HTMLMarkup.Attributes = [
                                    "class": (isOfWords(column) ? "words" : "number") + tone, "data-label": headings[column],
                                ]
                                page.element("td", attributes, text: cell)
                            }
                        }
                    }
                }
            }
        }
    }
}
