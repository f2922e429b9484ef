package import AuditLog
package import ConflictAudit
import SyncBytes
package import SyncMerge
package import SyncModel

/// What logs tell of one record: every write to it once, the conflicts over it, and which log took what when.
///
/// - Complexity: memory is bounded by twice ``limit`` writes, the same of what stores lost, and the states of the record in ``logLimit``
///   logs, and by what tells which losses took nothing; it grows with the writes to the record that have another name since. A value type;
///   its owner guards it.
package struct RecordStory: EventObserver, Sendable {
    /// The most writes that are told, the latest ones.
    package static let limit = 2000
    /// The most logs of which it is told what they took.
    package static let logLimit = 512

    /// The record.
    package let key: RecordKey
    /// The only field that is told of; nil for all.
    package let field: FieldName?
    private let rules: MergeRules
    private let isInServersOrder: Bool
    private var chosen: ChosenRecords
    private var writes: [Dot: TaggedWrite] = [:]
    /// Their positions in the order of reading.
    private var positions: [Dot: Int] = [:]
    private var hasMerges = false
    /// What all rows before have written: a server's next row is shown instead, whatever its author had seen.
    private var shownBefore = VersionVector()
    private var omitted: Set<Dot> = []
    /// Writes that go by another name since, and where stores were put back.
    private let renamed: RenamedWrites
    private let restarts: StoreRestarts
    /// The earlier names of such writes, as far as lines tell of them.
    private var earlierNames: Set<Dot> = []
    /// What an older store has taken from its own device, which others may have; a number may have been given twice.
    private var taken: [Made: TaggedWrite] = [:]
    private var state: RecordState
    private var ledger: LossLedger
    private var history = LossHistory()
    private var evidence = AuditEvidence()
    private var writers: Set<DeviceID> = []
    /// Writes of which logs hold copies that say otherwise.
    private var contradicted: Set<Dot> = []
    private var conflicts: [ConflictID: LoggedConflict] = [:]
    private var logs: [DeviceID: Log] = [:]
    /// Logs that hold writes, of whatever record, by the scanner's numbers and by name.
    private var numbersOfLogs: Set<Int32> = []
    private var holders: Set<DeviceID> = []
    /// The lowest number of a line of each log, as far as events were made of its lines.
    private var firstLines: [DeviceID: UInt64] = [:]
    private var isAuditedHere = false
    /// The logs that have taken writes and have not told the time since.
    private var waiting: Set<DeviceID> = []
    private var isAtStart = false

    /// A write by its name and its time.
    private struct Made: Hashable {
        let dot: Dot
        let timestamp: HybridTimestamp

        init(_ write: TaggedWrite) { (dot, timestamp) = (write.dot, write.timestamp) }
    }

    /// What one log tells of the record.
    private struct Log {
        var state: RecordState
        /// When it took each write, in milliseconds since 1970, by the clock of the log's device; nil where it does not say.
        var times: [Dot: Int64?] = [:]
        /// The writes taken since it last told the time.
        var untimed: [Dot] = []
    }

    /// A record of which nothing is known.
    ///
    /// - Parameters:
    ///   - field: The only field to tell of; nil for all.
    ///   - rules: The rules by which the replicas merge.
    ///   - losses: What all lines say was lost, so that a write can be seen to give it back, and of writes that are told of by another name
    ///     or are gone.
    ///   - isInServersOrder: Whether the writes are a server's rows, told in its order.
    package init(
        of key: RecordKey, field: FieldName? = nil, rules: MergeRules, losses: RecordLosses, isInServersOrder: Bool = false
    ) {
        (self.key, self.field, self.rules, self.isInServersOrder) = (key, field, rules, isInServersOrder)
        (ledger, renamed, restarts) = (losses.ledger, losses.renamed, losses.restarts)
        chosen = ChosenRecords([key])
        state = RecordState(key: key)
    }

    package static var choosesLines: Bool { true }

    /// Chooses the lines about the record, and those that say when a log has taken its writes.
    package mutating func chooses(_ line: ScannedLine, _ names: ScannedNames) -> Bool {
        if line.content == .write, line.source >= 0, numbersOfLogs.insert(line.source).inserted {
            holders.insert(DeviceID(names.devices.name(Int(line.source)).text))
        }
        history.note(line, names)
        if chosen.contain(line, names) || !waiting.isEmpty && (line.content == .remoteChange || line.content == .sync) { return true }
        evidence.observe(line)
        return false
    }

    package mutating func begin(_ input: EventSource.Input) { isAtStart = true }

    /// Looks at a line; those of a log come in their order.
    package mutating func observe(_ line: AuditLine, at location: AuditLogReader.Location) {
        // A log that breaks off does not tell the time any more.
        if isAtStart, let source = line.source { waiting.formIntersection([source]) }
        isAtStart = false
        evidence.observe(line.event)
        history.observe(line) { $0 == key }
        if let source = line.source, let sequence = line.sequence { firstLines[source] = min(firstLines[source] ?? .max, sequence) }
        switch line.event.content {
        case .write(let write):
            if let source = line.source { holders.insert(source) }
            if write.key == key, !isAway(write, in: line.source, at: location) { observe(write, in: line.source) }
        case .conflict(let conflict) where conflict.key == key: observe(conflict, in: line.source)
        case .merge(let merge) where merge.key == key: hasMerges = true
        case .remoteChange, .sync: tellTime(line.event.milliseconds, of: line.source)
        default: break
        }
    }

    private mutating func observe(_ conflict: Conflict, in source: DeviceID?) {
        // Of one field's story are also conflicts over the whole record, but not updates of other fields.
        if let field, conflict.field.map({ $0 != field }) ?? (conflict.severity == .merged) { return }
        if conflicts[conflict.id]?.add(conflict, from: source) == nil { conflicts[conflict.id] = LoggedConflict(conflict, from: source) }
    }

    /// Looks for the conflicts over the record, where no line tells of one: by the same merge, in the order of reading, or in causal order
    /// where that is another.
    ///
    /// Not where handlers have merged, of which a trace alone says nothing, nor where the earliest writes are not told.
    package mutating func audit(by auditRules: AuditRules) {
        takeBackWhatWasSeen()
        guard conflicts.isEmpty, !hasMerges, !writes.isEmpty, omitted.isEmpty, writes.count <= Self.limit else { return }
        func found(_ writes: [TaggedWrite]) -> (conflicts: [Conflict], isDisordered: Bool) {
            var auditor = TraceAuditor(mergeRules: rules, auditRules: auditRules)
            let conflicts = writes.flatMap { auditor.observe($0) }
            return (conflicts, auditor.isDisordered)
        }
        var audit = found(writes.values.ordered { (positions[$0.dot] ?? 0, $0.dot) < (positions[$1.dot] ?? 0, $1.dot) })
        if audit.isDisordered { audit = found(ordered) }
        if audit.conflicts.isEmpty, !evidence.isUnaudited { return }
        for conflict in audit.conflicts {
            ledger.add(conflict)
            observe(conflict, in: nil)
        }
        for write in ordered { ledger.mark(by: write) }
        isAuditedHere = true
    }

    /// Whether a line of a write's own device does not tell that it is there: it has another name since, or an older store has taken it,
    /// so that others alone may have it.
    private mutating func isAway(_ write: TaggedWrite, in source: DeviceID?, at location: AuditLogReader.Location) -> Bool {
        guard let source, write.dot.device.isWriter(of: source) else { return false }
        if renamed.contain(write) {
            earlierNames.insert(write.dot)
            return true
        }
        guard taken.count < Self.limit, restarts.tookAway(write, in: source, at: location) else { return false }
        taken[Made(write)] = write
        return true
    }

    /// The writes that an older store has taken from their device and that nobody is known to have, the earliest first.
    private var gone: [TaggedWrite] {
        taken.values.filter { write in
            !omitted.contains(write.dot) && writes[write.dot].map { $0.timestamp != write.timestamp } ?? true
                && field.map { write.value(of: $0) != nil } ?? true
        }.ordered { $0.precedes($1) }
    }

    /// Takes back what an older store has taken from a device, where the writer of another write had seen it, so that somebody had it.
    ///
    /// - Complexity: O(*n* log *n*) in the writes known, for each name of a device that something was taken from.
    private mutating func takeBackWhatWasSeen() {
        let known = Array(writes.values)
        for (device, lost) in Dictionary(grouping: taken.values, by: \.dot.device) {
            let own = known.filter { $0.dot.device == device }.map(\.dot.sequence).sorted()
            let seen = known.filter { $0.dot.device != device }.compactMap { $0.seen?[device] }.sorted()
            for write in lost where writes[write.dot] == nil {
                // A later write that goes by the name, and by no lower number, may be what was seen.
                let (next, first) = (own.first(from: write.dot.sequence), seen.first(from: write.dot.sequence))
                if let first, next.map({ first < $0 }) ?? true { observe(write, in: device.firstWriter) }
            }
        }
    }

    private mutating func observe(_ write: TaggedWrite, in source: DeviceID?) {
        if let source, logs[source] != nil || logs.count < Self.logLimit {
            var log = logs.removeValue(forKey: source) ?? Log(state: RecordState(key: key))
            _ = log.state.merge(write, rules: rules)
            if log.times[write.dot] == nil {
                let isOwn = write.dot.device.firstWriter == source.firstWriter
                log.times[write.dot] = .some(isOwn ? write.timestamp.milliseconds : nil)
                if !isOwn {
                    log.untimed.append(write.dot)
                    waiting.insert(source)
                }
            }
            logs[source] = log
        }
        _ = state.merge(asShown(write), rules: rules)
        ledger.mark(by: write)
        if let field, write.value(of: field) == nil { return }
        writers.insert(write.dot.device.firstWriter)
        if let known = writes[write.dot] {
            guard known.fields != write.fields else { return }
            // One log may leave out what another holds.
            let (lacks, holds) = (known.leavesOutValues, !write.leavesOutValues)
            if lacks, holds { writes[write.dot] = write }
            if !lacks, holds { contradicted.insert(write.dot) }
            return
        }
        if omitted.contains(write.dot) { return }
        writes[write.dot] = write
        positions[write.dot] = positions.count
        if writes.count >= 2 * Self.limit { omitEarliest() }
    }

    /// A write as the record shows it: of rows that a server kept as they came the last one is shown.
    private mutating func asShown(_ write: TaggedWrite) -> TaggedWrite {
        guard isInServersOrder, rules.goByArrival(of: key.type) else { return write }
        // Each follows on all before it, so that no order of the hub decides, which would be looked up in all of them.
        let shown = write.with(seen: shownBefore, receipt: TaggedWrite.Receipt(milliseconds: nil, hubSequence: nil))
        shownBefore.insert(write.dot)
        return shown
    }

    /// A device tells of a change when it has taken it; its sync ends behind that.
    private mutating func tellTime(_ milliseconds: Int64, of source: DeviceID?) {
        guard let source, waiting.remove(source) != nil, var log = logs.removeValue(forKey: source) else { return }
        for dot in log.untimed { log.times[dot] = milliseconds }
        log.untimed = []
        logs[source] = log
    }

    private mutating func omitEarliest() {
        let sorted = writes.values.ordered { $0.precedes($1) }
        for write in sorted.dropLast(Self.limit) {
            writes[write.dot] = nil
            omitted.insert(write.dot)
        }
    }
}

