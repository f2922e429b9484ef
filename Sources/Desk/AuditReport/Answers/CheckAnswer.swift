package import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncLines
import SyncModel

/// What a check found.
package struct CheckAnswer: Answer {
    let findings: [CheckFinding]
    let totals: [CheckFinding.Kind: Int]
    let gate: GateOutcome
    private let counts: CheckCounts
    private let whatIf: ClockWhatIf.Answer?

    /// An answer.
    ///
    /// - Parameters:
    ///   - findings: As many of each kind as are shown, without those that are ignored or known.
    ///   - totals: How many of these there are of each kind.
    ///   - gate: On what the check fails, and what it passed over.
    ///   - counts: What was looked at.
    ///   - whatIf: What would change if the clocks were right; nil where there is nothing to ask.
    package init(
        _ findings: [CheckFinding], totals: [CheckFinding.Kind: Int], gate: GateOutcome = GateOutcome(), counts: CheckCounts,
        whatIf: ClockWhatIf.Answer?
    ) {
        (self.findings, self.totals, self.gate, self.counts, self.whatIf) = (findings, totals, gate, counts, whatIf)
    }

    package var document: Document {
        [
            "findings": Rows(findings) { finding in
                [
                    "kind": finding.kind.rawValue, "about": finding.identity.subject, "sentence": finding.sentence,
                    "file": finding.location?.file, "line": finding.location?.line,
                ]
            },
            "totals": Document(counts: totals),
            "limits": Rows(gate.limits) { limit in
                [
                    "limit": limit.text, "value": limit.value.map(Number.init), "holds": limit.holds,
                    "devices": limit.devices.isEmpty ? nil : Array(limit.devices.prefix(Self.deviceLimit)),
                    "losses": limit.conflicts.isEmpty ? nil : limit.conflicts.map(\.description),
                ]
            },
            "ignored": Rows(zip(gate.filter.ignores, gate.filter.ignored)) { ignore, count in
                [
                    "kind": ignore.kind.rawValue, "about": ignore.subject, "reason": ignore.reason, "until": ignore.until,
                    "isExpired": ignore.isExpired, "count": count,
                ]
            },
            "known": gate.filter.hasBaseline ? Document(counts: gate.filter.known) : nil,
            "gone": gate.filter.hasBaseline ? gate.filter.gone : nil,
            "records": gate.filter.records.isEmpty ? nil : gate.filter.records.sorted().map { EventText.register($0, nil) },
            "general": gate.filter.records.isEmpty ? nil : gate.filter.general, "isUnaudited": counts.isUnaudited,
            "writesWithContext": counts.writesWithContext, "files": counts.files, "lines": counts.lines, "writes": counts.writes,
            "conflicts": counts.all.conflicts, "knownConflicts": gate.filter.hasBaseline ? counts.known.conflicts : nil,
            "lossy": counts.all.lossy, "lostEdits": counts.all.lostEdits, "destructive": counts.all.destructive,
            "unresolved": counts.all.unresolved, "clockSuspect": counts.all.clockSuspect,
            "conflictLines": counts.conflictLines, "heldLines": counts.heldLines,
            "clockWhatIf": whatIf?.document,
        ]
    }

    /// How many devices are named.
    private static let deviceLimit = 20
    /// How many entries of what is ignored a page tells one by one.
    private static let shownEntries = 10

    /// What was looked at, then a line for each finding.
    package func page(_ layout: PageLayout) -> Page {
        var page = Page()
        drawHeadline(on: &page)
        drawPassedOver(on: &page)
        let looked = [
            HumanNumber.count(counts.files, "file"), HumanNumber.count(counts.lines, "line"), HumanNumber.count(counts.writes, "write"),
            "\(HumanNumber.count(counts.all.conflicts, "conflict")) of which \(HumanNumber.count(counts.all.lossy)) lost something",
        ]
        page.paragraph("in " + looked.joined(separator: ", "), .aside)
        let evidence = counts.evidence
        if let sentence = evidence.unauditedSentence {
            page.paragraph("\(sentence). To find out: \(AuditEvidence.command("report"))", .warning)
        }
        if evidence.writes > 0 { page.paragraph(counts.contextSentence, evidence.isWhole ? .aside : .warning) }
        if counts.conflictLines > 0 { page.paragraph(recomputed, counts.heldLines < counts.conflictLines ? .warning : .aside) }
        if let whatIf { page.paragraph(whatIf.sentence, whatIf.flipped > 0 ? .warning : .aside) }
        var shown: [CheckFinding.Kind: Int] = [:]
        for finding in findings {
            if shown[finding.kind] == nil { page.title(finding.kind.title) }
            shown[finding.kind, default: 0] += 1
            page.line("  " + finding.sentence(layout.names))
            let more = (totals[finding.kind] ?? 0) - (shown[finding.kind] ?? 0)
            if more > 0, shown[finding.kind] == findings.count(where: { $0.kind == finding.kind }) {
                page.line("  and \(HumanNumber.count(more)) more", .aside)
            }
        }
        return page
    }

    private func drawHeadline(on page: inout Page) {
        let total = totals.reduce(0) { $0 + ($1.key.isWarning ? 0 : $1.value) }
        let warnings = totals.values.reduce(0, +) - total
        let new = gate.filter.hasBaseline ? "new " : ""
        let found = total == 0 ? "No \(new)findings" : HumanNumber.count(total, new + "finding")
        let isBad = gate.limits.isEmpty ? total > 0 : !gate.exceeded.isEmpty
        page.headline(
            warnings == 0 ? found : "\(found), \(HumanNumber.count(warnings, "\(new)warning"))",
            isBad ? .bad : counts.evidence.isUnaudited || total + warnings > 0 ? .warning : .good)
    }

    /// What the gate asks for, and what it passed over.
    private func drawPassedOver(on page: inout Page) {
        if !gate.limits.isEmpty {
            let holding = gate.exceeded
            let texts = (holding.isEmpty ? gate.limits : holding).map(\.text).joined(separator: ", ")
            page.paragraph(
                holding.isEmpty ? "fails on \(texts) alone, which \(gate.limits.count == 1 ? "does" : "do") not hold" : "fails on \(texts)",
                holding.isEmpty ? .aside : .bad)
        }
        if !gate.filter.records.isEmpty {
            let records = gate.filter.records.sorted().prefix(Self.shownEntries).map { EventText.register($0, nil) }
            let more = gate.filter.records.count > Self.shownEntries ? " and others" : ""
            let general = gate.filter.general
            let rest = general == 0 ? "" : "; \(HumanNumber.count(general, "finding")) about no single record left out"
            page.paragraph("of \(records.joined(separator: ", "))\(more) alone\(rest)", .aside)
        }
        if gate.filter.hasBaseline {
            let (found, conflicts) = (gate.filter.known.values.reduce(0, +), counts.known.conflicts)
            var words = "besides \(HumanNumber.count(found, "finding"))"
            if conflicts > 0 { words += " and \(HumanNumber.count(conflicts, "conflict"))" }
            words += " that \(found == 1 && conflicts == 0 ? "is" : "are") in the baseline"
            let gone = gate.filter.gone
            if gone > 0 { words += "; \(HumanNumber.count(gone)) more of it \(gone == 1 ? "is" : "are") gone" }
            page.paragraph(words, .aside)
        }
        let ignored = zip(gate.filter.ignores, gate.filter.ignored).filter { $1 > 0 && !$0.isExpired }
        for (ignore, count) in ignored.prefix(Self.shownEntries) {
            let until = ignore.until.map { ", until \($0)" } ?? ""
            page.paragraph(
                "besides \(HumanNumber.count(count)) that \(count == 1 ? "is" : "are") ignored: \(ignore.label)\(until): "
                    + EventText.label(ignore.reason), .aside)
        }
        let rest = ignored.dropFirst(Self.shownEntries)
        if !rest.isEmpty {
            let count = rest.reduce(0) { $0 + $1.1 }
            page.paragraph(
                "and \(HumanNumber.count(count)) by \(HumanNumber.count(rest.count, "other entry", "other entries")) of what is ignored",
                .aside)
        }
    }

    /// How many conflicts could be made again.
    private var recomputed: String {
        let sentence =
            "\(HumanNumber.count(counts.heldLines)) of \(HumanNumber.count(counts.conflictLines, "conflict line")) could be held against the writes"
        return counts.heldLines == counts.conflictLines ? sentence : sentence + "; of the others not all writes are in these files"
    }
}

