import ConflictAudit
import ConflictAuditTesting
import SyncLayer
import SyncLayerTesting
package import SyncMerge
import SyncModel
import SyncOracle
package import Testing

/// Devices that are started again before every step, as after a crash: nothing changes.
package enum RestartedDevices {
    package static let rules = MergeRules(fields: ["note": ["views": .counter, "tags": .set, "title": .manual, "best": .maximum]])

    /// Holds a life with restarts against one without.
    package static func check(seed: UInt64, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let kept = try await live(seed: seed, restarts: false, stores: inMemory)
        let restarted = try await live(seed: seed, restarts: true, stores: inMemory)
        try expectSame(kept, restarted, seed, sourceLocation)
        let checkpoints = try kept.map { try $0.replica.checkpoint() }
        let isSame = Set(checkpoints).count == 1
        #expect(isSame, "seed \(seed): all devices know the same and show the same", sourceLocation: sourceLocation)
    }

    /// Holds a life whose files are opened anew for every transaction against one in memory.
    package static func checkSQLite(seed: UInt64, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let kept = try await live(seed: seed, restarts: false, stores: inMemory)
        try await withDirectory { directory in
            let paths = ["a", "b", "c"].map { "\(directory)/\($0).db" }
            let stores = paths.map { ReopeningStore(path: $0) }
            try expectSame(kept, try await live(seed: seed, restarts: true, stores: stores), seed, sourceLocation)
            for path in paths { try SQLiteStore(path: path).checkIntegrity() }
        }
    }

    private static var inMemory: [InMemoryStore] { [InMemoryStore(), InMemoryStore(), InMemoryStore()] }

    /// One life of three devices: what they write and when they sync depends on the seed alone.
    private static func live(seed: UInt64, restarts: Bool, stores: [any ReplicaStore], steps: Int = 60) async throws -> [Device] {
        var random = SplitMix64(seed: seed)
        let clock = ManualClock()
        let hub = InMemoryHub(wallClock: clock.wallClock)
        let names: [DeviceID] = ["a", "b", "c"]
        let devices = try zip(names, stores).map { name, store in try Device(name, hub: hub, clock: clock, store: store, rules: rules)
        }
        for _ in 0..<steps {
            clock.advance(by: .milliseconds(Int64(random.below(90_000))))
            let device = devices[random.below(3)]
            if restarts { try device.restart() }
            let key = RecordKey(type: "note", id: RecordID(String(random.below(3))))
            let value = FieldValue.number(JSONNumber(random.below(100)))
            switch random.below(9) {
            case 0: try device.replica.delete(key)
            case 1: try device.replica.increment("views", of: key, by: Int64(random.below(5)))
            case 2: try device.replica.add([value], to: "tags", of: key)
            case 3: try device.replica.remove([value], from: "tags", of: key)
            case 4: try device.replica.put(["title": value, "best": value], to: key)
            case 5: try device.replica.put(["body": random.percent(20) ? .null : value], to: key)
            case 6:
                if let conflict = device.replica.activeConflicts.first { try device.replica.resolve(conflict.id, with: "decided") }
            default: try await device.sync()
            }
        }
        for _ in 0..<2 { for device in devices { try await device.sync() } }
        return devices
    }

    private static func expectSame(_ kept: [Device], _ restarted: [Device], _ seed: UInt64, _ sourceLocation: SourceLocation) throws {
        for (one, other) in zip(kept, restarted) {
            #expect(one.sink.conflicts == other.sink.conflicts, "seed \(seed)", sourceLocation: sourceLocation)
            let (records, others) = (try one.replica.records(ofType: "note"), try other.replica.records(ofType: "note"))
            #expect(records == others, "seed \(seed)", sourceLocation: sourceLocation)
            #expect(try one.replica.checkpoint() == other.replica.checkpoint(), "seed \(seed)", sourceLocation: sourceLocation)
            #expect(one.replica.activeConflicts == other.replica.activeConflicts, "seed \(seed)", sourceLocation: sourceLocation)
            let isSame = writes(one) == writes(other)
            #expect(isSame, "seed \(seed): every write is reported, in the order of the commits", sourceLocation: sourceLocation)
        }
    }

    /// The writes a device has reported, a repetition after a restart counted once.
    private static func writes(_ device: Device) -> [Dot] {
        var seen: Set<Dot> = []
        return device.sink.events.compactMap { if case .write(let write) = $0.content { write.dot } else { nil } }.filter {
            seen.insert($0).inserted
        }
    }
}

/// A SQLite store whose connections are closed after every transaction.
private final class ReopeningStore: ReplicaStore {
    private let path: String

    init(path: String) { self.path = path }

    func write<Result: Sendable>(
        _ durability: StoreDurability, _ body: (any ReplicaStoreWriter) throws -> Result
    ) throws -> Result {
        try SQLiteStore(path: path).write(durability, body)
    }

    func read<Result: Sendable>(_ body: (any ReplicaStoreReader) throws -> Result) throws -> Result {
        try SQLiteStore(path: path).read(body)
    }
}
