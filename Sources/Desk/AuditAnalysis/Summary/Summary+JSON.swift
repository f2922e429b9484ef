import AuditLog
import ConflictAudit
import SyncBytes
public import SyncModel

extension Summary {
    /// The version of the mergeable form of a summary, its key `summary`.
    package static let formatVersion = 3

    /// Reads back what `JSONRenderer` wrote, so that it can be merged.
    ///
    /// Unknown keys are ignored, as are those that follow from others: the totals, `byRecordType`, percentiles, and all but the suspect
    /// clocks of `byWinningDevice` and `byLosingDevice`.
    ///
    /// - Parameter json: The object.
    /// - Throws: ``AuditAnalysisError`` with code `unreadable_summary` where a key is missing, a value is of the wrong kind or out of
    ///   range, a row occurs twice, or the parts of a count do not add up to it. The sentence names the location.
    /// - Complexity: O(*n* log *n*) in the values of the object.
    public init(json: FieldMap) throws(AuditAnalysisError) {
        let reader = SummaryReader(fields: json, path: "")
        guard try reader.count("summary") == Self.formatVersion else {
            throw reader.failure("summary", "is not \(Self.formatVersion): it was written by another version")
        }
        self.init()
        isDistinct = try reader.bool("isDistinct")
        parts = try reader.count("parts")
        copiesLeftOut = try reader.count("copiesLeftOut")
        unchecked = try reader.count("unchecked")
        linesDropped = try reader.count("linesDropped")
        hasWriteLines = try reader.bool("hasWriteLines")
        hasAudit = try reader.bool("hasAudit")
        for row in try reader.rows("filters") { filters.append(try ReportFilter(row)) }
        filters = Set(filters).sorted()
        recordsMissing = try reader.count("recordsMissing")
        proven = try ConflictTally(reader.object("proven"), hasAllRecords: recordsMissing == 0)
        suspected = try ConflictTally(reader.object("suspected"), hasAllRecords: recordsMissing == 0)
        if let basis = proven.statistics.byBasis.keys.first(where: { !$0.isProof }) {
            throw reader.failure("proven", "holds conflicts of basis \(basis.rawValue), which is no proof")
        }
        if let basis = suspected.statistics.byBasis.keys.first(where: \.isProof) {
            throw reader.failure("suspected", "holds conflicts of basis \(basis.rawValue), which is proof")
        }
        writes = try WriteTally(reader.object("writes"))
        for (word, count) in try reader.counts("otherEvents", words: OtherEvent.allCases.map(\.rawValue)) {
            if let event = OtherEvent(rawValue: word) { otherEvents[event] = count }
        }
        if reader.has("examples") { for row in try reader.rows("examples") { examples.observe(try row.conflict()) } }
        if reader.has("health") { health = try SyncHealth(reader.rows("health")) }
    }
}

extension Summary {
    /// Adds a part of the whole that was summed up elsewhere, from what `JSONRenderer` wrote.
    ///
    /// - Parameters:
    ///   - json: The object.
    ///   - filter: What the whole is about.
    /// - Throws: ``AuditAnalysisError`` with code `unreadable_summary` as ``init(json:)`` does, and with code `unmergeable_summary` where
    ///   the part is about something else than the filter.
    package mutating func merge(json: FieldMap, filter: ReportFilter) throws(AuditAnalysisError) {
        let part = try Summary(json: json)
        guard filter.isUnrestricted || part.filters == [filter] || part.filters.isEmpty else {
            throw AuditAnalysisError(
                .unmergeableSummary,
                "the summary was not made with these filters, and sums cannot be filtered: give the filters where it is made")
        }
        merge(part)
    }
}

extension ReportFilter {
    fileprivate init(_ reader: SummaryReader) throws(AuditAnalysisError) {
        self.init(
            since: try reader.date("since").map(WallTime.init(millisecondsSince1970:)),
            until: try reader.date("until").map(WallTime.init(millisecondsSince1970:)),
            devices: Set(try reader.texts("devices").map { DeviceID($0) }),
            recordTypes: Set(try reader.texts("recordTypes").map { RecordType($0) }),
            records: Set(try reader.records("records")),
            fields: Set(try reader.texts("fields").map { FieldName($0) }),
            kinds: try reader.names("kinds", as: Conflict.Kind.self),
            severities: try reader.names("severities", as: Conflict.Severity.self))
    }
}

