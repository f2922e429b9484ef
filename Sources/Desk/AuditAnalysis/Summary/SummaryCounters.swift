import AuditLog
import ConflictAudit
import SyncBytes
import SyncModel
import SyncSystem

/// Counts what a scanner finds in arrays, by the scanner's numbers for names; at the end it becomes a ``Summary``.
///
/// What a summary tells in several dictionaries is counted once here where one follows from another: conflicts by winner and by loser from
/// those by pair.
struct SummaryCounters {
    private var proven = ConflictCounters()
    private var suspected = ConflictCounters()
    private var otherEvents = [Int](repeating: 0, count: ScannedLine.Content.count)
    /// Writes by the number of the device that logged them plus 1.
    private var writes: [(writes: Int, withContext: Int)] = []
    /// What statistics said last, by the number of the device that logged them plus 1.
    private var reported: [Int: WriteTally.Reported] = [:]
    /// How far the writes of each device go, by its number; nil where none is of it.
    private var reaches: [WriteTally.Reach?] = []
    private var linesDropped = 0
    /// Whether a write, and a line that only whoever has looked for conflicts logs, has been seen, whether it passed the filter or not.
    private var (hasWriteLines, hasAudit) = (false, false)
    private var firstWrite = Int64.max
    private var lastWrite = Int64.min

    /// What is worth knowing of each ``TraitsNumber``.
    private let flags: [UInt8]
    private static let loss: UInt8 = 1
    private static let suspicion: UInt8 = 2

    private static let clock: UInt8 = 4

    private static let allFlags = TraitsNumber.table { severity, basis, flags in
        (severity.isLoss && !flags[.repeated] ? loss : 0) | (basis.isProof ? 0 : suspicion) | (flags[.clockSuspect] ? clock : 0)
    }

    init() { flags = Self.allFlags }

    /// Kept, so that looking ahead is not taken for idle.
    private var touched: UInt64 = 0

    /// Which records were forgotten.
    private var eviction = RecordEviction()

    /// How many conflicts at most are missing from the count of a record.
    var recordsMissing: Int { eviction.missing }

    /// Forgets the records with few conflicts.
    ///
    /// - Returns: The numbers of those that remain, which are numbered anew in their order.
    mutating func evictRecords(room: Int) -> [Int] {
        let kept = eviction.evict(ConflictCounters.recordTotals(proven, suspected), room: room)
        proven.keepRecords(kept)
        suspected.keepRecords(kept)
        return kept
    }

    /// Notes that records numbered from now on come later.
    mutating func enterRecords(upTo count: Int) { eviction.enter(upTo: count) }

    /// The lines counted.
    private var lines = 0
    private var hasCounted: Bool { lines > 0 }

    /// Whether another block of lines could be too much for a ``SmallCount`` once the counts of up to 200 threads are put together.
    var isFull: Bool { lines > SmallCount.limit / 256 }

    /// The indices of the lines that are conflicts of a kind, and how many edits each line lost.
    private var provenIndices = [Int32](repeating: 0, count: LineScanner.linesAtATime)
    private var suspectedIndices = [Int32](repeating: 0, count: LineScanner.linesAtATime)
    private var losses = [UInt8](repeating: 0, count: LineScanner.linesAtATime)

    /// Looks at lines before those are dropped that do not pass the filter.
    mutating func lookAtAll(_ lines: Span<ScannedLine>) {
        for index in lines.indices {
            switch lines[index].content {
            case .write: hasWriteLines = true
            case .conflict, .statistics, .checkpoint, .remoteChange: hasAudit = true
            case .sync, .network, .account, .clock, .log, .acknowledgement, .outbox, .refresh: break
            }
        }
    }

    /// Counts lines, no more than a scanner shows at a time.
    mutating func count(_ lines: Span<ScannedLine>) {
        self.lines += lines.count
        let (provenCount, suspectedCount) = sort(lines)
        // The memory of large tables is waited for once and not for each line.
        touched = proven.touch(lines, provenIndices, provenCount)
        proven.count(lines, provenIndices, provenCount, losses)
        if suspectedCount > 0 { suspected.count(lines, suspectedIndices, suspectedCount, losses) }
    }

