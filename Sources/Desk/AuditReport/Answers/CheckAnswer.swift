package import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncModel

/// Writes what a check found.
package enum CheckRenderer {
    /// For a person at a terminal: what was looked at, then a line for each finding.
    package static func text(
        _ findings: [CheckFinding], totals: [CheckFinding.Kind: Int], ignored: Set<CheckFinding.Kind> = [], counts: CheckCounts,
        whatIf: ClockWhatIf.Answer?, names: RecordNames = .none, style: TerminalStyle, width: Int
    ) -> String {
        let counted = totals.filter { !ignored.contains($0.key) }
        let total = counted.reduce(0) { $0 + ($1.key.isWarning ? 0 : $1.value) }
        let warnings = counted.values.reduce(0, +) - total
        var page = ReportPage(width: max(width, 40), style: style)
        let found = total == 0 ? "No findings" : HumanNumber.count(total, "finding")
        page.paragraph(warnings == 0 ? found : "\(found), \(HumanNumber.count(warnings, "warning"))") {
            style.bold(total > 0 ? style.red($0) : counts.evidence.isUnaudited || warnings > 0 ? style.yellow($0) : style.green($0))
        }
        let left = totals.filter { ignored.contains($0.key) }.values.reduce(0, +)
        if left > 0 {
            let kinds = ignored.filter { totals[$0] != nil }.map(\.rawValue).sorted().joined(separator: ", ")
            page.paragraph("besides \(HumanNumber.count(left)) that \(left == 1 ? "is" : "are") ignored: \(kinds)", style.dim)
        }
        let looked = [
            HumanNumber.count(counts.files, "file"), HumanNumber.count(counts.lines, "line"), HumanNumber.count(counts.writes, "write"),
            "\(HumanNumber.count(counts.conflicts, "conflict")) of which \(HumanNumber.count(counts.lossy)) lost something",
        ]
        page.paragraph("in " + looked.joined(separator: ", "), style.dim)
        let evidence = counts.evidence
        if let sentence = evidence.unauditedSentence {
            page.paragraph("\(sentence). To find out: \(AuditEvidence.command("report"))", style.yellow)
        }
        if evidence.writes > 0 {
            page.paragraph(counts.contextSentence, evidence.isWhole ? style.dim : style.yellow)
        }
        if counts.conflictLines > 0 {
            page.paragraph(recomputed(counts), counts.heldLines < counts.conflictLines ? style.yellow : style.dim)
        }
        if let whatIf { page.paragraph(sentence(whatIf), whatIf.flipped > 0 ? style.yellow : style.dim) }
        var text = page.text
        var shown: [CheckFinding.Kind: Int] = [:]
        for finding in findings where !ignored.contains(finding.kind) {
            // Whole and on one line, so that the location can be clicked or cut out.
            if shown[finding.kind] == nil { text += "\n" + style.bold(title(finding.kind)) + "\n" }
            shown[finding.kind, default: 0] += 1
            text += "  " + finding.sentence(names) + "\n"
            let more = (totals[finding.kind] ?? 0) - (shown[finding.kind] ?? 0)
            if more > 0, shown[finding.kind] == findings.count(where: { $0.kind == finding.kind }) {
                text += style.dim("  and \(HumanNumber.count(more)) more") + "\n"
            }
        }
        return text
    }

    /// How many conflicts could be made again.
    private static func recomputed(_ counts: CheckCounts) -> String {
        let sentence =
            "\(HumanNumber.count(counts.heldLines)) of \(HumanNumber.count(counts.conflictLines, "conflict line")) could be held against the writes"
        return counts.heldLines == counts.conflictLines ? sentence : sentence + "; of the others not all writes are in these files"
    }

    /// What would change if the clocks were right, as a sentence.
    package static func sentence(_ answer: ClockWhatIf.Answer) -> String {
        let decided = HumanNumber.count(answer.decided, "winner") + " that the clocks decided"
        let measured = "the latest measured offsets of \(HumanNumber.count(answer.devices, "clock"))"
        guard answer.flipped > 0 else { return "Clock what-if: none of the \(decided) would change with \(measured) corrected" }
        let winners = answer.byWinner.ordered { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }
        let named = winners.prefix(3).map { "\(EventText.name($0.key.rawValue)) \(HumanNumber.count($0.value))" }.joined(separator: ", ")
        let others = winners.count > 3 ? " and \(HumanNumber.count(winners.count - 3, "other"))" : ""
        return "Clock what-if: \(HumanNumber.count(answer.flipped)) of the \(decided) would lose with \(measured) corrected "
            + "(\(HumanNumber.count(answer.flippedLosses)) discarded an edit): \(named)\(others)"
    }

    /// The same, or that there is nothing to ask.
    static func sentence(_ answer: ClockWhatIf.Answer?) -> String {
        answer.map(sentence) ?? "Clock what-if: no clock was measured, or none decided a conflict"
    }

    /// The same as a section of its own, after an empty line.
    package static func section(_ answer: ClockWhatIf.Answer?, style: TerminalStyle, width: Int) -> String {
        var page = ReportPage(width: max(width, 40), style: style)
        page.lineBreak()
        let flips = (answer?.flipped ?? 0) > 0
        page.paragraph(sentence(answer), flips ? style.yellow : style.dim)
        return page.text
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

    /// For other programs, one JSON object on one line: `findings`, a list of `{kind, sentence}`; `totals`, the number of each kind, of
    /// which at most 20 are listed; `ignored`, the kinds that do not let the check fail; `isUnaudited`, whether there are writes in which
    /// nobody has looked for conflicts; `writesWithContext`?, how many of the writes carried a causal context; `files`, `lines`, `writes`,
    /// `conflicts`, `lossy`, `destructive`, `unresolved`, `clockSuspect`; `conflictLines` and `heldLines`, how many of them could be held
    /// against their writes; and `clockWhatIf`?, see `ClockWhatIf/Answer`.
    package static func json(
        _ findings: [CheckFinding], totals: [CheckFinding.Kind: Int], ignored: Set<CheckFinding.Kind> = [], counts: CheckCounts,
        whatIf: ClockWhatIf.Answer?
    ) -> [UInt8] {
        var buffer = LineBuffer()
        buffer.object { object in
            object.list("findings", findings) { object, finding in
                object.object { row in
                    row.field("kind", finding.kind.rawValue)
                    row.field("sentence", finding.sentence)
                }
            }
            object.key("totals")
            object.appendCounts(totals)
            object.list("ignored", ignored.map(\.rawValue).sorted()) { object, kind in JSONText.append(kind, to: &object) }
            object.field("isUnaudited", counts.isUnaudited)
            if let count = counts.writesWithContext { object.field("writesWithContext", count) }
            for (key, count) in [
                ("files", counts.files), ("lines", counts.lines), ("writes", counts.writes), ("conflicts", counts.conflicts),
                ("lossy", counts.lossy), ("destructive", counts.destructive), ("unresolved", counts.unresolved),
                ("clockSuspect", counts.clockSuspect), ("conflictLines", counts.conflictLines), ("heldLines", counts.heldLines),
            ] { object.field(named: key, count) }
            if let whatIf {
                object.key("clockWhatIf")
                object.append(whatIf)
            }
        }
        buffer.append(UInt8(ascii: "\n"))
        return buffer.array
    }
}

extension LineBuffer {
    /// Appends an answer: `decided`, `flipped`, `flippedLosses`, `devices`, and `byWinner`, a list of `{device, flipped}`.
    package mutating func append(_ answer: ClockWhatIf.Answer) {
        object { object in
            object.field("decided", answer.decided)
            object.field("flipped", answer.flipped)
            object.field("flippedLosses", answer.flippedLosses)
            object.field("devices", answer.devices)
            object.list("byWinner", answer.byWinner.ordered { $0.key < $1.key }) { object, entry in
                object.object { row in
                    row.field("device", entry.key.rawValue)
                    row.field("flipped", entry.value)
                }
            }
        }
    }
}
