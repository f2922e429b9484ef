import AuditAnalysis
package import AuditReport
import ConflictAudit
import SyncBytes
import SyncModel

extension LiveScreen {
    /// The lines of the screen, one for each row, none wider than the columns.
    ///
    /// Whatever the logs hold, nothing in them acts on a terminal.
    package mutating func render(_ size: Size, _ style: TerminalStyle) -> [String] {
        let pen = LivePen(columns: size.columns, style: style)
        let last = status(pen) + [keys(pen)]
        let room = max(0, size.rows - last.count)
        var lines: [String]
        if let page = pages.last {
            lines = self.lines(of: page.content, pen)
            let first = min(page.firstLine, max(0, lines.count - room))
            (pages[pages.count - 1].firstLine, pageHeight) = (first, room)
            lines.removeFirst(first)
        } else {
            lines = overview(room, pen)
        }
        lines = Array(lines.prefix(room))
        lines += Array(repeating: "", count: room - lines.count)
        return Array((lines + last).suffix(size.rows))
    }

    // MARK: The last lines

    private func status(_ pen: LivePen) -> [String] {
        // What to do next is at the end of a message, and often a command to be copied.
        let told = message.map { pen.wrapped($0).map(pen.style.yellow) } ?? []
        if let prompt {
            let label =
                switch prompt.purpose {
                case .find: "record, field, device or id (! for without): "
                case .time: "time (2h, 2026-01-15, 2026-01-15T14:00:00Z): "
                case .file: "append the line to: "
                }
            return told + [pen.line(label, typing: prompt)]
        }
        if let isOut = isFilteringOut, let loss = meant {
            let parts = Self.parts(of: loss).map { "\($0.key) \(LiveFilter($0.subject, isOut: isOut).words)" }
            return pen.wrapped(parts.joined(separator: ", ")).map(pen.style.yellow)
        }
        if !told.isEmpty { return told }
        if isFrozen { return [pen.line("frozen; \(HumanNumber.count(eventsSinceFrozen, "event")) since: f goes on", pen.style.yellow)] }
        if skipped == 0 { return [""] }
        let first = firstProblem.map { ", the first at \($0)" } ?? ""
        return pen.wrapped("\(HumanNumber.count(skipped, "line")) could not be understood" + first).map(pen.style.yellow)
    }

    private func keys(_ pen: LivePen) -> String {
        func line(_ hints: [String]) -> String { pen.hints(hints) }
        if let prompt {
            let enter =
                switch prompt.purpose {
                case .find: "Enter keeps the filter"
                case .time: "Enter jumps"
                case .file: "Enter writes"
                }
            return line([enter, "Esc leaves", "Ctrl-U empties the line"])
        }
        if isFilteringOut != nil { return line(["a letter says by what", "Esc leaves"]) }
        switch pages.last?.content {
        case .help?: return line(["Esc back", "↑↓ scroll"])
        case .devices?: return line(["Esc back", "↑↓ scroll", "? help"])
        case .story?: return line(["Esc back", "↑↓ scroll", "? help", "y copy the record's name"])
        case .conflict?, .line?, .restoration?:
            return line(["Esc back", "↑↓ scroll", "? help", "r restore", "v record", "l line", "y copy the id"])
        case nil: return line(LiveHelp.hints)
        }
    }

    // MARK: Everything

    private mutating func overview(_ rows: Int, _ pen: LivePen) -> [String] {
        let log = shown
        var lines = heading(log, pen)
        let room = rows - lines.count
        if rows >= 12 {
            let health = log.health
            let panels = [LivePanel.types, .fields, .losers].map { ($0, counts(of: $0, room)) }
            let parts = Parts(
                room, names: panels.map(\.1.count).max() ?? 0, devices: health.entries.count, losses: listed.count, focus: view.focus)
            lines += chart(log, height: parts.bars, pen)
            lines += breakdowns(panels, log, parts.names, pen)
            lines += syncs(health, log, parts.devices, pen)
        } else if view.focus == .devices {
            return lines + syncs(log.health, log, max(1, room - 1), pen)
        } else if view.focus.isBreakdown {
            return lines + breakdowns([(view.focus, counts(of: view.focus, room))], log, max(1, room - 1), pen)
        }
        return lines + latest(rows - lines.count, pen)
    }