    /// Counts the lines that are no conflicts, and finds out which conflicts are proven and which suspected.
    private mutating func sort(_ lines: Span<ScannedLine>) -> (proven: Int, suspected: Int) {
        var (provenCount, suspectedCount) = (0, 0)
        for index in lines.indices {
            guard lines[index].isConflict else {
                countOther(lines[index])
                continue
            }
            let flags = flags[Int(lines[index].traits.code)]
            losses[index] = flags & Self.loss
            if flags & Self.suspicion == 0 {
                provenIndices[provenCount] = Int32(truncatingIfNeeded: index)
                provenCount += 1
                if flags & Self.clock != 0 { proven.countSuspect(winner: lines[index].device) }
            } else {
                suspectedIndices[suspectedCount] = Int32(truncatingIfNeeded: index)
                suspectedCount += 1
                if flags & Self.clock != 0 { suspected.countSuspect(winner: lines[index].device) }
            }
        }
        return (provenCount, suspectedCount)
    }

    private mutating func countOther(_ line: ScannedLine) {
        switch line.content {
        case .conflict: break
        case .write:
            let source = Int(line.source) + 1
            while writes.count <= source { writes.append((0, 0)) }
            writes[source].writes += 1
            writes[source].withContext += Int(clamping: line.contexts)
            changeReach(of: Int(line.device)) {
                $0.observe(line.count, at: line.milliseconds, isOwn: line.source == line.device)
            }
            firstWrite = min(firstWrite, line.milliseconds)
            lastWrite = max(lastWrite, line.milliseconds)
        case .statistics:
            otherEvents[Int(line.content.rawValue)] += 1
            let count = min(Int(clamping: line.count), .largestCount)
            let contexts = line.contexts < 0 ? nil : min(Int(clamping: line.contexts), count)
            let reverts = min(Int(clamping: line.gap), .largestCount)
            record(
                WriteTally.Reported(milliseconds: line.milliseconds, writes: count, withContext: contexts, reverts: reverts),
                source: Int(line.source) + 1)
        case .log:
            otherEvents[Int(line.content.rawValue)] += 1
            linesDropped = linesDropped.addingCount(Int(clamping: line.count))
        case .sync, .remoteChange, .network, .account, .clock, .checkpoint, .acknowledgement, .outbox, .refresh:
            otherEvents[Int(line.content.rawValue)] += 1
        }
    }

    @inline(__always) private mutating func changeReach(of device: Int, _ change: (inout WriteTally.Reach) -> Void) {
        if device >= reaches.count { reaches += repeatElement(nil, count: device + 1 - reaches.count) }
        var reach = reaches[device] ?? WriteTally.Reach()
        change(&reach)
        reaches[device] = reach
    }

    private mutating func record(_ candidate: WriteTally.Reported, source: Int) {
        reported[source] = max(reported[source] ?? candidate, candidate)
    }

    /// What one has counted, by the numbers of names of its own.
    struct Part {
        var names: ScannedNames
        var counters: SummaryCounters

        /// Gives away the names.
        fileprivate mutating func drainNames() -> ScannedNames {
            let taken = names
            names = ScannedNames()
            return taken
        }

        /// Gives away what was counted by record, and the names of records.
        fileprivate mutating func drainRecords() -> RecordCounts {
            RecordCounts(
                names: names.drainRecords(), proven: counters.proven.drainRecords(), suspected: counters.suspected.drainRecords())
        }
    }

