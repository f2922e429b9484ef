import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncModel

/// One titled part of the report.
struct ReportSection {
    /// The note below the title.
    enum Content {
        case breakdown(Breakdown)
        /// Lengths of time in milliseconds; nil where there is none.
        case lengths([Length])
        case sentence(String)
    }

    /// A length of time in milliseconds by certainty; nil where there is none.
    typealias Length = (label: String, proven: Int64?, suspected: Int64?)

    /// The certainties with which there is a length at all, each with its key path.
    static func certainties(in lengths: [Length]) -> [(name: String, length: KeyPath<Length, Int64?>)] {
        [("proven", \.proven), ("suspected", \.suspected)].filter { certainty in lengths.contains { $0[keyPath: certainty.1] != nil } }
    }

    /// What a section is about, where a page draws it in a way of its own.
    enum Topic {
        case losses
        case history
        case gaps
        case other
    }

    let title: String
    let content: Content
    var topic = Topic.other
    /// What the names of the rows are names of, where a list of conflicts can be narrowed to one of them.
    var facet: ConflictFacet?
    /// The days of each row of a history, since 1970-01-01.
    var days: [Range<Int>] = []

    /// The section, with what its rows are names of.
    private func naming(_ facet: ConflictFacet) -> ReportSection {
        var section = self
        section.facet = facet
        return section
    }

    /// The columns that each name would like to have.
    var labelWidths: [Int] {
        guard case .breakdown(let breakdown) = content else { return [] }
        return (breakdown.rows + (breakdown.others.map { [$0] } ?? [])).map { TerminalText.width($0.label) }
    }

    /// The sections of a report, in the order in which its questions are asked.
    ///
    /// - Parameters:
    ///   - top: How many rows each shows.
    ///   - width: What the two names of a pair share.
    ///   - periods: The most periods of the history. Three weeks and a bit, two years of months: what still fits on a screen.
    static func all(
        of summary: Summary, top: Int, width: Int, periods: Int = 24, names: RecordNames = .none
    ) -> [ReportSection] {
        let source = Source(
            proven: summary.proven, suspected: summary.suspected, top: top, names: names, lacksRecords: summary.recordsMissing > 0)
        var sections: [ReportSection] = []
        if source.proven.total.losses > 0 || source.suspected.total.losses > 0 {
            let lost = source.proven.total.losses > 0 ? "Edits lost" : "Edits perhaps lost"
            sections.append(source.byField("\(lost) by field", by: .losses).naming(.field))
            sections.append(source.byDevice("\(lost) by losing device", \.losers, by: .losses).naming(.loser))
            for index in sections.indices { sections[index].topic = .losses }
        }
        sections += [source.certainty, source.window]
        sections.append(source.named("By kind", \.byKind).naming(.kind))
        sections.append(source.named("By severity", \.bySeverity).naming(.severity))
        sections += source.marks
        sections.append(source.named("By record type", \.fields.byFirst) { $0.second.escaped(for: .terminal) }.naming(.type))
        sections.append(source.byField("By field", by: .conflicts).naming(.field))
        sections.append(source.byDevice("By winning device", \.winners).naming(.winner))
        sections.append(source.byDevice("By losing device", \.losers).naming(.loser))
        if source.proven.apps.count + source.suspected.apps.count > 0 {
            sections.append(source.byApp("By winning version of the app", \.winningApps))
            sections.append(source.byApp("By losing version of the app", \.losingApps))
        }
        sections.append(source.named("By reason of the winner", \.byReason).naming(.reason))
        sections.append(
            source.named("Who beats whom", \.pairs) { name in
                let names = [name.first ?? "", name.second].map {
                    TerminalText.truncated($0.escaped(for: .terminal), to: (width - 5) / 2)
                }
                return names.joined(separator: " → ")
            })
        sections += [source.gaps, source.history(periods)]
        sections.append(source.records.naming(.record))
        sections.append(source.suspectClocks)
        return sections
    }
}