    /// The rows of a panel of counts, as many as there is room for where it is not scrolled.
    private func counts(of panel: LivePanel, _ room: Int) -> [LiveTally.Row] {
        let sort = sort(of: panel)
        let isScrolled = view.rows[panel] != nil || sort != LiveSort(order: .losses)
        return isScrolled ? tally(panel).rows(sort) : tally(panel).rows(sort, atMost: room)
    }

    /// How many rows each part of the screen has: as many as it fills, and what the losses leave goes to whatever has more to show.
    private struct Parts {
        var bars: Int
        var names: Int
        var devices: Int

        init(_ rows: Int, names most: Int, devices all: Int, losses: Int, focus: LivePanel) {
            let isTall = rows >= 26
            let least = isTall ? min(8, rows / 6) : 2
            bars = isTall ? 3 : 1
            // The headings of three parts, the axis, and a bar each for losses and conflicts.
            func spare(_ losses: Int) -> Int { rows - 4 - 2 * bars - names - devices - max(1, losses) }
            (names, devices) = (min(most, least), min(all, least))
            // A panel in which somebody moves needs room, and the losses keep some.
            if focus.isBreakdown { names += max(0, min(most - names, spare(3))) }
            if focus == .devices { devices += max(0, min(all - devices, spare(3))) }
            while spare(losses) > 0, names < most || devices < all {
                if devices < all { devices += 1 }
                if spare(losses) > 0, names < most { names += 1 }
            }
            while spare(losses) > 1, bars < (isTall ? 8 : 2) { bars += 1 }
        }
    }

    private func heading(_ log: LiveLog, _ pen: LivePen) -> [String] {
        let time = log.latest.map { RFC3339.string(milliseconds: $0).prefix(19).split(separator: "T").joined(separator: " ") } ?? ""
        let losses = (log.proven.losses, log.suspected.losses)
        let conflicts = HumanNumber.count(log.proven.conflicts + log.suspected.conflicts, "conflict")
        let sum = "in \(conflicts), \(HumanNumber.count(log.events, "event"))"
        let headline: (String, (String) -> String) =
            switch losses {
            case (0, 0) where log.events == 0:
                (isLive ? "Nothing logged yet; waiting for \(awaited)" : "There is no event in these logs", pen.style.dim)
            case (0, 0): ("No edit known to be lost \(sum)", pen.style.green)
            case (let proven, 0): ("\(HumanNumber.count(proven, "edit")) lost \(sum)", pen.style.red)
            case (0, let suspected): ("\(HumanNumber.count(suspected, "edit")) perhaps lost \(sum)", pen.style.yellow)
            case (let proven, let suspected):
                ("\(HumanNumber.count(proven, "edit")) lost, \(HumanNumber.count(suspected)) more perhaps, \(sum)", pen.style.red)
            }
        return [pen.ends(title, time, pen.style.bold), pen.line(headline.0, headline.1)]
    }

    // MARK: By minute

    private func chart(_ log: LiveLog, height: Int, _ pen: LivePen) -> [String] {
        let label = 10
        let chart = log.minutes.chart(max(1, pen.columns - 1 - label - 9))
        let left = [(chart.before, "before"), (chart.ahead, "dated ahead")].filter { $0.0 > 0 }
        let others = left.map { "; \(HumanNumber.count($0.0)) \($0.1)" }.joined()
        if chart.counts.isEmpty { return [pen.line("Losses and conflicts by minute: none yet" + others, pen.style.dim)] }
        func rows(_ name: String, _ values: [Int], _ tone: @escaping (String) -> String) -> [String] {
            let most = values.max() ?? 0
            // Nothing is as high as nothing.
            let height = most == 0 ? 1 : height
            return (0..<height).map { row in
                let bars = LivePen.bars(values, most: most, row: height - 1 - row, of: height)
                let head = TerminalText.padded(row == height - 1 ? name : "", to: label)
                let tail = row == 0 ? " max " + HumanNumber.count(most) : ""
                return pen.line([(head, { $0 }), (bars, tone), (tail, pen.style.dim)])
            }
        }
        let unit = chart.width == 1 ? "by minute" : "by \(HumanNumber.duration(milliseconds: chart.width * 60_000))"
        let times = LiveTimes([chart.begin, chart.end, log.latest ?? chart.end], hasSeconds: false)
        // Hours say nothing of a chart of months.
        let ends = [chart.begin, chart.end].map(chart.end - chart.begin > 172_800_000 ? LiveTimes.day : times.string)
        let axis = "\(unit), \(ends[0]) to \(ends[1]) UTC\(others)"
        return rows("losses", chart.counts.map(\.losses), pen.style.red) + rows("conflicts", chart.counts.map(\.conflicts), pen.style.cyan)
            + [pen.line(String(repeating: " ", count: label) + axis, pen.style.dim)]
    }