    /// Everything that several have counted, each by the numbers of names of its own, under the filter that it has passed.
    static func summary(of parts: consuming [Part], filter: ReportFilter) -> Summary {
        // The records are most of it, so that they are put together beside all the rest.
        let records = Locked(parts.indices.map { parts[$0].drainRecords() })
        var all = parts.removeFirst()
        // Each gives up what has been put together: where nearly every name is new, names are most of the memory.
        let numbers = parts.indices.map { all.names.adopt(parts[$0].drainNames()) }
        let recordTypes = all.names.recordTypes
        let missing = all.counters.recordsMissing + parts.reduce(0) { $0 + $1.counters.recordsMissing }
        let named = Locked((proven: NamedCounts(), suspected: NamedCounts()))
        @Sendable func nameRecords() {
            let parts = records.withLock { records in
                defer { records = [] }
                return records
            }
            let result = RecordCounts.named(consume parts, owners: recordTypes, numbers.map(\.recordTypes))
            named.withLock { $0 = result }
        }
        var summary = inParallel([nameRecords], threads: numbers.count + 1) {
            for numbers in numbers { all.counters.merge(parts.removeFirst().counters, numbers) }
            return all.counters.summaryWithoutRecords(all.names, filter: filter)
        }
        (summary.proven.records, summary.suspected.records) = named.withLock { $0 }
        summary.recordsMissing = missing
        return summary
    }

    /// Adds what was counted by other numbers.
    private mutating func merge(_ other: SummaryCounters, _ numbers: ScannedNames.Numbers) {
        lines += other.lines
        proven.merge(other.proven, numbers)
        suspected.merge(other.suspected, numbers)
        for index in otherEvents.indices { otherEvents[index] += other.otherEvents[index] }
        for (index, count) in other.writes.enumerated() where count.writes > 0 {
            let source = index == 0 ? 0 : numbers.devices[index - 1] + 1
            while writes.count <= source { writes.append((0, 0)) }
            writes[source].writes += count.writes
            writes[source].withContext += count.withContext
        }
        for (index, reach) in other.reaches.enumerated() {
            if let reach { changeReach(of: numbers.devices[index]) { $0.merge(reach) } }
        }
        for (index, candidate) in other.reported { record(candidate, source: index == 0 ? 0 : numbers.devices[index - 1] + 1) }
        linesDropped = linesDropped.addingCount(other.linesDropped)
        firstWrite = min(firstWrite, other.firstWrite)
        lastWrite = max(lastWrite, other.lastWrite)
        hasWriteLines = hasWriteLines || other.hasWriteLines
        hasAudit = hasAudit || other.hasAudit
    }

    private func summaryWithoutRecords(_ names: ScannedNames, filter: ReportFilter) -> Summary {
        var summary = Summary(filter: filter)
        if hasCounted { summary.filters = [filter] }
        summary.proven = proven.tally(names)
        summary.suspected = suspected.tally(names)
        (summary.proven.pairs, summary.suspected.pairs) = NamedCounts.pairs(
            of: names.devices, proven: proven.byPair, suspected: suspected.byPair)
        for content in ScannedLine.Content.allCases where otherEvents[Int(content.rawValue)] > 0 {
            if let event = content.otherEvent { summary.otherEvents[event] = otherEvents[Int(content.rawValue)] }
        }
        // Statistics cannot be filtered: under a filter they say nothing of the writes.
        summary.writes = WriteTally(names.devices, observed: writes, reported: filter.isUnrestricted ? reported : [:])
        for (number, reach) in reaches.enumerated() where reach != nil {
            summary.writes.reaches[DeviceID(names.devices.name(number).text)] = reach
        }
        summary.linesDropped = linesDropped
        summary.hasWriteLines = hasWriteLines || firstWrite <= lastWrite
        let telling: [Summary.OtherEvent] = [.statistics, .checkpoint, .remoteChange]
        summary.hasAudit = hasAudit || summary.hasConflicts || telling.contains { summary.otherEvents[$0] != nil }
        if firstWrite <= lastWrite { (summary.writes.firstMilliseconds, summary.writes.lastMilliseconds) = (firstWrite, lastWrite) }
        return summary
    }
}

/// Conflicts by record.
private struct RecordCounts: Sendable {
    var names: NameTable
    let proven: SmallCounts
    let suspected: SmallCounts