extension MergeRules {
    /// Whether what arrives last is shown, of each field of a type's records or of the record.
    fileprivate func goByArrival(of type: RecordType) -> Bool {
        switch scope(for: type) {
        case .record(.lastArrivalWins), .fields(.lastArrivalWins): true
        default: false
        }
    }
}

extension RecordStory {
    /// One write of the story.
    package struct Step: Sendable {
        /// The write.
        package let write: TaggedWrite
        /// The indices of the latest steps that its writer had seen: the step follows on them.
        package let parents: [Int]
        /// The indices of earlier steps that its writer had not seen, the latest ones of them, at most ``RecordStory/relationLimit``.
        package let unseen: [Int]
        /// Whether another log has other values for it.
        package let isContradicted: Bool
        /// Whether any of what it wrote is shown now.
        package let isShown: Bool
        /// The losses that this write and an earlier one make up.
        package internal(set) var losses: [LostEdit] = []
        /// The other conflicts that this write and an earlier one make up.
        package internal(set) var conflicts: [Conflict] = []
        /// The fields that it wrote as they were before, as far as its writer is known to have seen that.
        package let repeated: Set<FieldName>
        /// The logs that hold it, and when each took it, in milliseconds since 1970; nil where that is not known.
        package let logs: [(name: DeviceID, milliseconds: Int64?)]
    }

