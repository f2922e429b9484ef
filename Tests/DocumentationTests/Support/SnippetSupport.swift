import ConflictAudit
import SyncLayer
import SyncMerge
import SyncModel
import Synchronization

/// A sink that counts.
final class CountingSink: AuditSink {
    private let events = Mutex(0)

    var count: Int { events.withLock { $0 } }

    func record(_ event: AuditEvent) { events.withLock { $0 += 1 } }
}

extension Replica {
    /// A replica in memory.
    static func onIPhone(_ configuration: ReplicaConfiguration = ReplicaConfiguration()) throws -> Replica {
        try Replica(device: "iPhone", store: InMemoryStore(), configuration: configuration)
    }
}

/// A replica with a conflict that waits for the app.
struct PendingConflict {
    let replica: Replica
    let key = RecordKey(type: "Card", id: "42")

    init() async throws {
        let hub = InMemoryHub()
        var configuration = ReplicaConfiguration()
        configuration.mergeRules = MergeRules(fields: ["Card": ["notes": .manual]])
        let other = try Replica(device: "iPad", store: InMemoryStore(), configuration: configuration)
        replica = try Replica(device: "iPhone", store: InMemoryStore(), configuration: configuration)
        try other.put(["notes": "from the iPad"], to: key)
        try replica.put(["notes": "from the iPhone"], to: key)
        try await SyncEngine(replica: other, hub: hub).sync()
        try await SyncEngine(replica: replica, hub: hub).sync()
    }
}

extension Samples {
    /// Two writes that change different fields, neither having seen the other.
    static let writes = [write("iPad", at: 1000, ["phone": "1"]), write("iPhone", at: 2000, ["email": "x@y.example"])]

    /// One write.
    static func edit(_ replica: Replica) throws { try replica.put(["email": "john@new.example"], to: RecordKey(type: "Card", id: "42")) }

    /// A write of some fields, as an event.
    static func events(_ fields: FieldMap) -> [AuditEvent] { [AuditEvent(at: 1000, .write(write("iPad", at: 1000, fields)))] }

    private static func write(_ device: DeviceID, at milliseconds: Int64, _ fields: FieldMap) -> TaggedWrite {
        TaggedWrite(
            dot: Dot(device: device, sequence: 1), timestamp: HybridTimestamp(milliseconds: milliseconds),
            key: RecordKey(type: "Card", id: "42"), operation: .put(fields), seen: [:])
    }
}
