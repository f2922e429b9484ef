import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncModel

/// What `show` tells of one conflict, in a dialog that its button opens without any script.
struct ConflictCard {
    private let details: ConflictDetails
    private let isWhole: Bool
    private let source: String
    private let names: RecordNames

    init(_ entry: ConflictListing.Entry, _ names: RecordNames, source: String) {
        (details, isWhole) = (entry.details, entry.isWhole)
        self.names = names
        self.source = source
    }

    /// The name of a conflict's card within the page.
    static func id(_ conflict: Conflict) -> String { "c-\(conflict.id)" }

    func append(to page: inout HTMLMarkup) {
        let conflict = details.conflict
        let id = Self.id(conflict)
        page.element("div", ["popover": "", "id": id, "role": "dialog", "aria-labelledby": "h-\(id)"]) { page in
            page.element("div", ["class": "top"]) { page in
                page.element(
                    "h3", ["id": "h-\(id)", "tabindex": "-1", "autofocus": ""]
                ) { $0.register(of: conflict, names) }
                page.element("button", ["type": "button", "popovertarget": id, "popovertargetaction": "hide"], text: "Close")
            }
            page.element("p", ["class": "soft"]) { page in
                let tone = conflict.severity.tone(conflict.isProven)
                page.element("span", ["class": "badge \(tone)"], text: conflict.severity.rawValue)
                page.text(" \(conflict.isProven ? "proven" : "suspected"), \(conflict.kind.rawValue), ")
                page.text("policy \(EventText.name(conflict.policy)), \(conflict.id)")
                if names[conflict.key] != nil { page.text(", record \(EventText.register(conflict.key, nil))") }
            }
            page.element("p", ["class": "verdict \(conflict.severity.isLoss ? "lost" : "good")"], text: details.explanation.sentence + ".")
            for remark in details.explanation.remarks { page.element("p", ["class": "maybe"], text: remark + ".") }
            if let lanes = TimelineLanes(details.timeline, isOfTable: details.conflict.versions != nil) { timeline(lanes, &page) }
            page.element("h4", text: "Both sides")
            sides(&page)
            closing(&page)
        }
    }

    // MARK: Timeline

    private static let laneHeight = 36

    private func timeline(_ lanes: TimelineLanes, _ page: inout HTMLMarkup) {
        page.element("h4", text: "Timeline")
        let legend = lanes.legend(isLoss: details.conflict.severity.isLoss)
        page.element("ul", ["class": "key"]) { page in
            for item in legend {
                page.element("li") { page in
                    page.element("svg", ["viewBox": "-6 -6 12 12", "aria-hidden": "true"]) { Self.mark(item.role, &$0) }
                    page.text(item.meaning)
                }
            }
        }
        page.element("div", ["class": "lanes"]) { page in
            page.element("svg", ["role": "img", "height": String(lanes.devices.count * Self.laneHeight)]) { page in
                page.element("title", text: description(lanes, legend))
                for (number, device) in lanes.devices.enumerated() {
                    let base = String(number * Self.laneHeight + 27)
                    page.element("text", ["y": String(number * Self.laneHeight + 14)], text: EventText.name(device.rawValue))
                    page.element("line", ["x2": "100%", "y1": base, "y2": base]) { _ in }
                    for entry in lanes.entries(of: device) {
                        page.element("svg", ["x": HTMLMarkup.percent(lanes.position(of: entry)), "y": base]) { Self.mark(entry.role, &$0) }
                    }
                }
            }
            let (start, end) = (TimelineLanes.time(lanes.span.lowerBound), TimelineLanes.time(lanes.span.upperBound))
            page.element("div", ["class": "axis"]) { page in
                page.element("span", text: start)
                if end != start { page.element("span", text: end) }
            }
        }
        if lanes.hiddenCount > 0 {
            page.element("p", ["class": "soft"], text: "and \(HumanNumber.count(lanes.hiddenCount, "more device", "more devices"))")
        }
        for sentence in lanes.seen { page.element("p", ["class": "soft"], text: sentence + ".") }
    }

    private static func mark(_ role: ConflictTimeline.Role, _ page: inout HTMLMarkup) {
        let name = "mark-\(role.rawValue)"
        switch role {
        case .winner, .loser: page.element("circle", ["class": name, "r": "5.5"]) { _ in }
        case .other: page.element("circle", ["class": name, "r": "3.5"]) { _ in }
        case .ancestor: page.element("path", ["class": name, "d": "M0-6L6 0L0 6L-6 0Z"]) { _ in }
        case .restoring: page.element("path", ["class": name, "d": "M0-6L6 5H-6Z"]) { _ in }
        }
    }

    /// Who wrote when, for those who cannot see it.
    private func description(_ lanes: TimelineLanes, _ legend: [(mark: Character, role: ConflictTimeline.Role, meaning: String)]) -> String
    {
        let meanings = Dictionary(legend.map { ($0.role, $0.meaning) }) { first, _ in first }
        let writes = details.timeline.entries.prefix(12).map { entry in
            "\(EventText.name(entry.dot.device.rawValue)) at \(TimelineLanes.time(entry.timestamp.milliseconds)) (\(meanings[entry.role] ?? "other"))"
        }
        let more = details.timeline.entries.count - writes.count
        return writes.joined(separator: ", ") + (more > 0 ? " and \(HumanNumber.count(more)) more" : "")
    }

    // MARK: Both sides

    private func sides(_ page: inout HTMLMarkup) {
        let table = SidesTable(details)
        page.element("table", ["class": "sides"]) { page in
            page.element("thead") { page in
                page.element("tr") { page in
                    for title in table.titles { page.element("th", ["scope": "col"], text: title) }
                }
            }
            page.element("tbody") { page in
                for row in table.rows {
                    if let name = row.name {
                        page.element("tr") {
                            $0.element(
                                "th", ["colspan": "\(table.titles.count)", "scope": row.cells.isEmpty ? "row" : "rowgroup"], text: name)
                        }
                    }
                    guard !row.cells.isEmpty else { continue }
                    page.element("tr") { page in
                        for (title, cell) in zip(table.titles, row.cells) {
                            page.element("td", ["class": "value", "data-label": title], text: cell)
                        }
                    }
                }
            }
        }
    }

    private func closing(_ page: inout HTMLMarkup) {
        let closing = ConflictClosing(details, source: source)
        page.element("h4", text: "What was lost")
        for (sentence, tone) in closing.sentences { page.element("p", ["class": tone.className], text: sentence) }
        guard isWhole else {
            page.element("p", ["class": "maybe"], text: "There are more lines about this record than a page takes in. The whole story:")
            page.element("pre", text: "syncaudit show \(details.conflict.id) \(source)")
            return
        }
        if let command = closing.command {
            page.element("p", text: "Get it back:")
            page.element("pre", text: command)
        }
    }
}
