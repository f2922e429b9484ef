import ConflictAudit
import ConflictAuditTesting
import Foundation
import SyncLayer
import SyncLayerTesting
import SyncMerge
import SyncModel
import Testing

/// A device of a test: a replica, its engine, its log, and a clock of its own.
final class Device {
    let name: DeviceID
    let clock: ManualClock
    let sink = CollectingAuditSink()
    let store: any ReplicaStore
    let hub: any Hub
    var configuration: ReplicaConfiguration
    private(set) var replica: Replica
    private(set) var engine: SyncEngine

    init(
        _ name: DeviceID, hub: any Hub, clock: ManualClock, store: any ReplicaStore = InMemoryStore(), rules: MergeRules = MergeRules(),
        _ adjust: (inout ReplicaConfiguration) -> Void = { _ in }
    ) throws {
        self.name = name
        self.clock = clock
        self.store = store
        self.hub = hub
        configuration = ReplicaConfiguration()
        configuration.mergeRules = rules
        configuration.sink = sink
        configuration.reportsWrites = true
        configuration.wallClock = clock.wallClock
        adjust(&configuration)
        replica = try Replica(device: name, store: store, configuration: configuration)
        engine = SyncEngine(replica: replica, hub: hub)
    }

    /// Lets go of the replica without a word and opens it again, as after a crash.
    func restart() throws {
        replica = try Replica(device: name, store: store, configuration: configuration)
        engine = SyncEngine(replica: replica, hub: hub)
    }

    @discardableResult
    func sync() async throws -> SyncReport { try await engine.sync() }

    /// Each conflict line in short, such as `delete_update email: a:2 over b:1, delete_wins`.
    var conflicts: [String] { sink.conflicts.map(\.short) }
}

extension Conflict {
    var short: String {
        "\(kind.rawValue) \(field?.rawValue ?? "record"): \(winner.dot) over \(loser.dot), \(reason.rawValue)"
    }
}

/// Two devices on one hub, with one clock for all unless a test wants it otherwise.
struct World {
    let clock = ManualClock()
    let hub: InMemoryHub
    let a: Device
    let b: Device

    init(rules: MergeRules = MergeRules(), _ adjust: (inout ReplicaConfiguration) -> Void = { _ in }) throws {
        hub = InMemoryHub(wallClock: clock.wallClock)
        a = try Device("a", hub: hub, clock: clock, rules: rules, adjust)
        b = try Device("b", hub: hub, clock: clock, rules: rules, adjust)
    }

    /// Lets minutes pass.
    func wait(_ minutes: Int64) { clock.advance(by: .seconds(60 * minutes)) }

    /// Syncs until both know everything.
    func meet() async throws {
        for device in [a, b, a] { try await device.sync() }
    }

    /// What both devices show, after checking that it is the same.
    func shown(_ key: RecordKey, sourceLocation: SourceLocation = #_sourceLocation) throws -> FieldMap? {
        let (mine, theirs) = (try a.replica.get(key), try b.replica.get(key))
        #expect(mine == theirs, "the devices differ", sourceLocation: sourceLocation)
        #expect(try a.replica.checkpoint() == b.replica.checkpoint(), "the checkpoints differ", sourceLocation: sourceLocation)
        return mine
    }
}

let card = RecordKey(type: "card", id: "1")

/// Runs a body with a directory that is gone afterwards.
func withDirectory<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let path = FileManager.default.temporaryDirectory.appending(path: "synclayer-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try await body(path)
}