    /// What several have counted, with the same numbers for the same record.
    ///
    /// - Parameters:
    ///   - owners: The types of record.
    ///   - recordTypes: The numbers there that the types of all but the first have.
    static func named(
        _ parts: consuming [RecordCounts], owners: NameTable, _ recordTypes: [[Int]]
    ) -> (proven: NamedCounts, suspected: NamedCounts) {
        var all = parts.removeFirst()
        let numbers = zip(parts, recordTypes).map { part, types in all.names.adopt(part.names) { types[$0 - 1] + 1 } }
        func named(_ counted: (RecordCounts) -> SmallCounts) -> NamedCounts {
            var counts: [ConflictTally.Count] = []
            counts.reserveCapacity(counted(all).isEmpty ? 0 : all.names.count)
            for count in counted(all) { counts.append(count.count) }
            for (part, numbers) in zip(parts, numbers) {
                for (index, count) in counted(part).enumerated() { counts.add(count.count, at: numbers[index]) }
            }
            return NamedCounts(owners: owners, names: all.names, counts: counts)
        }
        return (named(\.proven), named(\.suspected))
    }
}

/// The conflicts of one certainty, counted in arrays.
private struct ConflictCounters {
    private typealias Count = ConflictTally.Count

    /// By ``TraitsNumber``, up to the highest that has come up: there are very many, and the highest are rare.
    private var byTraits: ContiguousArray<Int> = []
    private var suspectsByWinner: SmallCounts = []
    fileprivate private(set) var byPair = PairCounts()
    private var byField: SmallCounts = []
    private var byApps: SmallCounts = []
    private var byRecord = SmallCounts(capacity: 1 << 17)
    private var byDay: [Int: Count] = [:]
    private var gaps = ContiguousArray<Int>(repeating: 0, count: GapHistogram.bucketCount)
    private var gapRange = (Int64.max, Int64.min)
    private var dates = (Int64.max, Int64.min)
    private var distinct = DistinctCount()
    /// The day of the conflict before, in milliseconds, and what is not in `byDay` yet.
    private var today = 0..<0 as Range<Int64>
    private var ofToday = Count()

    /// Gives away what was counted by record.
    mutating func drainRecords() -> SmallCounts {
        defer { byRecord = [] }
        return byRecord
    }

    /// The conflicts of each record, of both certainties.
    static func recordTotals(_ one: ConflictCounters, _ other: ConflictCounters) -> [Int] {
        var totals = [Int](repeating: 0, count: max(one.byRecord.count, other.byRecord.count))
        for counts in [one.byRecord, other.byRecord] {
            for (index, count) in counts.enumerated() { totals[index] += Int(count.conflicts) }
        }
        return totals
    }

    /// Forgets the counts of all records but some, which are numbered anew in their order.
    mutating func keepRecords(_ numbers: [Int]) {
        byRecord = SmallCounts(numbers.map { $0 < byRecord.count ? byRecord[$0] : SmallCount() })
    }

    /// Counts some of the lines.
    mutating func count(_ lines: Span<ScannedLine>, _ allIndices: [Int32], _ count: Int, _ allLosses: [UInt8]) {
        let lineIndices = allIndices.span.extracting(first: count)
        let losses = allLosses.span
        makeRoom(for: lines, at: lineIndices)
        byPair.count(lines, at: lineIndices, losses: losses)
        Self.count(lines, at: lineIndices, losses: losses, &byTraits, &byField, &byRecord, &gaps)
        for index in lineIndices.indices {
            let line = Int(lineIndices[index])
            distinct.insert(ConflictID(rawValue: lines[line].id))
            if lines[line].apps >= 0 { byApps.count(Int(losses[line]), at: Int(lines[line].apps)) }
            let milliseconds = lines[line].milliseconds
            if !today.contains(milliseconds) { turnTo(milliseconds) }
            ofToday.conflicts += 1
            ofToday.losses += Int(losses[line])
            gapRange = (min(gapRange.0, lines[line].gap), max(gapRange.1, lines[line].gap))
            dates = (min(dates.0, milliseconds), max(dates.1, milliseconds))
        }
    }

