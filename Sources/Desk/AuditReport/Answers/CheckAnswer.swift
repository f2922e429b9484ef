package import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncLines
import SyncModel

/// What a check found.
package struct CheckAnswer: Answer {
    private let findings: [CheckFinding]
    private let totals: [CheckFinding.Kind: Int]
    private let ignored: Set<CheckFinding.Kind>
    private let counts: CheckCounts
    private let whatIf: ClockWhatIf.Answer?

    /// An answer.
    ///
    /// - Parameters:
    ///   - findings: As many of each kind as are shown.
    ///   - totals: How many there are of each kind.
    ///   - ignored: The kinds that do not let the check fail.
    ///   - counts: What was looked at.
    ///   - whatIf: What would change if the clocks were right; nil where there is nothing to ask.
    package init(
        _ findings: [CheckFinding], totals: [CheckFinding.Kind: Int], ignored: Set<CheckFinding.Kind>, counts: CheckCounts,
        whatIf: ClockWhatIf.Answer?
    ) {
        (self.findings, self.totals, self.ignored, self.counts, self.whatIf) = (findings, totals, ignored, counts, whatIf)
    }

    package var document: Document {
        [
            "findings": Rows(findings) { ["kind": $0.kind.rawValue, "sentence": $0.sentence] },
            "totals": Document(counts: totals), "ignored": ignored.map(\.rawValue).sorted(), "isUnaudited": counts.isUnaudited,
            "writesWithContext": counts.writesWithContext, "files": counts.files, "lines": counts.lines, "writes": counts.writes,
            "conflicts": counts.conflicts, "lossy": counts.lossy, "destructive": counts.destructive, "unresolved": counts.unresolved,
            "clockSuspect": counts.clockSuspect, "conflictLines": counts.conflictLines, "heldLines": counts.heldLines,
            "clockWhatIf": whatIf?.document,
        ]
    }

    /// What was looked at, then a line for each finding.
    package func page(_ layout: PageLayout) -> Page {
        var page = Page()
        let counted = totals.filter { !ignored.contains($0.key) }
        let total = counted.reduce(0) { $0 + ($1.key.isWarning ? 0 : $1.value) }
        let warnings = counted.values.reduce(0, +) - total
        let found = total == 0 ? "No findings" : HumanNumber.count(total, "finding")
        page.headline(
            warnings == 0 ? found : "\(found), \(HumanNumber.count(warnings, "warning"))",
            total > 0 ? .bad : counts.evidence.isUnaudited || warnings > 0 ? .warning : .good)
        let left = totals.filter { ignored.contains($0.key) }.values.reduce(0, +)
        if left > 0 {
            let kinds = ignored.filter { totals[$0] != nil }.map(\.rawValue).sorted().joined(separator: ", ")
            page.paragraph("besides \(HumanNumber.count(left)) that \(left == 1 ? "is" : "are") ignored: \(kinds)", .aside)
        }
        let looked = [
            HumanNumber.count(counts.files, "file"), HumanNumber.count(counts.lines, "line"), HumanNumber.count(counts.writes, "write"),
            "\(HumanNumber.count(counts.conflicts, "conflict")) of which \(HumanNumber.count(counts.lossy)) lost something",
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
        for finding in findings where !ignored.contains(finding.kind) {
            if shown[finding.kind] == nil { page.title(Self.title(finding.kind)) }
            shown[finding.kind, default: 0] += 1
            page.line("  " + finding.sentence(layout.names))
            let more = (totals[finding.kind] ?? 0) - (shown[finding.kind] ?? 0)
            if more > 0, shown[finding.kind] == findings.count(where: { $0.kind == finding.kind }) {
                page.line("  and \(HumanNumber.count(more)) more", .aside)
            }
        }
        return page
    }

    /// How many conflicts could be made again.
    private var recomputed: String {
        let sentence =
            "\(HumanNumber.count(counts.heldLines)) of \(HumanNumber.count(counts.conflictLines, "conflict line")) could be held against the writes"
        return counts.heldLines == counts.conflictLines ? sentence : sentence + "; of the others not all writes are in these files"
    }

    private static func title(_ kind: CheckFinding.Kind) -> String {
        switch kind {
        case .schema: "Lines that cannot be understood"
        case .torn: "Torn lines"
        case .missingLine: "Missing lines"
        case .order: "Lines out of order"
        case .duplicate: "Duplicates"
        case .decision: "Conflicts that are not what their writes make"
        case .missingConflict: "Missing conflicts"
        case .divergence: "Devices that disagree on a conflict"
        case .checkpoint: "Replicas that disagree on the data"
        case .missingWrite: "Missing writes"
        case .absentLog: "Absent logs"
        case .stamp: "Times that are not those of the edit"
        case .identity: "One name for two writes"
        case .seen: "Writes that cannot have seen what they name"
        case .alternation: "Alternating winners"
        case .massEffect: "Mass effects"
        case .clock: "Clocks"
        case .size: "Sizes"
        }
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