/// Where the sections take their numbers from.
private struct Source {
    let proven: ConflictTally
    let suspected: ConflictTally
    let top: Int
    /// What people call records.
    let names: RecordNames
    /// Whether there were too many records to keep a count of each.
    let lacksRecords: Bool

    var records: ReportSection {
        let title = "Most contested records"
        func key(_ name: NamedCounts.Name) -> RecordKey { RecordKey(type: RecordType(name.first ?? ""), id: RecordID(name.second)) }
        let breakdown = Breakdown(
            proven: proven.records, suspected: suspected.records, limit: top,
            identity: { name in names[key(name)].map { _ in key(name).description.escaped(for: .terminal) } },
            label: { name in
                let key = key(name)
                return names[key] == nil ? key.description.escaped(for: .terminal) : EventText.register(key, nil, names)
            })
        let section = ReportSection(title: title, content: .breakdown(breakdown))
        guard lacksRecords, case .breakdown(var breakdown) = section.content else { return section }
        breakdown.others = ReportRow(
            label: "all others", proven: proven.total.subtracting(breakdown.rows.map(\.proven)),
            suspected: suspected.total.subtracting(breakdown.rows.map(\.suspected)))
        return ReportSection(title: title, content: .breakdown(breakdown))
    }

    func named(
        _ title: String, _ counts: KeyPath<ConflictTally, NamedCounts>, by measure: Breakdown.Measure = .conflicts,
        countsLosses: Bool = true, label: (NamedCounts.Name) -> String
    ) -> ReportSection {
        let breakdown = Breakdown(
            proven: proven[keyPath: counts], suspected: suspected[keyPath: counts], by: measure, countsLosses: countsLosses, limit: top,
            label: label)
        return ReportSection(title: title, content: .breakdown(breakdown))
    }

    func named<Name: RawRepresentable<String>>(_ title: String, _ counts: KeyPath<ConflictStatistics, [Name: Int]>) -> ReportSection {
        func named(_ tally: ConflictTally) -> NamedCounts {
            tally.statistics[keyPath: counts].reduce(into: NamedCounts()) {
                $0.add(ConflictTally.Count(conflicts: $1.value), nil, $1.key.rawValue)
            }
        }
        let breakdown = Breakdown(proven: named(proven), suspected: named(suspected), countsLosses: false, limit: top) { $0.second }
        return ReportSection(title: title, content: .breakdown(breakdown))
    }

    func byField(_ title: String, by measure: Breakdown.Measure) -> ReportSection {
        named(title, \.fields, by: measure) { name in
            (name.first.map { "\($0).\(name.second)" } ?? "\(name.second) (whole record)").escaped(for: .terminal)
        }
    }

    func byDevice(
        _ title: String, _ counts: KeyPath<ConflictTally, NamedCounts>, by measure: Breakdown.Measure = .conflicts,
        countsLosses: Bool = true
    ) -> ReportSection {
        named(title, counts, by: measure, countsLosses: countsLosses) { $0.second.escaped(for: .terminal) }
    }

    func byApp(_ title: String, _ counts: KeyPath<ConflictTally, NamedCounts>) -> ReportSection {
        named(title, counts) { $0.second.isEmpty ? "not told" : $0.second.escaped(for: .terminal) }
    }

    var certainty: ReportSection {
        let title = "Proven and suspected"
        if proven.total.conflicts == 0 {
            let count = HumanNumber.count(suspected.total.conflicts)
            return ReportSection(title: title, content: .sentence("none proven, \(count) suspected"))
        }
        func count(_ basis: Conflict.Basis) -> Int { proven.statistics.byBasis[basis] ?? 0 }
        var rows = [ReportRow(label: "proven by causal contexts", conflicts: count(.causal))]
        if count(.ancestor) > 0 { rows.append(ReportRow(label: "proven by a common ancestor", conflicts: count(.ancestor))) }
        rows.append(ReportRow(label: "suspected", suspectedConflicts: suspected.total.conflicts))
        return ReportSection(title: title, content: .breakdown(Breakdown(rows: rows)))
    }

