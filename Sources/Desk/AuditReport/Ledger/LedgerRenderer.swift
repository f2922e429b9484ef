package import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncModel

/// Draws a ledger for a person at a terminal: how much was lost, the latest losses with what became of them and how to get one back, then
/// where they were.
package struct LedgerRenderer: Sendable {
    private let layout: PageLayout
    private let now: Int64
    private let source: String

    /// A renderer.
    ///
    /// - Parameters:
    ///   - layout: How much the tables show, and how they look.
    ///   - now: The time that ages are counted from, in milliseconds since 1970.
    ///   - source: The inputs as a shell takes them, for the command that gets a value back.
    package init(_ layout: PageLayout, now: Int64, source: String) {
        self.layout = layout
        self.now = now
        self.source = source
    }

    /// The ledger, lines ended by line feeds.
    ///
    /// - Complexity: O(*n* log *n*) in the losses.
    package func render(_ ledger: LossLedger) -> String {
        let losses = ledger.losses
        var page = ReportPage(width: layout.width, style: layout.style)
        guard !losses.isEmpty else {
            let evidence = ledger.evidence
            if let sentence = evidence.unauditedSentence {
                page.paragraph(sentence) { layout.style.bold(layout.style.yellow($0)) }
                page.paragraph("To find out: \(AuditEvidence.command("lost"))", layout.style.dim)
            } else {
                let whole = evidence.isWhole || evidence.writes == 0
                let nothing = whole ? "Nothing was lost" : "No loss is known"
                page.paragraph(ledger.filter.isUnrestricted ? nothing : nothing + " that passes the filter") { sentence in
                    whole ? layout.style.green(sentence) : layout.style.yellow(sentence)
                }
                if !whole { page.paragraph(evidence.contextShare, layout.style.dim) }
            }
            return page.text
        }
        let breakdown = LedgerBreakdown(losses, now: now)
        page.paragraph(headline(breakdown)) {
            layout.style.bold(breakdown.total.restored == breakdown.total.values ? layout.style.green($0) : layout.style.red($0))
        }
        for note in notes(breakdown, losses, ledger) { page.paragraph(note, layout.style.dim) }
        list(losses, &page)
        var text = page.text
        text += section("Lost by field", breakdown.byField) { key in
            (key.field.map { "\(key.type).\($0)" } ?? "\(key.type) (whole record)").escaped(for: .terminal)
        }
        text += section("Lost by device", breakdown.byDevice) { $0.rawValue.escaped(for: .terminal) }
        if breakdown.byType.count > 1 { text += section("Lost by record type", breakdown.byType) { $0.rawValue.escaped(for: .terminal) } }
        text += rows("Lost by age", LedgerBreakdown.Age.allCases.compactMap { age in breakdown.byAge[age].map { (age.name, $0) } })
        return text + rows("Lost by week (UTC)", weeks(breakdown), bar: true)
    }

    private func headline(_ breakdown: LedgerBreakdown) -> String {
        let (all, proven) = (breakdown.total.values, breakdown.proven.values)
        var sentence = proven > 0 ? "\(HumanNumber.count(proven, "value")) \(proven == 1 ? "was" : "were") lost" : ""
        if all > proven {
            let suspected = all - proven
            sentence +=
                proven > 0
                ? ", and \(HumanNumber.count(suspected)) may have been" : "\(HumanNumber.count(suspected, "value")) may have been lost"
        }
        if breakdown.total.restored > 0 { sentence += "; \(HumanNumber.count(breakdown.total.restored)) of them restored since" }
        return sentence
    }

    private func notes(_ breakdown: LedgerBreakdown, _ losses: [Loss], _ ledger: LossLedger) -> [String] {
        let counts = Dictionary(grouping: losses, by: \.recoverability).mapValues(\.count)
        var parts: [String] = []
        if let count = counts[.available] {
            parts.append(count == losses.count ? "this log can restore all of them" : "this log can restore \(HumanNumber.count(count))")
        }
        if let count = counts[.omitted] { parts.append("\(HumanNumber.count(count)) left out of it") }
        if let count = counts[.truncated] { parts.append("\(HumanNumber.count(count)) cut") }
        if let count = counts[.notApplicable] { parts.append("\(HumanNumber.count(count)) that no single write can bring back") }
        var notes = [parts.joined(separator: ", ") + "; " + HumanNumber.count(breakdown.total.characters, "character") + " of text"]
        if losses.contains(where: { $0.conflict.versions != nil }) {
            notes.append("by kind: \(SavedLossKind.sentence(losses.map(\.conflict)))")
        }
        if ledger.hasWrites, !ledger.evidence.isWhole { notes.append(ledger.evidence.contextShare) }
        if !ledger.hasWrites, !losses.contains(where: { $0.conflict.versions != nil }) {
            notes.append("Whether a value was written again is not known: only write lines tell, and there are none. Name the trace too")
        }
        return notes
    }

    // MARK: Sections

    private func section<Key: Hashable & Comparable>(_ title: String, _ counts: [Key: LossCount], label: (Key) -> String) -> String {
        let sorted = counts.ordered { $0.value.values == $1.value.values ? $0.key < $1.key : $0.value.values > $1.value.values }
        // One row more costs no more than a line that says there is one more.
        let shown = sorted.count == layout.top + 1 ? sorted.count : layout.top
        var lines = sorted.prefix(shown).map { (label($0.key), $0.value) }
        if sorted.count > shown {
            var others = LossCount()
            for (_, count) in sorted.dropFirst(shown) { others.add(count) }
            lines.append(("\(HumanNumber.count(sorted.count - shown)) others", others))
        }
        return rows(title, lines)
    }

    /// The latest weeks in which something was lost.
    private func weeks(_ breakdown: LedgerBreakdown) -> [(String, LossCount)] {
        breakdown.byWeek.ordered { $0.key < $1.key }.suffix(layout.top).map { (CalendarPeriod.week.label(of: $0.key), $0.value) }
    }

    private func rows(_ title: String, _ rows: [(label: String, count: LossCount)], bar: Bool = false) -> String {
        var table = TextTable(columns: [
            .init(title, isFlexible: !bar), .init("values", alignment: .right), .init("restorable", alignment: .right),
            .init("restored", alignment: .right), .init("characters", alignment: .right), .init(),
        ])
        let largest = rows.map(\.count.characters).max() ?? 0
        for (label, count) in rows {
            table.addRow(
                ["  " + TerminalText.truncated(label, to: 40)]
                    + [count.values, count.restorable, count.restored, count.characters].map { HumanNumber.count($0) }
                    + [bar && largest > 0 ? Chart.bar(Double(count.characters) / Double(largest), width: max(4, layout.width - 70)) : ""])
        }
        return "\n" + layout.style.headed(table.render(maximumWidth: layout.width))
    }

    private func list(_ losses: [Loss], _ page: inout ReportPage) {
        page.lineBreak()
        page.paragraph("Latest losses", layout.style.bold)
        for loss in losses.prefix(layout.top) {
            let status = status(loss)
            // As many lines as hold the value and the time, less what words that go to the next line leave free.
            let lines = layout.width < 80 ? 3 : 2
            let sentence = LossSentence(loss, names: layout.names).fitting(lines * (layout.width - Self.idWidth - 2) - 8 * lines)
            page.item(
                sentence + (status.map { "; \($0)" } ?? ""), String(loss.conflict.id.description.prefix(Self.idWidth)), layout.style.cyan)
        }
        let more = losses.count - min(losses.count, layout.top)
        if more > 0 { page.paragraph("  and \(HumanNumber.count(more)) more; --format csv lists all", layout.style.dim) }
        if losses.contains(where: { $0.recoverability == .available && $0.status != .restored }) {
            let command = "syncaudit restore ID \(source)"
            let isShort = TerminalText.width(command) + 15 <= layout.width
            page.paragraph("Get one back: \(isShort ? command : "syncaudit restore ID FILES")", layout.style.bold)
        }
    }

    /// As many digits of an id as tell it from others in all but the largest ledgers.
    private static let idWidth = 10

    /// What has become of a loss, where it is not simply lost.
    private func status(_ loss: Loss) -> String? {
        switch loss.status {
        case .lost: nil
        case .waiting: "waits for a decision"
        case .decided: "decided by a person since"
        case .restored: "restored since"
        }
    }
}

extension LossCount {
    fileprivate mutating func add(_ other: LossCount) {
        values += other.values
        restorable += other.restorable
        restored += other.restored
        characters = characters.addingCount(other.characters)
    }
}
