package import AuditLog
package import ConflictAudit
import SyncBytes
package import SyncMerge
package import SyncModel

/// What logs tell of one record: every write to it once, the conflicts over it, and which log took what when.
///
/// - Complexity: memory is bounded by twice ``limit`` writes, and by the states of the record in ``logLimit`` logs. A value type; its owner
///   guards it.
package struct RecordStory: Sendable {
    /// The most writes that are told, the latest ones.
    package static let limit = 2000
    /// The most logs of which it is told what they took.
    package static let logLimit = 512

    /// The record.
    package let key: RecordKey
    /// The only field that is told of; nil for all.
    package let field: FieldName?
    private let rules: MergeRules
    private var chosen: ChosenRecords
    private var writes: [Dot: TaggedWrite] = [:]
    private var omitted: Set<Dot> = []
    private var state: RecordState
    private var ledger = LossLedger()
    private var conflicts: [ConflictID: LoggedConflict] = [:]
    private var logs: [DeviceID: Log] = [:]
    /// The logs that have taken writes and have not told the time since.
    private var waiting: Set<DeviceID> = []

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
    package init(of key: RecordKey, field: FieldName? = nil, rules: MergeRules) {
        (self.key, self.field, self.rules) = (key, field, rules)
        chosen = ChosenRecords([key])
        state = RecordState(key: key)
    }

    /// Looks at an ordinary line; false where it tells nothing of the record, so that no event need be made of it.
    package mutating func chooses(_ line: ScannedLine, _ names: ScannedNames) -> Bool {
        chosen.contain(line, names) || !waiting.isEmpty && line.content == .remoteChange
    }

    /// Looks at a line; those of a log come in their order.
    package mutating func observe(_ line: AuditLine) {
        switch line.event.content {
        case .write(let write) where write.key == key: observe(write, in: line.source)
        case .conflict(let conflict) where conflict.key == key:
            if field != nil, conflict.field != field, conflict.field != nil { return }
            ledger.observe(line.event)
            if conflicts[conflict.id]?.add(conflict, from: line.source) == nil {
                conflicts[conflict.id] = LoggedConflict(conflict, from: line.source)
            }
        case .remoteChange, .sync: tellTime(line.event.milliseconds, of: line.source)
        default: break
        }
    }

    private mutating func observe(_ write: TaggedWrite, in source: DeviceID?) {
        if let source, logs[source] != nil || logs.count < Self.logLimit {
            var log = logs.removeValue(forKey: source) ?? Log(state: RecordState(key: key))
            _ = log.state.merge(write, rules: rules)
            if log.times[write.dot] == nil {
                let isOwn = write.isOfDevice(source)
                log.times[write.dot] = .some(isOwn ? write.timestamp.milliseconds : nil)
                if !isOwn {
                    log.untimed.append(write.dot)
                    waiting.insert(source)
                }
            }
            logs[source] = log
        }
        _ = state.merge(write, rules: rules)
        if let field, write.value(of: field) == nil { return }
        if writes[write.dot] != nil || omitted.contains(write.dot) { return }
        writes[write.dot] = write
        if writes.count >= 2 * Self.limit { omitEarliest() }
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

extension RecordStory {
    /// One write of the story.
    package struct Step: Sendable {
        /// The write.
        package let write: TaggedWrite
        /// The indices of the latest steps that its writer had seen: the step follows on them.
        package let parents: [Int]
        /// The indices of earlier steps that its writer had not seen, the latest ones of them.
        package let unseen: [Int]
        /// Whether any of what it wrote is shown now.
        package let isShown: Bool
        /// The losses that this write and an earlier one make up.
        package internal(set) var losses: [LostEdit] = []
        /// The other conflicts that this write and an earlier one make up.
        package internal(set) var conflicts: [Conflict] = []
        /// The logs that hold it, and when each took it, in milliseconds since 1970; nil where that is not known.
        package let logs: [(name: DeviceID, milliseconds: Int64?)]
    }

    /// A conflict that lost an edit, and what has become of it.
    package struct LostEdit: Sendable {
        /// The conflict.
        package let conflict: Conflict
        /// What has become of the edit.
        package let status: Loss.Status
    }

    /// What one log's device shows.
    package struct Replica: Sendable {
        /// The log's device.
        package let name: DeviceID
        /// What it shows; nil where the record is not there.
        package let shown: FieldMap?
        /// The indices of the steps that it has not taken.
        package let missing: [Int]
    }

    /// A story as it is told.
    package struct Answer: Sendable {
        /// The record.
        package let key: RecordKey
        /// The only field that is told of; nil for all.
        package let field: FieldName?
        /// The writes, each behind those that its writer had seen.
        package let steps: [Step]
        /// How many earlier writes are not told.
        package let omittedCount: Int
        /// The losses whose writes are not among the steps.
        package let otherLosses: [LostEdit]
        /// What is shown once all writes have been taken; nil where the record is not there.
        package let now: FieldMap?
        /// What each log's device shows, by name.
        package let replicas: [Replica]

        /// Whether nothing was told of the record.
        package var isEmpty: Bool { steps.isEmpty && otherLosses.isEmpty && replicas.isEmpty }
        /// Every loss told of.
        package var losses: [LostEdit] { steps.flatMap(\.losses) + otherLosses }
        /// How many conflicts there are, losses included.
        package var conflictCount: Int { losses.count + steps.reduce(0) { $0 + $1.conflicts.count } }
    }

    /// The story.
    ///
    /// - Complexity: O(*n*²) in the writes told.
    package var answer: Answer {
        var ledger = ledger
        for write in writes.values { ledger.observeAgain(AuditEvent(at: write.timestamp.milliseconds, .write(write))) }
        let ordered = causallyOrdered(writes.values.ordered { $0.precedes($1) }.suffix(Self.limit))
        let shown = Set((field.map { [$0] } ?? allFields(of: ordered)).compactMap { state.shownWrite(of: $0, rules: rules)?.dot })
        var steps: [Step] = []
        for (index, write) in ordered.enumerated() {
            let (parents, unseen) = Self.relation(of: index, in: ordered, rules.intervals)
            let logs = self.logs.filter { $0.value.times[write.dot] != nil }.map { ($0.key, $0.value.times[write.dot] ?? nil) }
            steps.append(
                Step(
                    write: write, parents: parents, unseen: unseen, isShown: isShown(write, shown),
                    logs: logs.ordered { $0.0 < $1.0 }.map { (name: $0.0, milliseconds: $0.1) }))
        }
        let indices = Dictionary(ordered.enumerated().map { ($0.element.dot, $0.offset) }, uniquingKeysWith: { first, _ in first })
        let losses = Dictionary(ledger.losses.map { ($0.conflict.id, $0) }, uniquingKeysWith: { first, _ in first })
        var others: [LostEdit] = []
        for conflict in conflicts.values.map(\.conflict).ordered(by: { $0.id < $1.id }) {
            let step = [conflict.winner.dot, conflict.loser.dot].compactMap { indices[$0] }.max()
            switch (step, losses[conflict.id].map { LostEdit(conflict: conflict, status: $0.status) }) {
            case (let step?, let loss?): steps[step].losses.append(loss)
            case (let step?, nil): steps[step].conflicts.append(conflict)
            case (nil, let loss?): others.append(loss)
            case (nil, nil): break
            }
        }
        let replicas = logs.ordered { $0.key < $1.key }.map { name, log in
            Replica(
                name: name, shown: told(log.state.shown(rules: rules)),
                missing: ordered.indices.filter { log.times[ordered[$0].dot] == nil })
        }
        return Answer(
            key: key, field: field, steps: steps, omittedCount: omitted.count + max(0, writes.count - ordered.count), otherLosses: others,
            now: told(state.shown(rules: rules)), replicas: replicas)
    }

    private func told(_ fields: FieldMap?) -> FieldMap? {
        guard let field, let fields else { return fields }
        return fields[field].map { FieldMap(sortedNames: [field], values: [$0]) } ?? FieldMap()
    }

    private func isShown(_ write: TaggedWrite, _ shown: Set<Dot>) -> Bool {
        write.isDelete ? !state.isShown(rules: rules) && state.winner(of: nil, rules: rules)?.dot == write.dot : shown.contains(write.dot)
    }

    private func allFields(of writes: [TaggedWrite]) -> [FieldName] {
        Array(writes.reduce(into: Set<FieldName>()) { names, write in write.fieldNames?.forEach { names.insert($0) } })
    }

    /// Writes in order of time, but each behind those that its writer had seen, whatever the clocks say.
    private func causallyOrdered(_ writes: ArraySlice<TaggedWrite>) -> [TaggedWrite] {
        var ordered: [TaggedWrite] = []
        for write in writes {
            // Behind all that it has seen, it goes before all that have seen it.
            let index = ordered.firstIndex { $0.hasSeen(write, intervals: rules.intervals) } ?? ordered.endIndex
            ordered.insert(write, at: index)
        }
        return ordered
    }

    /// On which earlier writes a write follows, and which it had not seen.
    private static func relation(
        of index: Int, in writes: [TaggedWrite], _ intervals: IntervalRule
    ) -> (parents: [Int], unseen: [Int]) {
        var (parents, unseen): ([Int], [Int]) = ([], [])
        for other in (0..<index).reversed() {
            if writes[index].hasSeen(writes[other], intervals: intervals) {
                if !parents.contains(where: { writes[$0].hasSeen(writes[other], intervals: intervals) }) { parents.append(other) }
            } else if !unseen.contains(where: { writes[$0].hasSeen(writes[other], intervals: intervals) }) {
                unseen.append(other)
            }
        }
        return (parents, unseen)
    }
}