extension ClockWhatIf.Answer {
    /// What would change if the clocks were right.
    var sentence: String {
        let decided = HumanNumber.count(decided, "winner") + " that the clocks decided"
        let measured = "the latest measured offsets of \(HumanNumber.count(devices, "clock"))"
        guard flipped > 0 else { return "Clock what-if: none of the \(decided) would change with \(measured) corrected" }
        let winners = byWinner.ordered { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }
        let named = winners.prefix(3).map { "\(EventText.name($0.key.rawValue)) \(HumanNumber.count($0.value))" }.joined(separator: ", ")
        let others = winners.count > 3 ? " and \(HumanNumber.count(winners.count - 3, "other"))" : ""
        return "Clock what-if: \(HumanNumber.count(flipped)) of the \(decided) would lose with \(measured) corrected "
            + "(\(HumanNumber.count(flippedLosses)) discarded an edit): \(named)\(others)"
    }

    fileprivate var document: Document {
        [
            "decided": decided, "flipped": flipped, "flippedLosses": flippedLosses, "devices": devices,
            "byWinner": Rows(byWinner.ordered { $0.key < $1.key }) { ["device": $0.key, "flipped": $0.value] },
        ]
    }
}

extension ClockWhatIf.Answer? {
    /// What would change if the clocks were right, or that there is nothing to ask.
    package var sentence: String { self?.sentence ?? "Clock what-if: no clock was measured, or none decided a conflict" }

    /// The sentence as a section of its own, after an empty line.
    package var page: Page {
        var page = Page()
        page.lineBreak()
        page.paragraph(sentence, (self?.flipped ?? 0) > 0 ? .warning : .aside)
        return page
    }
}
