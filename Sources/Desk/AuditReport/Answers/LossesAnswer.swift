package import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncLines
import SyncMerge
import SyncModel

/// A ledger: how much was lost, the latest losses with what became of them and how to get one back, and where they were.
package struct LossesAnswer: Answer {
    private let ledger: LossLedger
    private let now: Int64
    private let source: String

    /// An answer.
    ///
    /// - Parameters:
    ///   - ledger: The losses.
    ///   - now: The time that ages are counted from, in milliseconds since 1970.
    ///   - source: The inputs as a shell takes them, for the command that gets a value back.
    package init(_ ledger: LossLedger, now: Int64, source: String) { (self.ledger, self.now, self.source) = (ledger, now, source) }

    // MARK: For programs

    /// The latest loss first.
    package var document: Document {
        [
            "isUnaudited": ledger.evidence.isUnaudited,
            "writesWithoutContext": ledger.evidence.withoutContext, "restoredIsKnown": ledger.hasWrites, "benign": ledger.benignCount,
            "losses": Rows(ledger.losses) { loss in
                let conflict = loss.conflict
                return [
                    "id": conflict.id.description, "status": loss.status.rawValue, "recoverability": loss.recoverability.rawValue,
                    "proven": conflict.isProven, "kind": conflict.kind.rawValue, "severity": conflict.severity.rawValue,
                    "recordType": conflict.key.type, "recordID": conflict.key.id, "name": conflict.name?.text, "field": conflict.field,
                    "device": conflict.loser.dot.device, "written": Time(loss.milliseconds), "op": conflict.loser.operation.rawValue,
                    "lostTo": conflict.winner.dot.device, "policy": conflict.policy, "reason": conflict.reason.rawValue,
                    "characters": loss.characters, "value": conflict.loser.value,
                    "otherConflicts": loss.otherConflicts.isEmpty ? nil : loss.otherConflicts.map(\.description),
                ]
            },
        ]
    }

    /// The ledger as comma-separated values with a line of names, the latest loss first; the value is JSON.
    package var csv: String {
        var text = CSVText.line([
            "id", "status", "recoverability", "proven", "kind", "severity", "recordType", "recordID", "field", "device", "written", "op",
            "lostTo",
            "policy", "reason", "characters", "value",
        ])
        for loss in ledger.losses {
            let conflict = loss.conflict
            text += CSVText.line([
                conflict.id.description, loss.status.rawValue, loss.recoverability.rawValue, conflict.isProven ? "true" : "false",
                conflict.kind.rawValue, conflict.severity.rawValue, conflict.key.type.rawValue.escaped(for: .spreadsheet),
                conflict.key.id.rawValue.escaped(for: .spreadsheet), (conflict.field?.rawValue ?? "").escaped(for: .spreadsheet),
                conflict.loser.dot.device.rawValue.escaped(for: .spreadsheet), RFC3339.string(milliseconds: loss.milliseconds),
                conflict.loser.operation.rawValue, conflict.winner.dot.device.rawValue.escaped(for: .spreadsheet),
                conflict.policy.escaped(for: .spreadsheet),
                conflict.reason.rawValue, String(loss.characters), conflict.loser.value.map { CSVText.json($0) } ?? "",
            ])
        }
        return text
    }

    // MARK: For a person

    /// The ledger.
    ///
    /// - Complexity: O(*n* log *n*) in the losses.
    package func page(_ layout: PageLayout) -> Page {
        var page = Page()
        let losses = ledger.losses
        guard !losses.isEmpty else {
            let evidence = ledger.evidence
            if let sentence = evidence.unauditedSentence {
                page.headline(sentence, .warning)
                page.paragraph("To find out: \(AuditEvidence.command("lost"))", .aside)
            } else {
                let whole = evidence.isWhole || evidence.writes == 0
                let nothing = whole ? "Nothing was lost" : "No loss is known"
                let filtered = ledger.filter.isUnrestricted ? "" : " that passes the filter\(period)"
                page.paragraph(nothing + filtered, whole ? .good : .warning)
                if !whole { page.paragraph(evidence.contextShare, .aside) }
                if let benignSentence { page.paragraph(benignSentence, .aside) }
            }
            return page
        }
        let breakdown = LedgerBreakdown(losses, now: now)
        page.headline(headline(breakdown), breakdown.total.restored == breakdown.total.values ? .good : .bad)
        for note in notes(breakdown, losses) { page.paragraph(note, .aside) }
        page.lineBreak()
        list(losses, layout, on: &page)
        section("Lost by field", breakdown.byField, layout, on: &page) { $0.label }
        section("Lost by device", breakdown.byDevice, layout, on: &page) { $0.rawValue.escaped(for: .terminal) }
        if breakdown.byType.count > 1 {
            section("Lost by record type", breakdown.byType, layout, on: &page) { $0.rawValue.escaped(for: .terminal) }
        }
        let ages = LedgerBreakdown.Age.allCases.compactMap { age in breakdown.byAge[age].map { (age.name, $0) } }
        rows("Lost by age", ages, on: &page)
        // The latest weeks in which something was lost.
        let weeks = breakdown.byWeek.ordered { $0.key < $1.key }.suffix(layout.top)
            .map { (CalendarPeriod.week.label(of: $0.key), $0.value) }
        rows("Lost by week (UTC)", weeks, barWidth: max(4, layout.width - 70), on: &page)
        return page
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

    private func notes(_ breakdown: LedgerBreakdown, _ losses: [Loss]) -> [String] {
        let counts = Dictionary(grouping: losses, by: \.recoverability).mapValues(\.count)
        var parts: [String] = []
        if let count = counts[.available] {
            parts.append(count == losses.count ? "this log can restore all of them" : "this log can restore \(HumanNumber.count(count))")
        }
        if let count = counts[.omitted] { parts.append("\(HumanNumber.count(count)) left out of it") }
        if let count = counts[.truncated] { parts.append("\(HumanNumber.count(count)) cut") }
        if let count = counts[.notApplicable] { parts.append("\(HumanNumber.count(count)) that no single write can bring back") }
        var notes = period.isEmpty ? [] : ["Of conflicts" + period]
        notes.append(parts.joined(separator: ", ") + "; " + HumanNumber.count(breakdown.total.characters, "character") + " of text")
        if losses.contains(where: { $0.conflict.versions != nil }) {
            notes.append("by kind: \(SavedLossKind.sentence(losses.map(\.conflict)))")
        }
        if ledger.hasWrites, !ledger.evidence.isWhole { notes.append(ledger.evidence.contextShare) }
        if !ledger.hasWrites, !losses.contains(where: { $0.conflict.versions != nil }) {
            notes.append("Whether a value was written again is not known: only write lines tell, and there are none. Name the trace too")
        }
        if let benignSentence { notes.append(benignSentence) }
        return notes
    }

    /// How many losses of the lines are none; nil where all are.
    package var benignSentence: String? {
        guard case let count = ledger.benignCount, count > 0 else { return nil }
        let more = ledger.losses.isEmpty ? "" : " more"
        return count == 1
            ? "1\(more) that lines call lost took nothing from anybody: by all writes, its device showed the same before"
            : "\(HumanNumber.count(count))\(more) that lines call lost took nothing from anybody: by all writes, their devices showed the same before"
    }

    /// When conflicts count, as times: a length of time was counted from this machine's clock.
    private var period: String {
        let (since, until) = (ledger.filter.since?.millisecondsSince1970, ledger.filter.until?.millisecondsSince1970)
        func words(_ word: String, _ time: Int64?) -> String {
            time.map { " \(word) \(TimelineLanes.time($0).prefix(19)) UTC" } ?? ""
        }
        return words("since", since) + words("before", until)
    }

    private func section<Key: Hashable & Comparable>(
        _ title: String, _ counts: [Key: LossCount], _ layout: PageLayout, on page: inout Page, label: (Key) -> String
    ) {
        let sorted = counts.ordered { $0.value.values == $1.value.values ? $0.key < $1.key : $0.value.values > $1.value.values }
        // One row more costs no more than a line that says there is one more.
        let shown = sorted.count == layout.top + 1 ? sorted.count : layout.top
        var lines = sorted.prefix(shown).map { (label($0.key), $0.value) }
        if sorted.count > shown {
            var others = LossCount()
            for (_, count) in sorted.dropFirst(shown) { others.add(count) }
            lines.append(("\(HumanNumber.count(sorted.count - shown)) others", others))
        }
        rows(title, lines, on: &page)
    }

    private func rows(_ title: String, _ rows: [(label: String, count: LossCount)], barWidth: Int = 0, on page: inout Page) {
        var table = TextTable(columns: [
            .init(title, isFlexible: barWidth == 0), .init("values", alignment: .right), .init("restorable", alignment: .right),
            .init("restored", alignment: .right), .init("characters", alignment: .right), .init(),
        ])
        let largest = max(rows.map(\.count.characters).max() ?? 0, 1)
        for (label, count) in rows {
            table.addRow(
                ["  " + TerminalText.truncated(label, to: 40)]
                    + [count.values, count.restorable, count.restored, count.characters].map { HumanNumber.count($0) }
                    + [Chart.bar(Double(count.characters) / Double(largest), width: barWidth)])
        }
        page.lineBreak()
        page.table(table)
    }

    private func list(_ losses: [Loss], _ layout: PageLayout, on page: inout Page) {
        page.headline("Latest losses")
        for loss in losses.prefix(layout.top) {
            // As many lines as hold the value and the time, less what words that go to the next line leave free.
            let lines = layout.width < 80 ? 3 : 2
            let sentence = LossSentence(loss, names: layout.names).fitting(lines * (layout.width - Self.idWidth - 2) - 8 * lines)
            let mark = String(loss.conflict.id.description.prefix(Self.idWidth))
            page.item((mark, .name), ("  ", .plain), words: sentence + (status(loss).map { "; \($0)" } ?? ""))
        }
        let more = losses.count - min(losses.count, layout.top)
        if more > 0 { page.paragraph("and \(HumanNumber.count(more)) more; --format csv lists all", .aside) }
        if losses.contains(where: { $0.recoverability == .available && $0.status != .restored }) {
            let command = "syncaudit restore ID \(source)"
            let isShort = TerminalText.width(command) + 15 <= layout.width
            page.headline("Get one back: \(isShort ? command : "syncaudit restore ID FILES")")
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
