import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncLines
import SyncMerge
package import SyncModel

/// Finds devices that delete or overwrite much of what there is within one sync.
///
/// What goes together: the writes of a device that no successful export in its own log parts; where no log tells of exports, writes that
/// the hub received, or else that were made, with no more than ten seconds from one to the next.
///
/// What there is: the live records of all devices that the device shares records or logs with, so that one person's records are not held
/// against those of a whole server. What a record shows the merge says, by its usual rules: deletes win, and else the last writer.
///
/// - Complexity: O(*n* log *n*) in the writes, each merged once; memory grows with the devices and the fields of records, beside a few
///   words a write.
package struct MassEffects {
    /// What is more than can be let pass.
    package struct Limit: Hashable, Sendable {
        /// The share of the records that there were, from 0 to 1.
        package var share: Double
        /// The fewest records: of three records two are soon deleted.
        static let records = 10

        /// A limit.
        package init(share: Double = 0.5) { self.share = share }

        package func isExceeded(by count: Int, of records: Int) -> Bool { count >= Self.records && Double(count) > share * Double(records) }
    }

    /// What a device did in one sync.
    package struct Effect: Hashable, Sendable {
        package let device: DeviceID
        /// The live records that it deleted.
        package var deleted = 0
        /// The live records of which it replaced values of other devices by other ones.
        package var overwritten = 0
        /// Those of either of which it had not seen the latest write that it replaced, as the causal contexts of both prove.
        package var unseen = 0
        /// Those of either of which nobody can know whether it had.
        package var unknown = 0
        /// The records that there were.
        package var records: Int
        /// The index of the first write that deleted or replaced something.
        package var first: Int32 = -1
        /// When the writes were made, in milliseconds.
        package var times: ClosedRange<Int64>

        /// Whether what it had not seen is a mass by itself.
        package var isOfEmptyStore = false

        package var affected: Int { deleted + overwritten }

        /// A sync that has deleted and overwritten nothing yet.
        package init(device: DeviceID, records: Int, times: ClosedRange<Int64>) {
            (self.device, self.records, self.times) = (device, records, times)
        }
    }

    /// The most milliseconds between two writes that go together.
    package static let gap: Int64 = 10_000

    /// How a burst has changed a record.
    private struct Touch {
        /// Whether the record was there before.
        let wasLive: Bool
        var isDeleted = false
        var isOverwritten = false
        /// Whether what was replaced had been seen; nil where that is not known.
        var hasSeen: Bool? = true
    }

    private struct Burst {
        var effect: Effect
        var touches: [Int: Touch] = [:]
    }

    private struct Record {
        let device: Int
        var isLive = false
        var state: RecordState
    }

    private let writes: [TaggedWrite]
    private let limit: Limit
    private let rules = MergeRules()
    private var devices: [DeviceID: Int] = [:]
    /// The parent of each device among those that share records or logs.
    private var circles: [Int] = []
    private var live: [Int] = []
    private var records: [RecordKey: Int] = [:]
    private var states: [Record] = []
    private var bursts: [Int: Burst] = [:]
    private var effects: [Effect] = []

    /// - Parameters:
    ///   - writes: Distinct writes.
    ///   - companions: Devices of whose writes a log of the first of each list tells.
    package init(_ writes: [TaggedWrite], companions: [[DeviceID]] = [], limit: Limit = Limit()) {
        self.writes = writes
        self.limit = limit
        for list in companions {
            for device in list.dropFirst() { join(number(of: list[0]), number(of: device)) }
        }
    }

    /// The effects beyond the limit, in the order in which they came to an end.
    ///
    /// - Parameters:
    ///   - indices: The indices of the writes to look at.
    ///   - exports: For devices whose logs tell of exports, the highest number of their writes at each.
    package consuming func find(_ indices: [Int32], exports: [DeviceID: [UInt64]] = [:]) -> [Effect] {
        let ordered = order(indices)
        var last: [Int: Int32] = [:]
        // The number of each write's burst, and of each device's latest one.
        var (numbers, latest, count) = ([Int](), [Int: Int](), 0)
        // Bursts of few records are no masses: what they do to records counts, and nothing is asked of what they replaced.
        var (touched, masses) = ([Int: Set<Int>](), Set<Int>())
        for index in ordered {
            let write = writes[Int(index)]
            let device = number(of: write.dot.device)
            let isNext = last[device].map { isTogether(writes[Int($0)], write, exports[write.dot.device]) } ?? false
            last[device] = index
            if !isNext {
                (latest[device], count) = (count, count + 1)
                touched[device]?.removeAll(keepingCapacity: true)
            }
            let burst = latest[device] ?? 0
            numbers.append(burst)
            if masses.contains(burst) { continue }
            records[write.key].map { _ = touched[device, default: []].insert($0) }
            if (touched[device]?.count ?? 0) >= Limit.records { masses.insert(burst) }
        }
        if masses.isEmpty { return [] }
        live = [Int](repeating: 0, count: circles.count)
        latest = [:]
        for (index, burst) in zip(ordered, numbers) {
            let write = writes[Int(index)]
            let device = number(of: write.dot.device)
            if latest.updateValue(burst, forKey: device) != burst {
                end(device)
                if masses.contains(burst) { begin(write, device) }
            }
            apply(write, index, device)
        }
        for device in bursts.keys.sorted() { end(device) }
        return effects
    }

    // MARK: Order

    /// The writes as they came in, those of each device in its own order.
    private mutating func order(_ indices: [Int32]) -> [Int32] {
        var byDevice: [Int: [Int32]] = [:]
        for index in indices {
            let write = writes[Int(index)]
            let device = number(of: write.dot.device)
            byDevice[device, default: []].append(index)
            let next = states.count
            let record = records[write.key, default: next]
            if record == next {
                records[write.key] = next
                states.append(Record(device: device, state: RecordState(key: write.key)))
            }
            join(states[record].device, device)
        }
        for (name, device) in devices { if let first = devices[name.firstWriter] { join(first, device) } }
        var keyed: [(time: Int64, rank: Int, index: Int32)] = []
        keyed.reserveCapacity(indices.count)
        for (_, list) in byDevice.ordered(by: { writes[Int($0.value[0])].dot.device < writes[Int($1.value[0])].dot.device }) {
            let isNumbered = list.allSatisfy { writes[Int($0)].isNumbered }
            let sorted = list.ordered { left, right in
                let (left, right) = (writes[Int(left)], writes[Int(right)])
                return isNumbered ? left.number < right.number : left.precedes(right)
            }
            var time = Int64.min
            for index in sorted {
                let write = writes[Int(index)]
                time = max(time, write.receipt?.milliseconds ?? write.timestamp.milliseconds)
                keyed.append((time, keyed.count, index))
            }
        }
        return keyed.ordered { ($0.time, $0.rank) < ($1.time, $1.rank) }.map(\.index)
    }

    private func isTogether(_ one: TaggedWrite, _ next: TaggedWrite, _ exports: [UInt64]?) -> Bool {
        if let exports, one.isNumbered, next.isNumbered {
            let boundary = exports.firstIndexInOrder { $0 >= one.number }
            return boundary == exports.count || exports[boundary] >= next.number
        }
        if let first = one.receipt?.milliseconds, let second = next.receipt?.milliseconds {
            return second.distance(after: first).magnitude <= UInt64(Self.gap)
        }
        return next.timestamp.milliseconds.distance(after: one.timestamp.milliseconds).magnitude <= UInt64(Self.gap)
    }

    // MARK: Circles

    private mutating func number(of device: DeviceID) -> Int {
        if let number = devices[device] { return number }
        devices[device] = circles.count
        circles.append(circles.count)
        return circles.count - 1
    }

    private mutating func circle(of device: Int) -> Int {
        var device = device
        while circles[device] != device {
            circles[device] = circles[circles[device]]
            device = circles[device]
        }
        return device
    }

    private mutating func join(_ one: Int, _ other: Int) {
        let (first, second) = (circle(of: one), circle(of: other))
        if first != second { circles[max(first, second)] = min(first, second) }
    }

    // MARK: Bursts

    private mutating func begin(_ write: TaggedWrite, _ device: Int) {
        let time = write.timestamp.milliseconds
        bursts[device] = Burst(effect: Effect(device: write.dot.device, records: live[circle(of: device)], times: time...time))
    }

    private mutating func end(_ device: Int) {
        guard let burst = bursts.removeValue(forKey: device) else { return }
        var effect = burst.effect
        for touch in burst.touches.values where touch.isDeleted || touch.isOverwritten {
            if touch.isDeleted { effect.deleted += 1 } else { effect.overwritten += 1 }
            switch touch.hasSeen {
            case true?: break
            case false?: effect.unseen += 1
            case nil: effect.unknown += 1
            }
        }
        effect.records = max(effect.records, effect.affected)
        effect.isOfEmptyStore = limit.isExceeded(by: effect.unseen, of: effect.records)
        if limit.isExceeded(by: effect.affected, of: effect.records) { effects.append(effect) }
    }

    private mutating func apply(_ write: TaggedWrite, _ index: Int32, _ device: Int) {
        guard let number = records[write.key] else { return }
        guard var burst = bursts.removeValue(forKey: device) else {
            merge(write, number)
            return
        }
        let time = write.timestamp.milliseconds
        burst.effect.times = min(time, burst.effect.times.lowerBound)...max(time, burst.effect.times.upperBound)
        var touch = burst.touches[number] ?? Touch(wasLive: states[number].isLive)
        let wasAffected = touch.isDeleted || touch.isOverwritten
        switch write.operation {
        case .delete: delete(write, number, &touch)
        case .put(let fields): put(fields, write, number, &touch)
        }
        if !wasAffected, touch.isDeleted || touch.isOverwritten, burst.effect.first < 0 { burst.effect.first = index }
        burst.touches[number] = touch
        bursts[device] = burst
    }

    /// Merges a write, and counts the record where it is shown.
    private mutating func merge(_ write: TaggedWrite, _ number: Int) {
        _ = states[number].state.merge(write, rules: rules)
        setLive(number, states[number].state.isShown(rules: rules))
    }

    private mutating func delete(_ write: TaggedWrite, _ number: Int, _ touch: inout Touch) {
        let wasShown = states[number].isLive && touch.wasLive
        let replaced = wasShown ? states[number].state.latestShownPut(rules: rules) : nil
        merge(write, number)
        guard wasShown, !states[number].isLive else { return }
        touch.isDeleted = true
        if let replaced { note(replaced, replacedBy: write, &touch) }
    }

    private mutating func put(_ fields: FieldMap, _ write: TaggedWrite, _ number: Int, _ touch: inout Touch) {
        let wasShown = states[number].isLive && touch.wasLive
        let before = wasShown ? fields.names.map { states[number].state.shownWrite(of: $0, rules: rules) } : []
        merge(write, number)
        guard states[number].isLive else { return }
        for (index, field) in fields.enumerated() where wasShown {
            guard let shown = states[number].state.shownWrite(of: field.name, rules: rules), shown.hasSameDot(as: write),
                let other = before[index], !other.isDelete, !write.isOfSameDevice(as: other), other.value(of: field.name) != field.value
            else { continue }
            touch.isOverwritten = true
            note(other, replacedBy: write, &touch)
        }
        touch.isDeleted = false
    }

    /// Remembers whether the device had seen what it replaces; what it had not is worse than what nobody knows.
    private func note(_ other: TaggedWrite, replacedBy write: TaggedWrite, _ touch: inout Touch) {
        guard !write.isOfSameDevice(as: other), touch.hasSeen != false else { return }
        if write.hasCausalContext, write.hasSeen(other, intervals: rules.intervals) { return }
        touch.hasSeen = write.hasCausalContext && other.hasCausalContext ? false : nil
    }

    private mutating func setLive(_ number: Int, _ isLive: Bool) {
        guard states[number].isLive != isLive else { return }
        states[number].isLive = isLive
        live[circle(of: states[number].device)] += isLive ? 1 : -1
    }
}