extension SummaryReader {
    /// The records that texts like `Card/42` name.
    fileprivate func records(_ key: String) throws(AuditAnalysisError) -> [RecordKey] {
        var records: [RecordKey] = []
        for text in try texts(key) {
            guard let record = RecordKey(naming: text) else { throw failure(key, "holds \(text.quoted), which names no record") }
            records.append(record)
        }
        return records
    }
}

extension WriteTally {
    fileprivate init(_ reader: SummaryReader) throws(AuditAnalysisError) {
        self.init()
        firstMilliseconds = try reader.date("first")
        lastMilliseconds = try reader.date("last")
        if reader.has("writers") { for writer in try reader.texts("writers") { reaches[DeviceID(writer)] = Reach() } }
        if reader.has("distinct") { distinct = try Distinct(reader.object("distinct")) }
        var names: Set<DeviceID?> = []
        for row in try reader.rows("sources") {
            let name = row.has("source") ? DeviceID(try row.text("source")) : nil
            guard names.insert(name).inserted else { throw row.failure("source", "stands twice") }
            var source = Source()
            source.observed = try row.count("observed")
            source.observedWithContext = try row.count("observedWithContext")
            if let date = try row.date("reportedAt") {
                let contexts = row.has("reportedWithContext") ? try row.count("reportedWithContext") : nil
                let reverts = row.has("reportedReverts") ? try row.count("reportedReverts") : 0
                source.reported = Reported(
                    milliseconds: date, writes: try row.count("reported"), withContext: contexts, reverts: reverts)
            }
            guard source.observedWithContext <= source.observed, source.reported.map({ $0.withContext ?? 0 <= $0.writes }) ?? true else {
                throw row.failure("observedWithContext", "or reportedWithContext is more than there were writes")
            }
            merge(source, of: name)
        }
    }
}

extension WriteTally.Distinct {
    fileprivate init(_ reader: SummaryReader) throws(AuditAnalysisError) {
        self.init()
        count = try reader.count("count")
        withContext = try reader.count("withContext")
        unnumbered = try reader.count("unnumbered")
        isPutTogether = try reader.bool("isPutTogether")
        dots = try DistinctCount(reader.object("dots"))
        guard withContext <= count, unnumbered <= count, !dots.isExact || dots.count <= count - unnumbered else {
            throw reader.failure("count", "is less than withContext, unnumbered or the different dots")
        }
    }
}

extension ConflictTally {
    /// - Parameter hasAllRecords: Whether every conflict counts for a record.
    fileprivate init(_ reader: SummaryReader, hasAllRecords: Bool) throws(AuditAnalysisError) {
        self.init()
        let total = Count(conflicts: try reader.count("conflicts"), losses: try reader.count("editsLost"))
        statistics.totalConflicts = total.conflicts
        statistics.dataLost = total.losses
        for counter in ConflictStatistics.counters where counter.topic != .extent {
            statistics[keyPath: counter.value] = try reader.count("\(counter.key)")
        }
        statistics.firstConflictMilliseconds = try reader.date("firstConflict")
        statistics.lastConflictMilliseconds = try reader.date("lastConflict")
        for breakdown in ConflictStatistics.breakdowns {
            for (word, count) in try reader.counts("\(breakdown.summaryKey)", words: breakdown.words) {
                _ = breakdown.setCount(word, count, &statistics)
            }
        }
        distinct = try DistinctCount(reader.object("distinct"))
        statistics.gaps = try GapHistogram(reader.object("gaps"))
        try readBreakdowns(reader)
        try check(against: total, hasAllRecords: hasAllRecords, reader)
    }

