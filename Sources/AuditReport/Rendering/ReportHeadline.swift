import ConflictAudit
import SyncModel

/// What the report says before any table: the answer in a sentence, and what one must know to read the rest.
struct ReportHeadline {
    private let summary: Summary

    init(_ summary: Summary) {
        self.summary = summary
    }

    /// How many edits were lost in how many conflicts of how many writes.
    var sentence: String {
        let (proven, suspected) = (summary.proven.total, summary.suspected.total)
        let writes = summary.writes.count
        let ofWrites = writes > 0 ? " (\(HumanNumber.count(writes, "write")))" : ""
        func conflicts(_ count: Int) -> String { HumanNumber.count(count, "conflict") }
        func suspectedConflicts(_ count: Int) -> String { HumanNumber.count(count, "suspected conflict") }
        switch (proven.conflicts, suspected.conflicts) {
        case (0, 0): return empty(writes)
        case (_, 0): return "\(lost(proven.losses)) in \(conflicts(proven.conflicts))\(ofWrites)"
        case (0, _):
            let losses = suspected.losses > 0 ? maybeLost(suspected.losses) : "no edits were lost"
            return "\(losses.capitalizedFirst) in \(suspectedConflicts(suspected.conflicts))\(ofWrites)"
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
    var recordCount: Int { summary.proven.records.distinctCount(with: summary.suspected.records) }

    /// What the conflicts span, which filters were applied, and what the columns mean.
    var notes: [String] {
        guard summary.hasConflicts else { return [] }
        var notes: [String] = []
        let parts = [summary.proven.statistics, summary.suspected.statistics]
        if let first = parts.compactMap(\.firstConflictDate).min(), let last = parts.compactMap(\.lastConflictDate).max() {
            let days = [first, last].map { RFC3339.string(milliseconds: $0).prefix(10) }
            notes.append(
                "\(days[0] == days[1] ? "\(days[0])" : "\(days[0]) to \(days[1])") (UTC), "
                    + "\(HumanNumber.count(deviceCount, "device")), \(HumanNumber.count(recordCount, "record"))")
        }
        if let distinct { notes.append(distinct) }
        if summary.suspected.total.conflicts > 0 {
            notes.append("suspected: from timestamps alone; lost?: edits lost if the suspicion is right")
        }
        if !summary.filters.allSatisfy(\.isUnrestricted) {
            notes.append((summary.filters.count == 1 ? "only " : "merged from reports with different filters: ") + filters)
        }
        return notes
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
        return warnings
    }

    /// The events that are only counted, nil where there were none.
    var footer: String? {
        let events = Summary.OtherEvent.allCases.compactMap { name in
            summary.otherEvents[name].map { "\(HumanNumber.count($0)) \(name.rawValue)" }
        }
        return events.isEmpty ? nil : "Other events: \(events.joined(separator: ", "))"
    }

    /// How many different conflicts those counted are, where several devices logged one; nil where each was logged once.
    private var distinct: String? {
        if summary.isDistinct { return "each conflict counts once, however many devices logged it" }
        let lines = summary.proven.total.conflicts.addingCount(summary.suspected.total.conflicts)
        let count = summary.distinctConflicts
        if count.isExact {
            return count.count == lines
                ? nil : "\(HumanNumber.count(count.count, "different conflict")); some were logged by several devices"
        }
        // Two standard errors: nineteen of twenty estimates are as close.
        return "about \(HumanNumber.count(min(count.count, lines))) different conflicts (± 1.6 %); several devices may have logged one"
    }

    private func empty(_ writes: Int) -> String {
        let among = writes > 0 ? " in \(HumanNumber.count(writes, "write"))" : ""
        if !summary.filters.allSatisfy(\.isUnrestricted) { return "No conflicts\(among) pass the filter: \(filters)" }
        return writes > 0 ? "No conflicts\(among): nothing was lost" : "No conflicts and no writes: there is nothing to report yet"
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
        let nouns = ["devices": "device", "recordTypes": "record type", "fields": "field", "kinds": "kind", "severities": "severity"]
        for (key, names) in names where !names.isEmpty {
            // A sentence with more names than this is no longer read.
            let shown = names.prefix(5).map(TerminalText.escaped)
            let rest = names.count > 5 ? ["\(HumanNumber.count(names.count - 5)) more"] : []
            parts.append("\(nouns[key] ?? key) \((shown + rest).joined(separator: " or "))")
        }
        return parts.isEmpty ? "everything" : parts.joined(separator: ", ")
    }

    private static func date(_ milliseconds: Int64) -> String {
        let text = RFC3339.string(milliseconds: milliseconds)
        return text.hasSuffix("T00:00:00.000Z") ? String(text.prefix(10)) : text
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