    // MARK: Breakdowns

    private mutating func breakdowns(_ panels: [(LivePanel, [LiveTally.Row])], _ log: LiveLog, _ count: Int, _ pen: LivePen) -> [String] {
        let width = (pen.columns - 1) / panels.count
        let isProven = log.proven.losses > 0 || log.suspected.losses == 0
        var columns: [[String]] = []
        for (panel, rows) in panels {
            let titles =
                switch panel {
                case .types: (isProven ? ["Lost by type"] : ["Perhaps lost by type", "Perhaps by type"]) + ["By type"]
                case .fields: ["by field"]
                default: ["by losing device", "by device"]
                }
            let sort = sort(of: panel)
            let isSorted = view.focus == panel || sort != LiveSort(order: .losses)
            let labelled = isSorted ? titles.map { "\($0) \(sort.label)" } : []
            let title = (labelled + titles).first { TerminalText.width($0) < width } ?? titles[titles.count - 1]
            let selection = selection(in: rows.map(\.name), of: panel)
            let visible = visible(rows, selection, count, of: panel)
            columns.append(
                [pen.heading(TerminalText.padded(TerminalText.truncated(title, to: width), to: width), isMarked: view.focus == panel)]
                    + visible.map { index, row in
                        let isSelected = view.focus == panel && index == selection
                        let conflicts = sort.order == .conflicts ? row.conflicts : nil
                        let text = TerminalText.truncated(cell(row, width, of: conflicts, isSelected: isSelected), to: width)
                        return isSelected ? pen.style.bold(text) : text
                    })
        }
        return (0..<(columns.map(\.count).max() ?? 1)).map { row in
            columns.map { row < $0.count ? $0[row] : String(repeating: " ", count: width) }.joined()
        }
    }

    /// The rows of a panel that there is room for, the selected one among them.
    private mutating func visible<Row>(
        _ rows: [Row], _ selection: Int, _ room: Int, of panel: LivePanel
    ) -> some Sequence<(offset: Int, element: Row)> {
        heights[panel] = room
        let first = min(max(0, selection - room / 2), max(0, rows.count - room))
        return rows.enumerated().dropFirst(first).prefix(room)
    }

    /// A name and its losses: `Card.phone 12+3?` where three are suspected only, `3?` where all are.
    ///
    /// - Parameter of: How many conflicts there are, where they are to be told.
    private func cell(_ entry: LiveTally.Row, _ width: Int, of: Int?, isSelected: Bool) -> String {
        let (proven, suspected) = (entry.proven.losses, entry.suspected.losses)
        let counts = [proven > 0 ? HumanNumber.count(proven) : nil, suspected > 0 ? HumanNumber.count(suspected) + "?" : nil]
        let all = of.map { " of " + HumanNumber.count($0) } ?? ""
        let number = counts.compactMap(\.self).joined(separator: "+") + all
        let room = max(1, width - number.count - 4)
        return TerminalText.padded(
            (isSelected ? "> " : "  ") + TerminalText.padded(TerminalText.shortened(entry.name.words, to: room), to: room) + " " + number,
            to: width)
    }

    // MARK: Sync