    private mutating func readBreakdowns(_ reader: SummaryReader) throws(AuditAnalysisError) {
        let fields = try reader.counts("byField") { row throws(AuditAnalysisError) in
            ConflictStatistics.FieldKey(
                type: RecordType(try row.text("recordType")), field: row.has("field") ? FieldName(try row.text("field")) : nil)
        }
        let pairs = try reader.counts("byDevicePair") { row throws(AuditAnalysisError) in
            ConflictStatistics.DevicePair(winner: DeviceID(try row.text("winner")), loser: DeviceID(try row.text("loser")))
        }
        byDay = try reader.counts("byDay") { row throws(AuditAnalysisError) in
            guard let day = UTCDay.day(try row.text("day")) else { throw row.failure("day", "is not a date such as 2026-01-15") }
            return day
        }
        let records = try reader.counts("byRecord") { row throws(AuditAnalysisError) in
            RecordKey(type: RecordType(try row.text("recordType")), id: RecordID(try row.text("recordID")))
        }
        let apps = try reader.counts("byAppPair") { row throws(AuditAnalysisError) in
            ConflictTally.AppPair(winner: try row.text("winner"), loser: try row.text("loser"))
        }
        for (pair, count) in apps { self.apps.add(count, pair.winner, pair.loser) }
        for (key, count) in fields { self.fields.add(count, key.type, key.field) }
        for (pair, count) in pairs { self.pairs.add(count, pair.winner.rawValue, pair.loser.rawValue) }
        for (key, count) in records { self.records.add(count, key.type.rawValue, key.id.rawValue) }
        for row in try reader.rows("byWinningDevice") {
            let count = try row.count("clockSuspect")
            if count > 0 { suspects.add(Count(conflicts: count), nil, try row.text("device")) }
        }
    }

    /// Refuses counts that contradict each other: whoever wrote them did not count conflicts.
    private func check(against total: Count, hasAllRecords: Bool, _ reader: SummaryReader) throws(AuditAnalysisError) {
        let (fields, pairs, records) = (fields.total, pairs.total, records.total)
        func sum(_ counts: some Sequence<Int>) -> Int { counts.reduce(0) { $0.addingCount($1) } }
        var parts: [(key: String, sum: Int, whole: Int, of: String)] = ConflictStatistics.breakdowns.map { breakdown in
            let counts = breakdown.words.map { breakdown.count($0, statistics) ?? 0 }
            return ("\(breakdown.summaryKey)", sum(counts), total.conflicts, "conflicts")
        }
        parts += [
            ("byField", fields.conflicts, total.conflicts, "conflicts"),
            ("byDevicePair", pairs.conflicts, total.conflicts, "conflicts"),
            ("byDay", sum(byDay.values.lazy.map(\.conflicts)), total.conflicts, "conflicts"),
            ("byRecord", hasAllRecords ? records.conflicts : total.conflicts, total.conflicts, "conflicts"),
            ("gaps", statistics.gaps.count, total.conflicts, "conflicts"),
            ("withinWindow with outsideWindow", sum([statistics.withinWindow, statistics.outsideWindow]), total.conflicts, "conflicts"),
            (
                "bySeverity", sum(statistics.bySeverity.lazy.filter(\.key.isLoss).map(\.value)),
                total.losses.addingCount(statistics.repeatedLosses),
                "edits lost"
            ),
            ("byField", fields.losses, total.losses, "edits lost"),
            ("byDevicePair", pairs.losses, total.losses, "edits lost"),
            ("byDay", sum(byDay.values.lazy.map(\.losses)), total.losses, "edits lost"),
            ("byRecord", hasAllRecords ? records.losses : total.losses, total.losses, "edits lost"),
            ("byWinningDevice", suspects.total.conflicts, statistics.clockSuspect, "clockSuspect"),
        ]
        for part in parts where part.sum != part.whole {
            throw reader.failure(part.key, "adds up to \(part.sum), not to \(part.whole) (\(part.of))")
        }
        guard records.conflicts <= total.conflicts, records.losses <= total.losses else {
            throw reader.failure("byRecord", "adds up to more than conflicts or editsLost")
        }
        guard statistics.autoResolvedConflicts <= total.conflicts, statistics.unresolvedConflicts <= total.conflicts else {
            throw reader.failure("conflicts", "is less than autoResolved or unresolved")
        }
        guard distinct.count > 0 ? total.conflicts > 0 : total.conflicts == 0, !distinct.isExact || distinct.count <= total.conflicts else {
            throw reader.failure("distinct", "is \(distinct.count), which cannot be of \(total.conflicts) conflicts")
        }
        let dates = [statistics.firstConflictMilliseconds, statistics.lastConflictMilliseconds].compactMap(\.self)
        guard dates.count == (total.conflicts == 0 ? 0 : 2), dates == dates.sorted() else {
            throw reader.failure("firstConflict", "and lastConflict must be there, in order, when there are conflicts, and only then")
        }
    }
}