    /// A conflict that lost an edit, and what has become of it.
    package struct LostEdit: Sendable {
        /// The conflict.
        package let conflict: Conflict
        /// What has become of the edit.
        package let status: Loss.Status
        /// Whether a log holds the value.
        package var isAvailable: Bool { Recoverability(of: conflict) == .available }
    }

    /// What one log's device shows.
    package struct Replica: Sendable {
        /// The log's device.
        package let name: DeviceID
        /// What it shows; nil where the record is not there, or that is not known.
        package let shown: FieldMap?
        /// The indices of the steps that it has not taken, as far as its log tells.
        package let missing: [Int]
        /// What its log lacks, so that what it has taken is not known; nil where it is.
        package let lack: Lack?
        /// Whether what it has taken is known.
        package var isWhole: Bool { lack == nil }
    }

    /// What a log lacks.
    package enum Lack: Sendable {
        /// It does not begin with its first line.
        case start
        /// It breaks off before writes of its own device that others have.
        case end
    }

    /// A story as it is told.
    package struct Answer: Sendable {
        /// The record.
        package let key: RecordKey
        /// The only field that is told of; nil for all.
        package let field: FieldName?
        /// The writes, each behind those that its writer had seen.
        package fileprivate(set) var steps: [Step]
        /// How many earlier writes are not told.
        package let omittedCount: Int
        /// How many devices wrote.
        package let writerCount: Int
        /// How many conflicts there are, losses included.
        package let conflictCount: Int
        /// Whether nobody has looked for conflicts, so that none says nothing.
        package let isUnaudited: Bool
        /// Whether the conflicts were found for this story, so that no log tells of them.
        package let isAuditedHere: Bool
        /// Whether the writes are a server's rows, in its order.
        package let isInServersOrder: Bool
        /// Whether any write to the record is known.
        package let hasWrites: Bool
        /// The writes that an older store has taken from their device and no log of another device has, the earliest first.
        package let gone: [TaggedWrite]
        /// The losses whose writes are not among the steps.
        package fileprivate(set) var otherLosses: [LostEdit] = []
        /// What is shown once all writes have been taken; nil where the record is not there.
        package let now: FieldMap?
        /// What each log's device shows, by name.
        package let replicas: [Replica]
        /// How many logs beyond ``RecordStory/logLimit`` hold writes, of which nothing is told.
        package let otherLogCount: Int

        /// Whether nothing was told of the record.
        package var isEmpty: Bool { steps.isEmpty && conflictCount == 0 && gone.isEmpty }
        /// Every loss told of.
        package var losses: [LostEdit] { steps.flatMap(\.losses) + otherLosses }
    }

