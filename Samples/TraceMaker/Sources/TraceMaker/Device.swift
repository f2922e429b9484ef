import SyncMerge
import SyncModel

/// A device that is offline most of the time and tags what it writes.
struct Device {
    let id: DeviceID
    /// How far its wall clock is off, in milliseconds.
    let clockError: Int64
    private var clock = HybridClock(maximumLead: .milliseconds(Int64.max))
    private var sequence: UInt64 = 0
    /// What it has merged of each record.
    private var seen: [RecordKey: VersionVector] = [:]
    /// How many of the hub's writes it has fetched.
    private var cursor = 0
    private var outbox: [TaggedWrite] = []
    private var states: [RecordKey: RecordState] = [:]
    private let rules = MergeRules()

    init(id: DeviceID, clockError: Int64) {
        self.id = id
        self.clockError = clockError
    }

    /// Whether it knows a record, and so edits it instead of creating it.
    func knows(_ key: RecordKey) -> Bool { seen[key] != nil }

    /// What it shows of a record; nothing where it does not exist.
    func shown(_ key: RecordKey) -> FieldMap { states[key]?.shown(rules: rules) ?? FieldMap() }

    /// Writes at a time and keeps the write until the next sync.
    mutating func write(_ operation: TaggedWrite.Operation, to key: RecordKey, at time: Int64) {
        sequence += 1
        let write = TaggedWrite(
            dot: Dot(device: id, sequence: sequence), timestamp: clock.now(wall: wall(at: time)), key: key, operation: operation,
            seen: seen[key] ?? VersionVector())
        seen[key, default: VersionVector()].insert(write.dot)
        outbox.append(write)
        merge(write)
    }

    /// Sends what it wrote and fetches what others wrote.
    mutating func sync(with hub: inout [TaggedWrite], at time: Int64) {
        for write in outbox {
            hub.append(
                write.received(TaggedWrite.Receipt(time: WallTime(millisecondsSince1970: time), hubSequence: UInt64(hub.count + 1))))
        }
        outbox = []
        for write in hub[cursor...] where write.dot.device != id {
            seen[write.key, default: VersionVector()].insert(write.dot)
            merge(write)
            // A leading clock of another device is followed, as a replica does that trusts its peers.
            try? clock.observe(write.timestamp, wall: wall(at: time))
        }
        cursor = hub.count
    }

    /// What its wall clock says at a time.
    private func wall(at time: Int64) -> WallTime { WallTime(millisecondsSince1970: time + clockError) }

    private mutating func merge(_ write: TaggedWrite) {
        _ = states[write.key, default: RecordState(key: write.key)].merge(write, rules: rules)
    }
}