    private mutating func syncs(_ health: DeviceHealthList, _ log: LiveLog, _ count: Int, _ pen: LivePen) -> [String] {
        let entries = devices(health)
        let isMarked = view.focus == .devices
        if entries.isEmpty { return [pen.heading(pen.line("Devices by need: no event tells of their sync"), isMarked: isMarked)] }
        let cut = entries.count > count ? ", \(HumanNumber.count(count)) of \(HumanNumber.count(entries.count))" : ""
        let sort = sort(of: .devices)
        let name = sort == LiveSort(order: .need) ? "Devices by need" : "Devices \(sort.label)"
        let title = "\(name)\(cut): \(DeviceHealthList.words(health.counts))"
        let times = LiveTimes(
            entries.flatMap { [$0.part.activity?.milliseconds, $0.part.lastSuccess] }.compactMap(\.self)
                + [log.latest].compactMap(\.self))
        let selection = selection(in: entries.map(\.rowName), of: .devices)
        return [pen.heading(pen.clauses(title, after: 0), isMarked: isMarked)]
            + visible(entries, selection, count, of: .devices).map { index, entry in
                let name = TerminalText.padded(TerminalText.shortened(entry.name, to: 14), to: 15)
                let words = words(entry.part, times)
                let told = entry.needsAttention || words.isEmpty ? [entry.reason, words] : [words]
                let text = pen.clauses(entry.labels + ": " + told.filter { !$0.isEmpty }.joined(separator: ", "), after: 17)
                let isSelected = isMarked && index == selection
                let line = pen.line((isSelected ? "> " : "  ") + name + text, entry.needsAttention ? pen.style.red : { $0 })
                return isSelected ? pen.style.bold(line) : line
            }
    }

    private func words(_ device: SyncHealth.Device, _ times: LiveTimes) -> String {
        var parts: [String] = []
        if let activity = device.activity {
            parts.append("\(activity.phase.rawValue) \(activity.state.rawValue) \(times.string(activity.milliseconds))")
            if activity.state == .failed {
                parts[0] += activity.error.map { ": " + TerminalText.truncated(EventText.sentence($0.string), to: 40) } ?? ""
                parts.append(device.lastSuccess.map { "last success \(times.string($0))" } ?? "never succeeded")
            }
        }
        if device.failed > 0 { parts.append(HumanNumber.count(device.failed, "failure")) }
        if device.outbox != nil {
            parts.append(device.waiting.map { "\(HumanNumber.count($0.status.writes)) to send" } ?? "all sent")
            if device.refused > 0 { parts.append("\(HumanNumber.count(device.refused)) refused") }
        }
        if let since = device.pulseStopped { parts.append("no pulse since \(times.string(since))") }
        if device.showing?.latest?.isBehind == true { parts.append("changes not shown") }
        if let network = device.networkStatus { parts.append("network \(EventText.name(network))") }
        if let account = device.account { parts.append("account \(EventText.name(account.status.string))") }
        return parts.joined(separator: ", ")
    }

    // MARK: Losses

    private mutating func latest(_ rows: Int, _ pen: LivePen) -> [String] {
        let losses = listed
        let selection = selection(in: losses)
        let (kept, total) = (shown.losses.count, shown.lossCount)
        let (sort, isFocused) = (sort(of: .losses), view.focus == .losses)
        var title = sort == LiveSort(order: .time) ? "Latest losses" : "Losses \(sort.label)"
        if !filters.isEmpty { title += ": \(HumanNumber.count(losses.count)) of \(HumanNumber.count(kept))" }
        if total > kept { title += ", the last \(HumanNumber.count(kept)) of \(HumanNumber.count(total))" }
        var lines = [pen.heading(pen.line(title), isMarked: isFocused)]
        if !filters.isEmpty, rows > 2 {
            lines.append(pen.line("  " + filters.map(\.words).joined(separator: ", ") + "; Esc takes the last away", pen.style.yellow))
        }
        let seen = Array(visible(losses, selection, max(1, rows - lines.count), of: .losses))
        let times = LiveTimes(losses.map(\.conflict.milliseconds) + [shown.latest].compactMap(\.self))
        for (index, loss) in seen {
            let conflict = loss.conflict
            let time = times.string(conflict.milliseconds)
            let isSelected = index == selection
            let sentence = LossSentence(conflict, names: names).fitting(pen.columns - 1 - 3 - time.count)
            let text = "\(isSelected ? isFocused ? "> " : "· " : "  ")\(time) \(sentence)"
            lines.append(pen.line(text, isSelected ? pen.style.bold : conflict.isProven ? { $0 } : pen.style.dim))
        }
        if losses.isEmpty { lines.append(pen.line(filters.isEmpty ? "  none" : "  none passes the filters", pen.style.dim)) }
        return lines
    }
}
