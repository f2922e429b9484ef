package import ConflictAudit
package import ConflictAuditTesting
import Foundation
package import SyncLayer
package import SyncLayerTesting
package import SyncMerge
package import SyncModel
package import Testing

/// A device of a test: a replica, its engine, its log, and a clock of its own.
package final class Device {
    package let name: DeviceID
    package let clock: ManualClock
    package let sink = CollectingAuditSink()
    package let store: any ReplicaStore
    package let hub: any Hub
    package var configuration: ReplicaConfiguration
    package private(set) var replica: Replica
    package private(set) var engine: SyncEngine

    package init(
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
    package func restart() throws {
        replica = try Replica(device: name, store: store, configuration: configuration)
        engine = SyncEngine(replica: replica, hub: hub)
    }

    /// Opens the replica again with other rules, as after an update of the app.
    package func reopen(_ rules: MergeRules) throws {
        configuration.mergeRules = rules
        try restart()
    }

    @discardableResult
    package func sync() async throws -> SyncReport { try await engine.sync() }

    /// Each conflict line in short, such as `delete_update email: a:2 over b:1, delete_wins`.
    package var conflicts: [String] { sink.conflicts.map(\.short) }
}

extension CollectingAuditSink {
    /// The writes reported.
    package var writes: [TaggedWrite] { events.compactMap { if case .write(let write) = $0.content { write } else { nil } } }
}

extension Conflict {
    package var short: String {
        "\(kind.rawValue) \(field?.rawValue ?? "record"): \(winner.dot) over \(loser.dot), \(reason.rawValue)"
    }
}

/// Two devices on one hub, with one clock for all unless a test wants it otherwise.
package struct World {
    package let clock = ManualClock()
    package let hub: InMemoryHub
    package let a: Device
    package let b: Device

    package init(rules: MergeRules = MergeRules(), _ adjust: (inout ReplicaConfiguration) -> Void = { _ in }) throws {
        hub = InMemoryHub(wallClock: clock.wallClock)
        a = try Device("a", hub: hub, clock: clock, rules: rules, adjust)
        b = try Device("b", hub: hub, clock: clock, rules: rules, adjust)
    }

    /// Lets minutes pass.
    package func wait(_ minutes: Int64) { clock.advance(by: .seconds(60 * minutes)) }

    /// Syncs until both know everything.
    package func meet() async throws {
        for device in [a, b, a] { try await device.sync() }
    }

    /// What both devices show, after checking that it is the same.
    package func shown(_ key: RecordKey, sourceLocation: SourceLocation = #_sourceLocation) throws -> FieldMap? {
        let (mine, theirs) = (try a.replica.get(key), try b.replica.get(key))
        #expect(mine == theirs, "the devices differ", sourceLocation: sourceLocation)
        #expect(try a.replica.checkpoint() == b.replica.checkpoint(), "the checkpoints differ", sourceLocation: sourceLocation)
        return mine
    }
}

/// A record to write to.
package let card = RecordKey(type: "card", id: "1")

/// Runs a body with a directory that is gone afterwards.
package func withDirectory<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let path = FileManager.default.temporaryDirectory.appending(path: "synclayer-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try await body(path)
}
