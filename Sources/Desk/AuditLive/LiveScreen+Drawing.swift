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
        var lines = opened.map { conflict($0, pen) } ?? overview(room, pen)
        if opened != nil {
            firstLine = min(firstLine, max(0, lines.count - room))
            lines.removeFirst(firstLine)
        }
        lines = Array(lines.prefix(room))
        lines += Array(repeating: "", count: room - lines.count)
        return Array((lines + last).suffix(size.rows))
    }

    // MARK: The last lines

    private func status(_ pen: LivePen) -> [String] {
        if isEditing { return [pen.line("filter by type, field or device: \(filter.escaped(for: .terminal))_", pen.style.bold)] }
        // What to do next is at the end of a message, and often a command to be copied.
        if let message { return pen.wrapped(message).map(pen.style.yellow) }
        if isFrozen { return [pen.line("frozen; \(HumanNumber.count(eventsSinceFrozen, "event")) since: f goes on", pen.style.yellow)] }
        if skipped == 0 { return [""] }
        let first = firstProblem.map { ", the first at \($0)" } ?? ""
        return pen.wrapped("\(HumanNumber.count(skipped, "line")) could not be understood" + first).map(pen.style.yellow)
    }

    private func keys(_ pen: LivePen) -> String {
        if isEditing { return pen.line("Enter keeps the filter  Esc clears it", pen.style.dim) }
        if opened != nil { return pen.line("↑↓ scroll  r restore  Esc back  q back", pen.style.dim) }
        let long = "↑↓ move  Enter show  r restore  / filter  f \(isFrozen ? "go on" : "freeze")  q quit"
        return pen.line(TerminalText.width(long) < pen.columns ? long : "↑↓ Enter show  r restore  / f q", pen.style.dim)
    }

    // MARK: One conflict

    private func conflict(_ loss: LiveLog.Loss, _ pen: LivePen) -> [String] {
        let details = ConflictDetails(LoggedConflict(loss.conflict, from: loss.source), history: history(of: loss))
        func lines(_ style: TerminalStyle) -> [Substring] {
            let text = ConflictAnswer(details, source: source).text(PageLayout(style: style, width: pen.columns - 1, names: names))
            return text.split(separator: "\n", omittingEmptySubsequences: false)
        }
        var all = zip(lines(TerminalStyle(isEnabled: false)), lines(pen.style)).flatMap { plain, styled in
            // A command that is there to be copied may be longer than the screen is wide.
            TerminalText.width(String(plain)) < pen.columns ? [String(styled)] : pen.broken(String(plain))
        }
        if log.writes.hasForgotten {
            let sentence = "The first lines were forgotten; to read all: syncaudit show \(loss.conflict.id) \(source)"
            all += pen.broken(sentence).map(pen.style.yellow)
        }
        return all
    }

    // MARK: Everything

    private func overview(_ rows: Int, _ pen: LivePen) -> [String] {
        let log = shown
        var lines = heading(log, pen)
        if rows >= 12 {
            let parts = Parts(rows - lines.count, log, losses: listed.count)
            lines += chart(log, height: parts.bars, pen)
            lines += breakdowns(log, parts.names, pen)
            lines += syncs(log, parts.devices, pen)
        }
        return lines + latest(rows - lines.count, pen)
    }

    /// How many rows each part of the screen has: as many as it fills, and what the losses leave goes to whatever has more to show.
    private struct Parts {
        var bars: Int
        var names: Int
        var devices: Int

        init(_ rows: Int, _ log: LiveLog, losses: Int) {
            let isTall = rows >= 26
            let most = [log.types, log.fields, log.devices].map { $0.top(rows).count }.max() ?? 0
            bars = isTall ? 3 : 1
            (names, devices) = (min(most, isTall ? min(8, rows / 6) : 2), min(log.syncs.devices.count, isTall ? min(8, rows / 6) : 2))
            // The headings of three parts, the axis, and a bar each for losses and conflicts.
            func spare() -> Int { rows - 4 - 2 * bars - names - devices - max(1, losses) }
            while spare() > 0, names < most || devices < log.syncs.devices.count {
                if devices < log.syncs.devices.count { devices += 1 }
                if spare() > 0, names < most { names += 1 }
            }
            while spare() > 1, bars < (isTall ? 8 : 2) { bars += 1 }
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

    private func breakdowns(_ log: LiveLog, _ count: Int, _ pen: LivePen) -> [String] {
        let width = (pen.columns - 1) / 3
        let isProven = log.proven.losses > 0 || log.suspected.losses == 0
        let titles = isProven ? ["Lost by type"] : ["Perhaps lost by type", "Perhaps by type"]
        let title = titles.first { TerminalText.width($0) < width } ?? "By type"
        let columns = [(title, log.types), ("by field", log.fields), ("by losing device", log.devices)].map { title, tally in
            [TerminalText.padded(title, to: width)] + tally.top(count).map { cell($0, width) }
        }
        return (0..<(columns.map(\.count).max() ?? 1)).map { row in
            let text = columns.map { row < $0.count ? $0[row] : String(repeating: " ", count: width) }.joined()
            return row == 0 ? pen.line(text, pen.style.bold) : pen.line(text)
        }
    }

    /// A name and its losses: `Card.phone 12+3?` where three are suspected only, `3?` where all are.
    private func cell(_ entry: (name: String, proven: ConflictTally.Count, suspected: ConflictTally.Count), _ width: Int) -> String {
        let (proven, suspected) = (entry.proven.losses, entry.suspected.losses)
        let counts = [proven > 0 ? HumanNumber.count(proven) : nil, suspected > 0 ? HumanNumber.count(suspected) + "?" : nil]
        let number = counts.compactMap(\.self).joined(separator: "+")
        let room = max(1, width - number.count - 4)
        return TerminalText.padded(
            "  " + TerminalText.padded(TerminalText.shortened(entry.name, to: room), to: room) + " " + number, to: width)
    }

    // MARK: Sync

    private func syncs(_ log: LiveLog, _ count: Int, _ pen: LivePen) -> [String] {
        let devices = HealthTable.sorted(log.syncs)
        var lines = [pen.line("Sync by device" + (devices.isEmpty ? ": no event tells of it" : ""), pen.style.bold)]
        let times = LiveTimes(
            devices.flatMap { [$0.value.activity?.milliseconds, $0.value.lastSuccess] }.compactMap(\.self) + [log.latest].compactMap(\.self)
        )
        for (device, state) in devices.prefix(count) {
            let name = TerminalText.padded(
                TerminalText.shortened(device.map { EventText.name($0.rawValue) } ?? "(no name)", to: 14), to: 15)
            lines.append(pen.line("  " + name + pen.clauses(words(state, times), after: 17), state.needsAttention ? pen.style.red : { $0 }))
        }
        if devices.count > count { lines[0] = pen.line("Sync by device, \(count) of \(devices.count)", pen.style.bold) }
        return lines
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

    private func latest(_ rows: Int, _ pen: LivePen) -> [String] {
        let losses = listed
        let selection = selection(in: losses)
        let kept = shown.losses.count
        let total = shown.lossCount
        var title = "Latest losses"
        if !filter.isEmpty { title += " with \"\(filter.escaped(for: .terminal))\": \(losses.count) of \(kept)" }
        if total > kept { title += ", the last \(HumanNumber.count(kept)) of \(HumanNumber.count(total))" }
        var lines = [pen.line(title, pen.style.bold)]
        let room = max(1, rows - 1)
        let first = min(max(0, selection - room / 2), max(0, losses.count - room))
        let seen = losses.enumerated().dropFirst(first).prefix(room)
        let times = LiveTimes(losses.map(\.conflict.milliseconds) + [shown.latest].compactMap(\.self))
        for (index, loss) in seen {
            let conflict = loss.conflict
            let time = times.string(conflict.milliseconds)
            let isSelected = index == selection
            let sentence = LossSentence(conflict, names: names).fitting(pen.columns - 1 - 3 - time.count)
            let text = "\(isSelected ? "> " : "  ")\(time) \(sentence)"
            lines.append(pen.line(text, isSelected ? pen.style.bold : conflict.isProven ? { $0 } : pen.style.dim))
        }
        if losses.isEmpty { lines.append(pen.line(filter.isEmpty ? "  none" : "  none passes the filter", pen.style.dim)) }
        return lines
    }
}

/// Cuts and styles lines of a screen.
struct LivePen {
    let columns: Int
    let style: TerminalStyle

    /// A line that leaves the last column free, where some terminals would go on to the next line.
    func line(_ text: String, _ tone: (String) -> String = { $0 }) -> String { tone(TerminalText.truncated(text, to: columns - 1)) }

    /// As many of the clauses of a sentence as there is room for behind some columns, and one in any case.
    func clauses(_ sentence: String, after used: Int) -> String {
        var clauses = sentence.split(separator: ", ")[...]
        while clauses.count > 1, TerminalText.width(clauses.joined(separator: ", ")) > columns - 1 - used { clauses.removeLast() }
        return TerminalText.truncatedAtWord(clauses.joined(separator: ", "), to: max(1, columns - 1 - used))
    }

    /// A sentence in lines that end behind words, where there is room for a word.
    func wrapped(_ sentence: String) -> [String] { TerminalText.lines(sentence, to: columns - 1, wide: .broken) }

    /// A line of parts, each in its tone.
    func line(_ parts: [(String, (String) -> String)]) -> String {
        var room = columns - 1
        return parts.map { text, tone in
            let cut = TerminalText.truncated(text, to: room)
            room -= TerminalText.width(cut)
            return tone(cut)
        }.joined()
    }

    /// A line with a text at either end.
    func ends(_ left: String, _ right: String, _ tone: (String) -> String) -> String {
        let room = columns - 1 - TerminalText.width(right) - 1
        guard room >= 10 else { return line(left, tone) }
        return tone(TerminalText.padded(TerminalText.truncated(left, to: room), to: room + 1)) + style.dim(right)
    }

    /// A text in lines as long as there is room for.
    func broken(_ text: String) -> [String] { TerminalText.broken(text, to: columns - 1) }

    private static let eighths: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// One row of upright bars, of which row 0 is the lowest; what is more than nothing shows at least a sliver.
    static func bars(_ values: [Int], most: Int, row: Int, of height: Int) -> String {
        String(
            values.map { value -> Character in
                guard value > 0, most > 0 else { return row == 0 ? "·" : " " }
                let units = max(1, Int((Double(value) / Double(most) * Double(height * 8)).rounded())) - row * 8
                return units <= 0 ? " " : eighths[min(units, 8) - 1]
            })
    }
}