extension SummaryReader {
    /// The conflict that the object is the line of.
    fileprivate func conflict() throws(AuditAnalysisError) -> Conflict {
        var decoder = LineDecoder()
        var bytes: [UInt8] = []
        JSONText.append(.object(fields), to: &bytes)
        do throws(LineProblem) {
            if case .line(let line) = try decoder.decode(bytes.span), case .conflict(let conflict) = line.event.content { return conflict }
        } catch {
            throw failure("event", "is not understood: \(error.sentence)")
        }
        throw failure("event", "is not that of a conflict's line")
    }
}

extension SummaryReader {
    /// Conflicts and edits lost by whatever names a row.
    fileprivate func counts<Key: Hashable>(
        _ key: String, by identify: (SummaryReader) throws(AuditAnalysisError) -> Key
    ) throws(AuditAnalysisError) -> [Key: ConflictTally.Count] {
        var counts: [Key: ConflictTally.Count] = [:]
        for row in try rows(key) {
            let count = ConflictTally.Count(conflicts: try row.count("conflicts"), losses: try row.count("editsLost"))
            guard count.conflicts > 0, count.losses <= count.conflicts else {
                throw row.failure("editsLost", "is more than conflicts, or there are none")
            }
            guard counts.updateValue(count, forKey: try identify(row)) == nil else {
                throw failure(key, "holds two rows of the same name")
            }
        }
        return counts
    }
}

extension DistinctCount {
    fileprivate init(_ reader: SummaryReader) throws(AuditAnalysisError) {
        guard reader.has("ids") else {
            guard let count = DistinctCount(letters: try reader.text("registers")) else {
                throw reader.failure("registers", "is not \(DistinctCount.registerCount) letters")
            }
            self = count
            return
        }
        var ids: Set<ConflictID> = []
        for text in try reader.texts("ids") {
            guard let id = ConflictID(text), ids.insert(id).inserted else {
                throw reader.failure("ids", "holds \(text.quoted), which stands twice or is not 16 hexadecimal digits")
            }
        }
        guard let count = DistinctCount(ids: ids) else {
            throw reader.failure("ids", "holds more than \(DistinctCount.exactLimit), which is not how so many are written")
        }
        self = count
    }
}

extension GapHistogram {
    init(_ reader: SummaryReader) throws(AuditAnalysisError) {
        var buckets: [(index: Int, count: Int)] = []
        for (position, value) in try reader.list("buckets").enumerated() {
            guard let pair = value.array, pair.count == 2 else { throw reader.failure("buckets[\(position)]", "is not [index, count]") }
            let index = try reader.count(pair[0], "buckets[\(position)][0]")
            let count = try reader.count(pair[1], "buckets[\(position)][1]")
            buckets.append((index, count))
        }
        let minimum = reader.has("minMs") ? try reader.length("minMs") : nil
        let maximum = reader.has("maxMs") ? try reader.length("maxMs") : nil
        guard let histogram = GapHistogram(buckets: buckets, minimum: minimum, maximum: maximum) else {
            throw reader.failure("buckets", "contradicts itself, minMs or maxMs")
        }
        self = histogram
    }
}
