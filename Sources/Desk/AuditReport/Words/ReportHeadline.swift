import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncModel

/// What the report says before any table: the answer in a sentence, and what one must know to read the rest.
struct ReportHeadline {
    private let summary: Summary
    private let evidence: AuditEvidence
    private let health: HealthSentences

    /// What is so grave that it comes right below the sentence.
    let alarms: [String]
    /// Why such things may not be known; nil where they are.
    let unlooked: String?
    /// How many lost edits were written again later; nil where that is not known.
    private let restored: Int?

    init(_ summary: Summary, alarms: ReportAlarms = .none) {
        self.summary = summary
        (self.alarms, unlooked, restored) = (alarms.found, alarms.unlooked?.sentence, alarms.restored)
        health = HealthSentences(summary)
        evidence = summary.evidence
    }

    /// Whether nothing was synced, as far as the logs tell.
    var isOfFailures: Bool { health.isAlarm }

    /// Bad where edits were lost, a warning where they may have been or nobody can know, good where it is proven that none was.
    var tone: Tone {
        if isOfFailures { return .bad }
        if summary.proven.total.losses > 0 { return .bad }
        if summary.suspected.total.losses > 0 || evidence.isUnaudited { return .warning }
        // Conflict lines alone say no more than that none of these conflicts lost an edit.
        return evidence.isWhole || evidence.writes == 0 ? .good : .warning
    }

    /// How many edits were lost in how many conflicts of how many writes.
    var sentence: String {
        let (proven, suspected) = (summary.proven.total, summary.suspected.total)
        let writes = summary.writes.count
        let ofWrites = writes > 0 ? " (\(HumanNumber.count(writes, "write")))" : ""
        func conflicts(_ count: Int) -> String { HumanNumber.count(count, "conflict") }
        func suspectedConflicts(_ count: Int) -> String { HumanNumber.count(count, "suspected conflict") }
        switch (proven.conflicts, suspected.conflicts) {
        case (0, 0): return health.alarm ?? empty(writes)
        case (_, 0): return "\(lost(proven.losses)) in \(conflicts(proven.conflicts))\(ofWrites)"
        case (0, _):
            if suspected.losses == 0 {
                return "\(suspectedConflicts(suspected.conflicts)), none of which would have lost an edit\(ofWrites)"
            }
            return "\(maybeLost(suspected.losses)) in \(suspectedConflicts(suspected.conflicts))\(ofWrites)"
        default:
            let losses = suspected.losses > 0 ? maybeLost(suspected.losses) : "none"
            return "\(lost(proven.losses)) in \(conflicts(proven.conflicts)), "
                + "and \(losses) in \(suspectedConflicts(suspected.conflicts))\(ofWrites)"
        }
    }

    /// The devices that conflicts are between.
    var deviceCount: Int {
        var devices = NamedCounts()
        for tally in [summary.proven, summary.suspected] {
            devices.merge(tally.winners)
            devices.merge(tally.losers)
        }
        return devices.count
    }

    /// The records that conflicts are about.
    ///
    /// Where some were forgotten, there were more.
    var recordCount: Int {
        let count = summary.proven.records.distinctCount(with: summary.suspected.records)
        return summary.recordsMissing > 0 ? max(count, Summary.recordLimit) : count
    }

    /// What the conflicts span, which filters were applied, and what the columns mean.
    var notes: [String] {
        if evidence.isUnaudited {
            return ["To find out: \(AuditEvidence.command("report"))"] + (evidence.writes > 0 ? [contextSentence] : [])
        }
        let reverts = [RevertsAnswer.note(summary.writes.reverts)].compactMap(\.self)
        guard summary.hasConflicts else { return (evidence.writes > 0 ? [contextSentence] : []) + reverts }
        var notes: [String] = []
        let parts = [summary.proven.statistics, summary.suspected.statistics]
        if let first = parts.compactMap(\.firstConflictMilliseconds).min(), let last = parts.compactMap(\.lastConflictMilliseconds).max() {
            let days = [first, last].map { RFC3339.string(milliseconds: $0).prefix(10) }
            notes.append(
                "\(days[0] == days[1] ? "\(days[0])" : "\(days[0]) to \(days[1])") (UTC), "
                    + "\(HumanNumber.count(deviceCount, "device")), "
                    + (summary.recordsMissing > 0 ? "more than " : "") + HumanNumber.count(recordCount, "record"))
        }
        if let distinct { notes.append(distinct) }
        if summary.recordsMissing > 0 {
            notes.append(
                "the most contested records are known, and each of their counts is too low by \(HumanNumber.count(summary.recordsMissing)) at most"
            )
        }
        notes.append(contextSentence)
        if summary.hasLosses { notes.append(restoring) }
        notes += reverts
        if summary.suspected.total.conflicts > 0 {
            notes.append("suspected: \(summary.suspected.statistics.suspicionSources); lost?: edits lost if the suspicion is right")
        }
        if !summary.filters.allSatisfy(\.isUnrestricted) {
            notes.append((summary.filters.count == 1 ? "only " : "merged from reports with different filters: ") + filters)
        }
        return notes
    }

