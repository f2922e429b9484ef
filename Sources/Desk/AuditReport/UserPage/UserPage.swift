package import AuditAnalysis
import AuditLog
import ConflictAudit
package import FileFormats
import SyncBytes
package import SyncMerge
package import SyncModel

/// A page for the person whose edits sync replaced: what was there before, what is there now, and from which device, in plain words.
///
/// No identifiers, no names of policies, and nothing that only somebody who built the app can read. Nothing that another person wrote is on
/// it, unless that is asked for. The page runs no script and loads nothing.
package struct UserPage {
    /// What was replaced before the days that a page is about.
    package struct Earlier: Hashable, Sendable {
        /// How many changes, those included of which that is only suspected.
        package let count: Int
        /// Whether all of it is proven.
        package let isProven: Bool
        /// The time of the first, in milliseconds since 1970.
        package let since: Int64

        /// States what.
        package init(count: Int, isProven: Bool, since: Int64) { (self.count, self.isProven, self.since) = (count, isProven, since) }
    }

    /// The days that a page is about.
    package enum Days: Hashable, Sendable {
        /// One day, in days since 1970-01-01.
        case on(Int)
        /// From a time on, to before another, in milliseconds since 1970; nil for no limit.
        case between(Int64?, Int64?)
    }

    /// What the page says it is about; its inputs are not named.
    package var subject = PageSubject()
    /// The language it is written in.
    package var language: PageLanguage
    /// The zone in which it writes times.
    package var zone = TimeZoneOffsets.universal
    /// The days that it is about.
    package var days: Days
    /// How far what was read can tell that something was replaced.
    package var evidence: AuditEvidence
    /// What was replaced before these days; nil where nothing was, or where nobody asked.
    package var earlier: Earlier?
    /// The devices, or the authors of rows, that are the person's: what others wrote is left out; nil where it may be shown.
    package var persons: Set<DeviceID>?
    /// The rules by which the replicas merge, for what is shown now.
    package var rules: MergeRules
    /// What a table of saved rows shows now; nil for what is in none.
    package var savedState: (RecordKey) -> SavedState? = { _ in nil }
    /// The time of the newest line, in milliseconds since 1970; nil where there is none.
    package var latest: Int64?

    /// A page of which everything else may be set.
    package init(language: PageLanguage, days: Days, evidence: AuditEvidence, rules: MergeRules = MergeRules()) {
        (self.language, self.days, self.evidence, self.rules) = (language, days, evidence, rules)
    }

    /// What a page says, whatever it is written as.
    struct Content {
        let headline: String
        let hint: String?
        let earlier: String?
        let changes: [Change]
        let footers: [String]
    }

    /// A change that was replaced.
    struct Change {
        let title: String
        let doubt: String?
        let sides: [Side]
        let remark: String?
        let isRestored: Bool
    }

    /// A value before or after.
    struct Side {
        let label: String
        let stamp: String?
        let value: Value
    }

    /// A value as people write it.
    enum Value: Hashable {
        /// A word for what is no value, or none that is shown.
        case word(String)
        case lines([String])
    }

    /// What the page says.
    ///
    /// - Complexity: that of `ConflictListing/entries` and of one merge for each record.
    func content(_ listing: ConflictListing) -> Content {
        // An edit that lost to several writes is one change.
        var told: Set<UInt64> = []
        let entries = listing.entries
            .filter { $0.details.conflict.losesEdit && told.insert(EditHash.value(of: $0.details.conflict)).inserted }
            .ordered { $0.details.conflict.milliseconds > $1.details.conflict.milliseconds }
        var records: [RecordKey: RecordNow?] = [:]
        var writer = UserPageWriter(self, listing.names)
        let changes = entries.map { entry in
            let key = entry.details.conflict.key
            let record =
                records[key]
                ?? savedState(key).map { RecordNow($0) }
                ?? RecordNow(of: key, writes: entry.isWhole ? listing.writes(to: key) : [], rules: rules)
            records[key] = .some(record)
            return writer.change(entry.details, record)
        }
        let proven = entries.count { $0.details.conflict.isProven }
        return Content(
            headline: headline(proven, suspected: entries.count - proven, hasMore: listing.hasMore).capitalizedFirst,
            hint: hint(isEmpty: entries.isEmpty, hasProven: proven > 0),
            earlier: earlier.map { earlier in
                language.text(
                    earlier.isProven ? .earlierReplaced : .earlierSuspected, count: earlier.count,
                    ["date": language.date(zone.day(of: earlier.since))])
            },
            changes: changes, footers: footers(writer))
    }

    private func footers(_ writer: UserPageWriter) -> [String] {
        var footers: [String] = []
        if writer.showsNow, let latest { footers.append(language.text(.footerNow, ["time": language.time(zone.local(latest))])) }
        if writer.leavesOut { footers.append(language.text(.footerOthers)) }
        return footers + [zone.name.map { language.text(.footerZone, ["zone": $0]) } ?? language.text(.footerUniversal)]
    }

    /// Whether nothing more can have been replaced than what is known.
    private var isSure: Bool { evidence.isWhole || evidence.writes == 0 && !evidence.isUnaudited }

    /// The days, in words that come beside a verb: `on 14 March 2026`.
    private var daysInWords: String {
        switch days {
        case .on(let day): return language.text(.daysOn, ["date": language.date(day)])
        case .between(let since, let until):
            let since = since.map { language.date(zone.day(of: $0)) }
            // What ends with a day ends before the first time of the next.
            let until = until.map { language.date(zone.day(of: $0 == .min ? $0 : $0 - 1)) }
            return switch (since, until) {
            case (nil, nil): language.text(.daysAll)
            case (let since?, nil): language.text(.daysSince, ["date": since])
            case (nil, let until?): language.text(.daysUntil, ["date": until])
            case (let since?, let until?):
                since == until ? language.text(.daysOn, ["date": since]) : language.text(.daysBetween, ["since": since, "until": until])
            }
        }
    }

    private func headline(_ proven: Int, suspected: Int, hasMore: Bool) -> String {
        let days = ["days": daysInWords]
        switch (proven, suspected) {
        case (0, 0): return language.text(evidence.isUnaudited ? .unknown : isSure ? .nothing : .nothingKnown, days)
        case (0, _): return language.text(hasMore ? .suspectedMore : .suspected, count: suspected, days)
        case (_, 0): return language.text(hasMore ? .replacedMore : .replaced, count: proven, days)
        default:
            let replaced = language.text(.replaced, count: proven, days)
            return language.text(hasMore ? .alsoMore : .also, count: suspected, ["replaced": replaced])
        }
    }

    private func hint(isEmpty: Bool, hasProven: Bool) -> String? {
        if isEmpty { return isSure ? language.text(.hintNothing) : nil }
        return language.text(hasProven ? .hintReplaced : .hintSuspected)
    }
}

extension String {
    /// The string with a capital letter at its beginning.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