    /// The story.
    ///
    /// - Complexity: O(*n*²) in the writes told.
    package var answer: Answer {
        var story = self
        story.takeBackWhatWasSeen()
        return story.told
    }

    private var told: Answer {
        let ordered = ordered
        let shown = shownWrites(among: ordered)
        let steps = ordered.indices.map { index in
            let write = ordered[index]
            let relation =
                isInServersOrder ? Self.relation(ofRow: index, in: ordered) : Self.relation(of: index, in: ordered, rules.intervals)
            let logs = self.logs.filter { $0.value.times[write.dot] != nil }.map { ($0.key, $0.value.times[write.dot] ?? nil) }
            return Step(
                write: write, parents: relation.parents, unseen: relation.unseen, isContradicted: contradicted.contains(write.dot),
                isShown: shown.contains(write.dot), repeated: repeated(by: write, after: ordered[..<index]),
                logs: logs.ordered { $0.0 < $1.0 }.map { (name: $0.0, milliseconds: $0.1) })
        }
        // What was found under an earlier name is found under the later one too, and what is nowhere takes nothing away.
        let gone = gone
        let away = earlierNames.union(gone.map(\.dot)).filter { writes[$0] == nil }
        let conflicts = conflicts.values.map(\.conflict).filter { !away.contains($0.winner.dot) && !away.contains($0.loser.dot) }
        let hasWrites = !ordered.isEmpty || !logs.isEmpty || state.isShown(rules: rules)
        var answer = Answer(
            key: key, field: field, steps: steps, omittedCount: omitted.count + max(0, writes.count - ordered.count),
            writerCount: writers.count, conflictCount: conflicts.count,
            isUnaudited: evidence.isUnaudited && conflicts.isEmpty && !isAuditedHere, isAuditedHere: isAuditedHere,
            isInServersOrder: isInServersOrder, hasWrites: hasWrites, gone: gone,
            now: told(state.shown(rules: rules)), replicas: replicas(ordered), otherLogCount: max(0, holders.count - Self.logLimit))
        add(conflicts, to: &answer)
        return answer
    }