    /// What losses are, and what became of them, of which conflicts alone do not tell.
    private var restoring: String {
        switch restored {
        case nil: "lost: when edits met; 'syncaudit lost' with the trace tells what came back"
        case 0?: "lost: when edits met; none of them is known to have been written again"
        case let restored?: "lost: when edits met; \(HumanNumber.count(restored)) of them written again since"
        }
    }

    /// The notes without how much the writes tell, where there are none and the conflicts are proven all the same.
    var briefNotes: [String] {
        let isKnown = evidence.writes > 0 || summary.suspected.total.conflicts > 0
        return isKnown ? notes : notes.filter { $0 != contextSentence }
    }

    private var contextSentence: String {
        let isOfRows = (summary.suspected.statistics.byBasis[.content] ?? 0) > 0
        return evidence.contextSentence(
            hasProven: summary.proven.total.conflicts > 0, suspectedFrom: AuditEvidence.source(isOfRows: isOfRows))
    }

    /// How many conflicts were resolved by themselves, proven and suspected apart, and when the last one was; nil where there are none.
    var outcome: String? {
        guard summary.hasConflicts else { return nil }
        let (proven, suspected) = (summary.proven.statistics, summary.suspected.statistics)
        var parts: [String] = []
        if proven.totalConflicts > 0 { parts.append(HumanNumber.count(proven.autoResolvedConflicts)) }
        if suspected.totalConflicts > 0 { parts.append("\(HumanNumber.count(suspected.autoResolvedConflicts)) of the suspected") }
        var sentence = parts.joined(separator: " and ") + " resolved without a person"
        if let last = [proven, suspected].compactMap(\.lastConflictMilliseconds).max() {
            sentence += "; the last at \(RFC3339.string(milliseconds: last))"
        }
        return sentence
    }

    /// What needs a person's attention.
    var warnings: [String] {
        var warnings: [String] = []
        let pending = summary.proven.statistics.unresolvedConflicts.addingCount(summary.suspected.statistics.unresolvedConflicts)
        if pending > 0 { warnings.append("\(HumanNumber.count(pending, "conflict")) \(pending == 1 ? "waits" : "wait") for a decision") }
        if summary.linesDropped > 0 {
            let lines = HumanNumber.count(summary.linesDropped, "line")
            warnings.append("The logs are incomplete: \(lines) could not be written, so that every count may be too low")
        }
        warnings += health.warnings
        let overfull = summary.health.overfullOutboxes
        warnings += overfull.prefix(3).map { Self.sentence($0.outbox, of: $0.device) }
        if overfull.count > 3 {
            warnings.append("\(HumanNumber.count(overfull.count - 3, "other device")) had more than that level waiting to be sent")
        }
        return warnings
    }

    /// What a device has waiting, or had at most, where it was too much.
    private static func sentence(_ outbox: SyncHealth.Outbox, of device: DeviceID?) -> String {
        let (largest, latest) = (outbox.largest, outbox.latest)
        let name = device.map { EventText.name($0.rawValue) } ?? "A device"
        func time(_ reading: SyncHealth.Reading) -> String {
            "\(RFC3339.string(milliseconds: reading.milliseconds).prefix(16).replacing("T", with: " ")) UTC"
        }
        let isMost = outbox.isOverNow && latest.status.bytes == largest.status.bytes
        let told = outbox.isOverNow ? latest : largest
        let sentence =
            "\(name) had \(told.status.bytes.megabytes) in \(HumanNumber.count(told.status.writes, "write")) waiting to be "
            + "sent on \(time(told)), more than \(told.status.warningBytes.megabytes)"
        guard outbox.isOverNow else {
            return sentence + ", and \(latest.status.bytes.megabytes) at its last line, on \(time(latest))"
        }
        return sentence + ", by its last line" + (isMost ? "" : " (\(largest.status.bytes.megabytes) on \(time(largest)))")
            + ": let it sync, or write less at once"
    }