    var window: ReportSection {
        let rows = rows(.window).map(\.row)
        return ReportSection(title: "Time window", content: .breakdown(Breakdown(rows: rows)))
    }

    /// What is marked on some of the conflicts, each under a title of its own.
    var marks: [ReportSection] {
        rows(.mark).filter { $0.row.proven.conflicts > 0 || $0.row.suspected.conflicts > 0 }.map { title, row in
            ReportSection(title: title, content: .breakdown(Breakdown(rows: [row])))
        }
    }

    /// The counters of a topic that rows show, and the title of each.
    private func rows(_ topic: ConflictStatistics.Counter.Topic) -> [(title: String, row: ReportRow)] {
        ConflictStatistics.counters.filter { $0.topic == topic }.compactMap { counter in
            guard let row = counter.row else { return nil }
            let (proven, suspected) = (proven.statistics[keyPath: counter.value], suspected.statistics[keyPath: counter.value])
            return (row.title, ReportRow(label: row.label, conflicts: proven, suspectedConflicts: suspected))
        }
    }

    var gaps: ReportSection {
        let (proven, suspected) = (proven.statistics.gaps, suspected.statistics.gaps)
        var rows = [("p50 (median)", 0.5), ("p95", 0.95), ("p99", 0.99)].map { label, share in
            (label: label, proven: proven.percentileMilliseconds(share), suspected: suspected.percentileMilliseconds(share))
        }
        rows.append((label: "max", proven: proven.maximumMilliseconds, suspected: suspected.maximumMilliseconds))
        return ReportSection(title: "Time between the two writes", content: .lengths(rows), topic: .gaps)
    }

    func history(_ periods: Int) -> ReportSection {
        let days = Set(proven.byDay.keys).union(suspected.byDay.keys)
        guard let first = days.min(), let last = days.max() else { return ReportSection(title: "History", content: .sentence("none")) }
        let period = CalendarPeriod.shortest(for: first...last, limit: periods)
        let base = period.index(of: first)
        // A period without conflicts keeps its row: a pause says as much as a peak.
        var rows = (base...period.index(of: last)).map { ReportRow.empty(period.label(of: $0)) }
        for (day, count) in proven.byDay { rows[period.index(of: day) - base].proven.add(count) }
        for (day, count) in suspected.byDay { rows[period.index(of: day) - base].suspected.add(count) }
        let spans = (base...period.index(of: last)).map { period.firstDay(of: $0)..<period.firstDay(of: $0 + 1) }
        return ReportSection(title: "By \(period.name) (UTC)", content: .breakdown(Breakdown(rows: rows)), topic: .history, days: spans)
    }

    var suspectClocks: ReportSection {
        let title = "Decided by suspect clocks"
        guard proven.statistics.clockSuspect > 0 || suspected.statistics.clockSuspect > 0 else {
            return ReportSection(title: title, content: .sentence("none"))
        }
        guard case .breakdown(var breakdown) = byDevice(title, \.suspects, countsLosses: false).content else {
            return ReportSection(title: title, content: .sentence("none"))
        }
        if breakdown.rows.count > 1 {
            breakdown.rows.insert(
                ReportRow(
                    label: "all devices", conflicts: proven.statistics.clockSuspect, suspectedConflicts: suspected.statistics.clockSuspect),
                at: 0)
        }
        return ReportSection(title: title, content: .breakdown(breakdown))
    }
}

extension ReportRow {
    /// A row of which losses are not known.
    fileprivate init(label: String, conflicts: Int = 0, suspectedConflicts: Int = 0) {
        self.init(
            label: label, proven: .init(conflicts: conflicts), suspected: .init(conflicts: suspectedConflicts), countsLosses: false)
    }

    /// A row to be counted up.
    fileprivate static func empty(_ label: String) -> ReportRow {
        ReportRow(label: label, proven: .init(), suspected: .init())
    }
}
