package import SyncModel

/// The writes of a few simulated replicas that sync now and then, in some order of arrival.
package struct RandomHistory: Sendable {
    /// What the writes say of what their writers had seen.
    package enum Mode: String, Sendable, CaseIterable {
        /// Every write says it.
        case causal
        /// No write says it; each device's clock runs forwards.
        case clocks
        /// Some writes say it.
        case mixed
        /// Every write says up to where in a hub's order its writer had everything; who knew whom has nothing to do with it.
        case cursors
        /// Some say it in one form and some in the other, some have no number, and of some it is known when the hub received them, whenever that was.
        case everyForm
    }

    /// How a history's clocks run.
    package enum Clocks: CaseIterable, Sendable {
        /// Each write is later than all that its writer knows.
        case hybrid
        /// A few values at random, many of them equal: timestamps do not follow causality.
        case random
        /// Wall clocks that are up to ten minutes apart.
        case skewed
        /// Steps that fall on the edges of a window of five minutes.
        case edges
    }

    /// The writes in order of arrival, some of them more than once.
    package let arrivals: [TaggedWrite]

    /// The writes in the order in which they were made, each once.
    package let writes: [TaggedWrite]

    /// The devices that may have written, in no order.
    package static let devices: [DeviceID] = ["a", "b", "B", "c", "\u{e9}", "e\u{301}"]

    private static let keys = ["1", "2"].map { RecordKey(type: "note", id: RecordID($0)) }
    private static let names: [FieldName] = ["x", "y", "z", "w"]
    private static let values: [FieldValue] = [1, 2, 1.0, "s", true, .null]

    /// Makes a history that depends on nothing but its arguments.
    ///
    /// - Parameter values: What a put gives a field, drawn at random; a small alphabet of plain values unless given.
    package init(
        seed: UInt64, mode: Mode, values: (@Sendable (_ device: Int, inout SplitMix64) -> FieldValue)? = nil
    ) {
        var simulation = Simulation(seed: seed, mode: mode, values: values)
        simulation.run()
        writes = simulation.writes
        arrivals = Self.reordered(simulation.writes, &simulation.random)
    }

    /// The writes in another order, with duplicates.
    package static func reordered(_ writes: [TaggedWrite], _ random: inout SplitMix64) -> [TaggedWrite] {
        var arrivals = random.percent(20) ? writes : random.shuffled(writes)
        if random.percent(30) {
            for _ in 0...random.below(3) {
                arrivals.insert(arrivals[random.below(arrivals.count)], at: random.below(arrivals.count + 1))
            }
        }
        return arrivals
    }

    private struct Simulation {
        var random: SplitMix64
        let mode: Mode
        let clocks: Clocks
        let devices: [DeviceID]
        let keys: [RecordKey]
        let names: [FieldName]
        let values: (@Sendable (Int, inout SplitMix64) -> FieldValue)?
        let offsets: [Int64]
        var writes: [TaggedWrite] = []
        /// For each write, the number of its device.
        var writers: [Int] = []
        /// For each device, a bit mask of the writes that it has merged.
        var known: [UInt64]
        var lastTime: [Int64]
        var isNumbered: [Bool]
        var now: Int64 = 1_700_000_000_000

        init(seed: UInt64, mode: Mode, values: (@Sendable (Int, inout SplitMix64) -> FieldValue)?) {
            random = SplitMix64(seed: seed)
            self.mode = mode
            self.values = values
            let choices: [Clocks] = mode == .clocks ? [.skewed, .edges] : Clocks.allCases
            clocks = choices[random.below(choices.count)]
            // Names outside ASCII only now and then: comparing them is slow.
            let pool = random.percent(20) ? RandomHistory.devices : Array(RandomHistory.devices.prefix(4))
            devices = Array(random.shuffled(pool).prefix(2 + random.below(pool.count - 1)))
            keys = Array(RandomHistory.keys.prefix(random.percent(25) ? 2 : 1))
            names = Array(RandomHistory.names.prefix(1 + random.below(4)))
            var offsets: [Int64] = []
            for _ in devices { offsets.append(Int64(random.below(600_000))) }
            self.offsets = offsets
            known = Array(repeating: 0, count: devices.count)
            lastTime = Array(repeating: 0, count: devices.count)
            isNumbered = Array(repeating: true, count: devices.count)
            for device in devices.indices where mode == .everyForm { isNumbered[device] = random.percent(70) }
        }

        mutating func run() {
            let count = 3 + random.below(12)
            let syncShare = [15, 35, 60][random.below(3)]
            while writes.count < count {
                if random.percent(syncShare) { sync() } else { write() }
            }
            if mode == .cursors || mode == .everyForm { deliver() }
        }

        /// One device learns what another knows; over a bad line, only some of it.
        private mutating func sync() {
            let from = random.below(devices.count)
            let to = random.below(devices.count)
            known[to] |= random.percent(80) ? known[from] : known[from] & random.next()
        }

        private mutating func write() {
            let device = random.below(devices.count)
            let key = keys[random.below(keys.count)]
            var operation = TaggedWrite.Operation.delete
            if !random.percent(20) {
                var map = FieldMap()
                for _ in 0...random.below(names.count) {
                    let value = values?(device, &random) ?? RandomHistory.values[random.below(RandomHistory.values.count)]
                    map[names[random.below(names.count)]] = value
                }
                operation = .put(map)
            }
            let sequence = UInt64(writers.count { $0 == device }) + 1
            let dot = Dot(device: devices[device], sequence: sequence)
            let timestamp = tick(device)
            let hasSeen =
                mode == .causal || mode == .mixed && random.percent(60) || mode == .everyForm && isNumbered[device] && random.percent(40)
            let hasCursor = !hasSeen && (mode == .cursors || mode == .everyForm && random.percent(50))
            let context = hasSeen ? seen(by: device, of: key, dot) : nil
            let cursor = hasCursor ? UInt64(random.below(writes.count + 2)) : nil
            writes.append(
                TaggedWrite(
                    dot: dot, isNumbered: isNumbered[device], timestamp: timestamp, key: key, operation: operation, seen: context,
                    cursor: cursor))
            writers.append(device)
            known[device] |= 1 << UInt64(writes.count - 1)
        }

        /// Lets a hub receive the writes, each device's in order, sooner or later after they were made, or before by its clock; of some devices that is not known.
        private mutating func deliver() {
            var waiting = devices.indices.map { device in writes.indices.filter { writers[$0] == device } }
            var latest: [Int64] = Array(repeating: .min, count: devices.count)
            let hasPosition = devices.indices.map { _ in mode == .cursors || random.percent(70) }
            let hasTime = devices.indices.map { _ in mode == .everyForm && random.percent(50) }
            for position in 1...UInt64(writes.count) {
                let device = random.shuffled(devices.indices.filter { !waiting[$0].isEmpty })[0]
                let index = waiting[device].removeFirst()
                let delay = Int64(
                    [-2001, -2000, 0, 2000, 2001, 302_000, 302_001, 900_000][random.below(8)] + random.below(9) * random.below(2))
                latest[device] = max(latest[device], writes[index].timestamp.milliseconds + delay)
                guard hasPosition[device] || hasTime[device] else { continue }
                writes[index] = writes[index].received(
                    TaggedWrite.Receipt(
                        milliseconds: hasTime[device] ? latest[device] : nil, hubSequence: hasPosition[device] ? position : nil))
            }
        }

        /// What the device has merged of the record, or of everything.
        private mutating func seen(by reader: Int, of key: RecordKey, _ dot: Dot) -> VersionVector {
            var vector = VersionVector()
            for device in devices.indices {
                for index in writes.indices where writers[index] == device && writes[index].key == key {
                    // A number stands for all smaller ones too, so the first gap ends it.
                    guard known[reader] & (1 << UInt64(index)) != 0 else { break }
                    vector.insert(writes[index].dot)
                }
            }
            if random.percent(15) {
                for device in devices.indices {
                    for index in writes.indices where writers[index] == device {
                        guard known[reader] & (1 << UInt64(index)) != 0 else { break }
                        vector.insert(writes[index].dot)
                    }
                }
            }
            if random.percent(10) { vector.insert(dot) }
            return vector
        }

        private mutating func tick(_ device: Int) -> HybridTimestamp {
            var counter: UInt32 = 0
            var time: Int64
            switch clocks {
            case .hybrid:
                time = now + Int64(random.below(3))
                for index in writes.indices where known[device] & (1 << UInt64(index)) != 0 {
                    time = max(time, writes[index].timestamp.milliseconds + 1)
                }
            case .random:
                time = now + Int64(random.below(4))
                counter = random.percent(20) ? UInt32(random.below(2)) : 0
            case .skewed:
                now += Int64(random.below(200_000))
                time = now + offsets[device]
            case .edges:
                now += [0, 0, 1, 150_000, 299_999, 300_000, 300_001][random.below(7)]
                time = now
            }
            // Of writes without numbers the clock says which came first.
            if !isNumbered[device] { counter = 0 }
            if mode == .clocks || !isNumbered[device] { time = max(time, lastTime[device]) }
            lastTime[device] = time
            return HybridTimestamp(milliseconds: time, counter: counter)
        }
    }
}