    /// The events that are only counted, where there were any, and what was not looked for.
    var footers: [String] {
        let events = Summary.OtherEvent.allCases.compactMap { name in
            summary.otherEvents[name].map { "\(HumanNumber.count($0)) \(name.rawValue)" }
        }
        return (events.isEmpty ? [] : ["Other events: \(events.joined(separator: ", "))"]) + [unlooked].compactMap(\.self)
    }

    /// How often conflicts count that several devices logged; nil where each was logged once.
    private var distinct: String? {
        let lines = summary.proven.total.conflicts.addingCount(summary.suspected.total.conflicts)
        let (count, isExact) = summary.distinctConflicts
        let left = summary.copiesLeftOut
        let counted = "\(HumanNumber.count(lines.addingCount(left))) lines tell of these conflicts; each counts once"
        if summary.isDistinct, summary.parts <= 1, summary.unchecked == 0 { return left == 0 ? nil : counted }
        if isExact, count == lines { return nil }
        // Two standard errors: nineteen of twenty estimates are as close.
        let different =
            isExact ? HumanNumber.count(count, "different conflict") : "about \(HumanNumber.count(count)) different conflicts (± 1.6 %)"
        let why =
            if !summary.isDistinct {
                "every line counts, and several devices may have logged one conflict"
            } else if summary.parts > 1 {
                "each counts once in each of the reports put together, which may have conflicts in common"
            } else {
                "each counts once, but beyond the first \(HumanNumber.count(FirstCopies.limit)) every line"
            }
        return "\(different); \(why)"
    }

    private func empty(_ writes: Int) -> String {
        if let sentence = evidence.unauditedSentence { return sentence }
        let among = writes > 0 ? " in \(HumanNumber.count(writes, "write"))" : ""
        if !summary.filters.allSatisfy(\.isUnrestricted) { return "No conflicts\(among) pass the filter: \(filters)" }
        if writes == 0 {
            return summary.health.isEmpty
                ? "No conflicts and no writes: there is nothing to report yet"
                : "No conflicts and no writes: these logs tell of syncing alone"
        }
        if evidence.isWhole { return "No conflicts\(among): nothing was lost" }
        return evidence.withContext == 0 ? "No conflict is suspected\(among)" : "No conflict is known\(among)"
    }

    private var filters: String { summary.filters.map(\.sentence).joined(separator: "; ") }

    private func lost(_ count: Int) -> String {
        count == 0 ? "No edits were lost" : "\(HumanNumber.count(count, "edit")) \(count == 1 ? "was" : "were") lost"
    }

    private func maybeLost(_ count: Int) -> String { "\(HumanNumber.count(count, "edit")) may have been lost" }
}

extension ReportFilter {
    /// The restrictions in words, safe for a terminal.
    fileprivate var sentence: String {
        var parts: [String] = []
        if let since { parts.append("since \(Self.date(since))") }
        if let until { parts.append("before \(Self.date(until))") }
        let nouns = [
            "devices": "device", "recordTypes": "record type", "records": "record", "fields": "field", "kinds": "kind",
            "severities": "severity",
        ]
        for (key, names) in names where !names.isEmpty {
            // A sentence with more names than this is no longer read.
            let shown = names.prefix(5).map { $0.escaped(for: .terminal) }
            let rest = names.count > 5 ? ["\(HumanNumber.count(names.count - 5)) more"] : []
            parts.append("\(nouns[key] ?? key) \((shown + rest).joined(separator: " or "))")
        }
        return parts.isEmpty ? "everything" : parts.joined(separator: ", ")
    }

    private static func date(_ time: WallTime) -> String {
        let text = time.description
        return text.hasSuffix("T00:00:00.000Z") ? String(text.prefix(10)) : text
    }
}