    /// The writes that are told, each behind those that its writer had seen.
    private var ordered: [TaggedWrite] {
        if isInServersOrder {
            return writes.values.ordered { ($0.hubSequence ?? 0, $0.dot) < ($1.hubSequence ?? 0, $1.dot) }.suffix(Self.limit)
        }
        return causallyOrdered(writes.values.ordered { $0.precedes($1) }.suffix(Self.limit))
    }

    private func add(_ conflicts: [Conflict], to answer: inout Answer) {
        let indices = Dictionary(
            answer.steps.enumerated().map { ($0.element.write.dot, $0.offset) }, uniquingKeysWith: { first, _ in first })
        var ledger = ledger
        ledger.dropBenign(by: history)
        let losses = Dictionary(ledger.losses.map { ($0.conflict.id, $0.status) }, uniquingKeysWith: { first, _ in first })
        for conflict in conflicts.ordered(by: { $0.id < $1.id }) {
            let step = [conflict.winner.dot, conflict.loser.dot].compactMap { indices[$0] }.max()
            switch (step, losses[conflict.id].map { LostEdit(conflict: conflict, status: $0) }) {
            case (let step?, let loss?): answer.steps[step].losses.append(loss)
            case (let step?, nil): answer.steps[step].conflicts.append(conflict)
            case (nil, let loss?): answer.otherLosses.append(loss)
            case (nil, nil): break
            }
        }
    }

    /// The fields that a write gives the value they had: to its writer, or in a server's rows to the row before.
    ///
    /// - Complexity: O(*n*) for each field that it writes.
    private func repeated(by write: TaggedWrite, after earlier: ArraySlice<TaggedWrite>) -> Set<FieldName> {
        guard let fields = write.fields, isInServersOrder || write.hasCausalContext else { return [] }
        var repeated: Set<FieldName> = []
        for field in fields {
            let last = earlier.last {
                $0.value(of: field.name) != nil && (isInServersOrder || write.hasSeen($0, intervals: rules.intervals))
            }
            if let last, !last.isDelete, last.value(of: field.name) == field.value { repeated.insert(field.name) }
        }
        return repeated
    }

    /// What the devices show whose logs hold writes, of whichever record.
    private func replicas(_ ordered: [TaggedWrite]) -> [Replica] {
        let names = holders.filter { $0 != .auditOfTrace }.ordered { $0 < $1 }.prefix(Self.logLimit)
        let cutOff = history.cutOff
        return names.map { name in
            let log = logs[name]
            let lack: Lack? = firstLines[name].map { $0 != 1 } ?? false ? .start : cutOff.contains(name.firstWriter) ? .end : nil
            let own = ordered.filter { $0.dot.device.firstWriter == name.firstWriter }
            // What others have comes back to a device whose older store had taken it away, and is not always told.
            let back = own.filter { taken[Made($0)] != nil }
            var state = log?.state
            for write in back { _ = state?.merge(write, rules: rules) }
            let known = Set(back.map(\.dot))
            let missing = ordered.indices.filter { index in
                let write = ordered[index]
                return log?.times[write.dot] == nil && !known.contains(write.dot)
                    && write.dot.device.firstWriter != name.firstWriter && !own.contains { $0.hasSeen(write, intervals: rules.intervals) }
            }
            return Replica(
                name: name, shown: lack == nil ? state.flatMap { told($0.shown(rules: rules)) } : nil, missing: missing, lack: lack)
        }
    }

    private func told(_ fields: FieldMap?) -> FieldMap? {
        guard let field, let fields else { return fields }
        return fields[field].map { FieldMap(sortedNames: [field], values: [$0]) } ?? FieldMap()
    }