    /// Counts a conflict whose winner may owe its victory to a wrong clock.
    mutating func countSuspect(winner: Int32) { suspectsByWinner.count(0, at: Int(winner)) }

    private static func count(
        _ lines: Span<ScannedLine>, at lineIndices: Span<Int32>, losses: Span<UInt8>, _ traits: inout ContiguousArray<Int>,
        _ fields: inout SmallCounts,
        _ records: inout SmallCounts, _ gapBuckets: inout ContiguousArray<Int>
    ) {
        var byTraits = traits.mutableSpan
        var gaps = gapBuckets.mutableSpan
        var byField = fields.mutableSpan
        var byRecord = records.mutableSpan
        for index in lineIndices.indices {
            let line = Int(lineIndices[index])
            let losses = Int(losses[line])
            byTraits[Int(lines[line].traits.code)] += 1
            byField[Int(lines[line].field)].add(losses)
            byRecord[Int(lines[line].record)].add(losses)
            gaps[GapHistogram.bucket(of: lines[line].gap)] += 1
        }
    }

    /// Makes room for every name of the lines.
    private mutating func makeRoom(for lines: Span<ScannedLine>, at lineIndices: Span<Int32>) {
        var (field, record, device, traits) = (-1 as Int32, -1 as Int32, 0 as Int32, 0 as UInt32)
        for index in lineIndices.indices {
            let line = Int(lineIndices[index])
            field = max(field, lines[line].field)
            record = max(record, lines[line].record)
            device = max(device, lines[line].device, lines[line].loser)
            traits = max(traits, lines[line].traits.code)
        }
        makeRoom(forTraits: Int(traits) + 1)
        byField.makeRoom(for: Int(field))
        byRecord.makeRoom(for: Int(record))
        byPair.makeRoom(for: lineIndices.count, upTo: Int(device))
    }

    private mutating func makeRoom(forTraits count: Int) {
        // In long steps, since traits come up in no order.
        if count > byTraits.count { byTraits += repeatElement(0, count: max(count, 2 * byTraits.count) - byTraits.count) }
    }

    /// Looks where some of the lines will be counted.
    func touch(_ lines: Span<ScannedLine>, _ allIndices: [Int32], _ count: Int) -> UInt64 {
        let lineIndices = allIndices.span.extracting(first: count)
        var touched: UInt64 = 0
        for index in lineIndices.indices {
            let line = Int(lineIndices[index])
            let record = Int(lines[line].record)
            touched ^= byPair.touch(winner: lines[line].device, loser: lines[line].loser)
            touched ^= record < byRecord.count ? UInt64(byRecord[record].conflicts) : 0
        }
        return touched
    }

    private mutating func turnTo(_ milliseconds: Int64) {
        endDay()
        let start = milliseconds.dividedFlooring(by: 86_400_000) * 86_400_000
        today = start..<start + 86_400_000
    }

    private mutating func endDay() {
        guard ofToday.conflicts > 0 else { return }
        byDay[UTCDay.containing(today.lowerBound), default: Count()].add(ofToday)
        ofToday = Count()
    }

    mutating func merge(_ other: ConflictCounters, _ numbers: ScannedNames.Numbers) {
        makeRoom(forTraits: other.byTraits.count)
        for index in other.byTraits.indices { byTraits[index] += other.byTraits[index] }
        suspectsByWinner.add(other.suspectsByWinner, numbers.devices)
        byPair.merge(other.byPair, numbers.devices)
        byField.add(other.byField, numbers.fields)
        byApps.add(other.byApps, numbers.appPairs)
        var other = other
        other.endDay()
        distinct.merge(other.distinct)
        byDay.merge(other.byDay) { one, another in
            var sum = one
            sum.add(another)
            return sum
        }
        for index in gaps.indices { gaps[index] += other.gaps[index] }
        gapRange = (min(gapRange.0, other.gapRange.0), max(gapRange.1, other.gapRange.1))
        dates = (min(dates.0, other.dates.0), max(dates.1, other.dates.1))
    }

