import AuditAnalysis
import ConflictAudit
import SyncModel

/// The conflicts of a list: a table with a row for each, and for each what `show` tells of it, opened from its row.
///
/// What comes after the first ``openRows`` is in `noscript` elements, which a browser that runs the page's script keeps as text until a row
/// or a card is asked for, and which any other browser shows at once.
struct ConflictTable {
    /// How many rows and cards a browser lays out before anybody asks for more; the script shows as many at once.
    static let openRows = 100

    private let entries: [ConflictListing.Entry]
    private let note: String
    private let source: String
    private let names: RecordNames

    /// - Parameter entries: Those of the list, which are made anew each time they are asked for.
    init(_ summary: Summary, _ listing: ConflictListing, _ entries: [ConflictListing.Entry], source: String) {
        self.entries = entries
        self.source = source
        names = listing.names
        let distinct = summary.distinctConflicts
        let total = (distinct.isExact ? "" : "about ") + HumanNumber.count(distinct.count, "conflict")
        note =
            switch (entries.count, listing.hasMore, listing.hasCountsOnly) {
            case (0, true, _): "\(total), none of them listed: --rows is 0."
            case (0, false, _):
                "None can be listed: what was read is a summary, which holds counts only. Name the logs to see the conflicts."
            case (1, false, false): "The only one is listed."
            case (let count, false, false): "All \(HumanNumber.count(count)) are listed."
            case (let count, true, _):
                "\(HumanNumber.count(count)) of \(total): the gravest, and of equally grave ones the newest. More with --rows N."
            case (let count, false, true):
                "\(HumanNumber.count(count)) of \(total): of the others only counts were read. Name the logs to see them all."
            }
    }

    /// A column of the table.
    private enum Column: Int, CaseIterable {
        case register, severity, kind, when, loser, winner, gap, value

        var heading: String {
            switch self {
            case .register: "Record and field"
            case .severity: "Severity"
            case .kind: "Kind"
            case .when: "When"
            case .loser: "Loser"
            case .winner: "Winner"
            case .gap: "Apart"
            case .value: "Value lost"
            }
        }
    }

    func append(to page: inout HTMLMarkup) {
        page.element("p", ["class": "soft"], text: note)
        guard !entries.isEmpty else { return }
        page.element("div", ["class": "tools", "id": "tools", "role": "search", "aria-label": "Conflicts", "hidden": ""]) { tools(&$0) }
        page.element("table", ["class": "card list", "id": "list"]) { page in
            page.element("thead") { page in
                page.element("tr") { page in
                    for column in Column.allCases { heading(column, &page) }
                }
            }
            page.element("tbody") { page in
                rows(entries.prefix(Self.openRows), &page)
            }
        }
        page.element("p", ["id": "more", "hidden": ""]) { page in
            page.element("button", ["type": "button"], text: "Show more")
        }
        let others = entries.dropFirst(Self.openRows)
        if !others.isEmpty {
            page.element("noscript", ["id": "rest", "data-rows": String(others.count)]) { page in
                page.element("table", ["class": "card list"]) { page in
                    page.element("tbody") { rows(others, &$0) }
                }
            }
        }
        for entry in entries.prefix(Self.openRows) { ConflictCard(entry, names, source: source).append(to: &page) }
        for entry in others {
            page.element("noscript", ["id": "n-\(ConflictCard.id(entry.details.conflict))"]) { page in
                ConflictCard(entry, names, source: source).append(to: &page)
            }
        }
    }

    private func rows(_ entries: ArraySlice<ConflictListing.Entry>, _ page: inout HTMLMarkup) {
        for entry in entries {
            let conflict = entry.details.conflict
            page.element("tr", ConflictFacet.attributes(of: conflict)) { row(conflict, &$0) }
        }
    }

    private func heading(_ column: Column, _ page: inout HTMLMarkup) {
        let attributes: HTMLMarkup.Attributes =
            switch column {
            // As the rows come.
            case .severity: ["scope": "col", "class": "severity", "data-number": "", "aria-sort": "descending"]
            case .gap: ["scope": "col", "class": "gap", "data-number": ""]
            case .when: ["scope": "col", "data-number": ""]
            case .register, .kind, .loser, .winner, .value: ["scope": "col"]
            }
        page.element("th", attributes, text: column.heading)
    }

    private func tools(_ page: inout HTMLMarkup) {
        page.element("label") { page in
            page.text("Find")
            page.void("input", ["type": "search", "id": "find", "autocomplete": "off", "spellcheck": "false"])
        }
        let choices: [(String, [Column])] = [("Severity", [.severity]), ("Kind", [.kind]), ("Device", [.loser, .winner])]
        for (name, columns) in choices {
            page.element("label") { page in
                page.text(name)
                let numbers = columns.map { String($0.rawValue) }.joined(separator: " ")
                page.element("select", ["data-columns": numbers, "data-name": name.lowercased()]) { page in
                    page.element("option", text: "all")
                }
            }
        }
        page.element("ul", ["id": "chips", "aria-label": "Narrowed to"]) { _ in }
        page.element("p", ["id": "status", "role": "status", "aria-live": "polite"], text: "\(HumanNumber.count(entries.count)) shown")
    }

    private func row(_ conflict: Conflict, _ page: inout HTMLMarkup) {
        let isLoss = conflict.severity.isLoss
        page.element("th", ["scope": "row"]) { page in
            page.element("button", ["type": "button", "popovertarget": ConflictCard.id(conflict), "aria-haspopup": "dialog"]) { page in
                page.register(of: conflict, names)
            }
        }
        page.element("td", ["class": "severity", "data-value": String(conflict.severity.order)]) { page in
            page.element("span", ["class": "badge \(conflict.severity.tone(conflict.isProven))"], text: conflict.severity.rawValue)
            if !conflict.isProven { page.element("small", ["class": "maybe"], text: " suspected") }
        }
        page.element("td", ["class": "kind soft"], text: conflict.kind.rawValue)
        page.element("td", ["class": "when", "data-value": String(conflict.milliseconds)]) { page in
            let time = TimelineLanes.time(conflict.milliseconds)
            page.text(String(time.prefix(10)))
            page.element("small", text: String(time.dropFirst(10).prefix(9)))
        }
        page.element(
            "td", ["class": "name", "data-label": isLoss ? "lost" : "loser"], text: EventText.name(conflict.loser.dot.device.rawValue))
        page.element(
            "td", ["class": "name", "data-label": isLoss ? "to" : "winner"], text: EventText.name(conflict.winner.dot.device.rawValue))
        page.element(
            "td", ["class": "gap", "data-value": String(conflict.gapMilliseconds), "data-label": "apart"],
            text: HumanNumber.duration(milliseconds: conflict.gapMilliseconds))
        page.element("td", ["class": "value"], text: Loss(conflict)?.excerpt ?? "")
    }
}

extension HTMLMarkup {
    /// The record and the field of a conflict; before the field the line may be broken.
    mutating func register(of conflict: Conflict, _ names: RecordNames) {
        text(EventText.register(conflict.key, nil, names))
        guard let field = conflict.field else { return }
        void("wbr", [:])
        text("." + EventText.name(field.rawValue))
    }
}

extension Conflict.Severity {
    /// The rank in the order from mild to grave.
    fileprivate var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The class of what is said of a conflict.
    func tone(_ isProven: Bool) -> String { isLoss ? (isProven ? "lost" : "maybe") : self == .merged ? "good" : "soft" }
}