    /// The writes of which something is shown, or the delete that shows.
    private func shownWrites(among ordered: [TaggedWrite]) -> Set<Dot> {
        guard state.isShown(rules: rules) else { return Set(state.winner(of: nil, rules: rules).map { [$0.dot] } ?? []) }
        var shown: Set<Dot> = []
        for name in field.map({ [$0] }) ?? allFields(of: ordered) {
            guard let winner = state.shownWrite(of: name, rules: rules) else { continue }
            switch rules.scope(for: key.type) {
            case .record:
                // Fields that the winner did not write show through from what its writer had seen.
                let value = state.shown(name, rules: rules)
                let origin = ordered.last {
                    value != nil && $0.value(of: name) == value
                        && ($0.dot == winner.dot || winner.hasSeen($0, intervals: rules.intervals))
                }
                origin.map { _ = shown.insert($0.dot) }
            case .fields:
                switch rules.policy(for: key.type, field: name) {
                // Every write that still counts has a part in what is shown.
                case .counter, .set: shown.formUnion(state.maximalWrites(of: name, rules: rules).filter { !$0.isDelete }.map(\.dot))
                default: shown.insert(winner.dot)
                }
            }
        }
        return shown
    }

    private func allFields(of writes: [TaggedWrite]) -> [FieldName] {
        Array(writes.reduce(into: Set<FieldName>()) { names, write in write.fieldNames?.forEach { names.insert($0) } })
    }

    /// Writes in order of time, but each behind those that its writer had seen, whatever the clocks say.
    ///
    /// Where writes say to have seen each other in a circle, the earliest of them comes first.
    private func causallyOrdered(_ writes: ArraySlice<TaggedWrite>) -> [TaggedWrite] {
        let writes = Array(writes)
        var followers = [[Int]](repeating: [], count: writes.count)
        var waits = [Int](repeating: 0, count: writes.count)
        for later in writes.indices {
            for earlier in writes.indices
            where earlier != later && writes[later].hasSeen(writes[earlier], intervals: rules.intervals) {
                followers[earlier].append(later)
                waits[later] += 1
            }
        }
        // What waits for nothing; the earliest first, since the writes come in order of time.
        var ready = BinaryHeap<Int>()
        var (isDone, rest) = ([Bool](repeating: false, count: writes.count), 0)
        for index in writes.indices where waits[index] == 0 { ready.insert(index) }
        var ordered: [TaggedWrite] = []
        while ordered.count < writes.count {
            while rest < writes.count, isDone[rest] { rest += 1 }
            let next = ready.removeFirst() ?? rest
            if isDone[next] { continue }
            isDone[next] = true
            ordered.append(writes[next])
            for follower in followers[next] {
                waits[follower] -= 1
                if waits[follower] == 0 { ready.insert(follower) }
            }
        }
        return ordered
    }

    /// The most writes that a write is said to follow on, or not to have seen.
    package static let relationLimit = 32

    /// On which row a row follows, and which its author had not seen: to have seen one is to have seen all before it, and of an author who
    /// does not say it nothing is told.
    private static func relation(ofRow index: Int, in rows: [TaggedWrite]) -> (parents: [Int], unseen: [Int]) {
        guard index > 0 else { return ([], []) }
        guard let seen = rows[index].seen else { return ([index - 1], []) }
        let base = (0..<index).last { rows[$0].isCovered(by: seen) }
        return (base.map { [$0] } ?? [], Array(((base.map { $0 + 1 } ?? 0)..<index).reversed().prefix(relationLimit)))
    }

    /// On which earlier writes a write follows, and which it had not seen.
    ///
    /// - Complexity: O(*n*) in the earlier writes.
    private static func relation(
        of index: Int, in writes: [TaggedWrite], _ intervals: IntervalRule
    ) -> (parents: [Int], unseen: [Int]) {
        var (parents, unseen): ([Int], [Int]) = ([], [])
        for other in (0..<index).reversed() {
            if parents.count == relationLimit, unseen.count == relationLimit { break }
            if writes[index].hasSeen(writes[other], intervals: intervals) {
                if parents.count < relationLimit, !parents.contains(where: { writes[$0].hasSeen(writes[other], intervals: intervals) }) {
                    parents.append(other)
                }
            } else if unseen.count < relationLimit,
                !unseen.contains(where: { writes[$0].hasSeen(writes[other], intervals: intervals) })
            {
                unseen.append(other)
            }
        }
        return (parents, unseen)
    }
}

extension [UInt64] {
    /// The first of the numbers, which rise, that is no lower than another.
    fileprivate func first(from number: UInt64) -> UInt64? {
        let index = partitioningIndex { $0 >= number }
        return index < endIndex ? self[index] : nil
    }
}