    /// What was counted, but for the pairs and the records.
    func tally(_ names: ScannedNames) -> ConflictTally {
        var counters = self
        counters.endDay()
        var tally = ConflictTally()
        for number in byTraits.indices where byTraits[number] > 0 {
            tally.statistics.add(byTraits[number], of: TraitsNumber(number).traits)
        }
        tally.suspects = NamedCounts(names: names.devices, counts: suspectsByWinner.map(\.count))
        tally.fields = NamedCounts(owners: names.recordTypes, names: names.fields, counts: byField.map(\.count))
        tally.apps = NamedCounts(owners: names.apps, names: names.appPairs, counts: byApps.map(\.count))
        tally.byDay = counters.byDay
        tally.distinct = distinct
        let buckets = gaps.enumerated().filter { $0.element > 0 }.map { (index: $0.offset, count: $0.element) }
        let range = buckets.isEmpty ? nil : gapRange
        if let gaps = GapHistogram(buckets: buckets, minimum: range?.0, maximum: range?.1) { tally.statistics.gaps = gaps }
        if dates.0 <= dates.1 { (tally.statistics.firstConflictMilliseconds, tally.statistics.lastConflictMilliseconds) = dates }
        return tally
    }
}

/// Counts by number.
///
/// An array of this kind can be changed through a span on every system.
typealias SmallCounts = ContiguousArray<SmallCount>

/// A count in eight bytes: tables of them are large and looked into at random.
struct SmallCount: BitwiseCopyable {
    /// How many may be counted before one could overflow.
    static let limit = Int(UInt32.max)

    private(set) var conflicts: UInt32 = 0
    private(set) var losses: UInt32 = 0

    var count: ConflictTally.Count { ConflictTally.Count(conflicts: Int(conflicts), losses: Int(losses)) }

    /// Counts one more.
    @inline(__always) mutating func add(_ losses: Int) {
        conflicts &+= 1
        self.losses &+= UInt32(truncatingIfNeeded: losses)
    }

    mutating func add(_ other: SmallCount) {
        conflicts += other.conflicts
        losses += other.losses
    }
}

extension ContiguousArray<SmallCount> {
    /// Nothing counted; memory for `capacity` counts is set aside, and used as they come.
    fileprivate init(capacity: Int) {
        self = []
        reserveCapacity(capacity)
    }

    /// Counts one more at an index that may be new.
    @inline(__always) fileprivate mutating func count(_ losses: Int, at index: Int) {
        makeRoom(for: index)
        self[index].add(losses)
    }

    /// Makes room for an index.
    fileprivate mutating func makeRoom(for index: Int) {
        guard index >= count else { return }
        append(contentsOf: repeatElement(SmallCount(), count: index + 1 - count))
    }

    /// Adds counts by other numbers.
    fileprivate mutating func add(_ other: SmallCounts, _ numbers: [Int]) {
        for (index, count) in other.enumerated() where count.conflicts > 0 {
            add(count, at: numbers[index])
        }
    }

    /// Adds to the count at an index that may be new.
    fileprivate mutating func add(_ count: SmallCount, at index: Int) {
        makeRoom(for: index)
        self[index].add(count)
    }
}

extension ScannedLine.Content {
    fileprivate var otherEvent: Summary.OtherEvent? {
        switch self {
        // Of outboxes and looks health tells, of acknowledgements nothing.
        case .write, .conflict, .acknowledgement, .outbox, .refresh: nil
        case .sync: .sync
        case .network: .network
        case .account: .account
        case .remoteChange: .remoteChange
        case .clock: .clock
        case .checkpoint: .checkpoint
        case .statistics: .statistics
        case .log: .log
        }
    }
}
