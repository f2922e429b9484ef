import ConflictAudit
import ConflictAuditTesting
import FleetHistories
import SyncCoding
import SyncLayerTesting
import SyncMerge
import SyncModel
import SyncSystem
import Testing

@testable import SyncLayer

/// The trace of a collected delete.
@Suite struct TraceTests {
    /// A tablet whose store is put back to before a delete that every device has merged, and that then edits the
    /// record under a number it never gave.
    @Test(
        arguments: DeletePolicy.allCases)
    func anEditThatHadNotSeenTheDeleteIsJudgedTheSameEverywhere(_ deletes: DeletePolicy) async throws {
        try await withDirectory { directory in
            let rules = MergeRules(deletes: deletes)
            let clock = ManualClock()
            let hub = InMemoryHub(wallClock: clock.wallClock)
            let phone = try Device("phone", hub: hub, clock: clock, rules: rules)
            let store = try SQLiteStore(path: directory + "/tablet.db")
            let backup = InMemoryStore()
            let tablet = try Device("tablet", hub: hub, clock: clock, store: store, rules: rules)
            let old = try Device("tablet", hub: hub, clock: clock, store: backup, rules: rules)
            try phone.replica.put(["x": "old"], to: card)
            for device in [phone, tablet, old] { try await device.sync() }
            try phone.replica.delete(card)
            for device in [phone, tablet, phone, tablet, phone] { try await device.sync() }
            #expect(try phone.store.read { try $0.record(card) } == nil)
            #expect(try tablet.store.read { try $0.record(card) } == nil)
            clock.advance(by: .seconds(1))
            // The tablet goes on from the backup.
            try old.replica.put(["x": "late"], to: card)
            for device in [old, phone, tablet] { try await device.sync() }
            let new = try Device("new", hub: hub, clock: clock, rules: rules)
            try await new.sync()
            let checkpoint = try new.replica.checkpoint()
            for device in [old, phone, tablet] {
                #expect(try device.replica.get(card) == (deletes == .deleteWins ? nil : ["x": "late"]))
                #expect(try device.replica.checkpoint()?.digest == checkpoint?.digest)
            }
            for device in [old, phone, new] {
                let conflict = try #require(device.conflicts.first, "\(device.name)")
                #expect(device.conflicts.count == 1 && conflict.hasPrefix("delete_update x"))
            }
        }
    }

    /// Two replicas of one store, the first of which has written the card and deleted it.
    private func replicasOfADeletedCard() throws -> (replica: Replica, other: Replica, store: ContestedStore) {
        let (clock, store) = (ManualClock(), ContestedStore())
        let hub = InMemoryHub(wallClock: clock.wallClock)
        let replica = try Device("phone", hub: hub, clock: clock, store: store).replica
        let other = try Device("phone", hub: hub, clock: clock, store: store.store).replica
        try replica.put(["x": 1], to: card)
        try replica.delete(card)
        return (replica, other, store)
    }

    @Test func noTraceIsMadeOfARecordThatWasWrittenAndDeletedAgain() throws {
        let (replica, other, store) = try replicasOfADeletedCard()
        store.beforeNextWrite {
            try other.put(["x": 2], to: card)
            try other.delete(card)
        }
        #expect(try replica.collectTombstones(settled: ["phone": 2]) == 0)
        #expect(try store.read { try $0.record(card) } != nil)
        #expect(try replica.collectTombstones(settled: ["phone": 4]) == 1)
    }

    @Test func aRecordThatIsBackIsNotCollectedWhateverIsSettled() throws {
        let (replica, other, store) = try replicasOfADeletedCard()
        store.beforeNextWrite { try other.put(["x": 2], to: card) }
        #expect(try replica.collectTombstones(settled: ["phone": 9]) == 0)
        #expect(try replica.get(card) == ["x": 2])
    }

    /// A record that was used lately is not remembered beyond its trace.
    @Test(arguments: [false, true]) func aLateEditHasNoAncestorOnceTheRecordWasCollected(isRestarted: Bool) throws {
        let clock = ManualClock()
        let phone = try Device("phone", hub: InMemoryHub(wallClock: clock.wallClock), clock: clock)
        try phone.replica.put(["x": "old"], to: card)
        try phone.replica.delete(card)
        #expect(try phone.replica.collectTombstones(settled: ["phone": 2]) == 1)
        if isRestarted { try phone.restart() }
        let late = TaggedWrite(
            dot: Dot(device: "tablet", sequence: 1), timestamp: HybridTimestamp(milliseconds: 1), key: card, operation: .put(["x": "late"]),
            seen: ["phone": 1], receipt: TaggedWrite.Receipt(milliseconds: 1, hubSequence: 1))
        _ = try phone.replica.merge(PullPage(writes: [late], bytes: 0, cursor: 1, hasMore: false))
        #expect(phone.conflicts == ["delete_update x: phone:2 over tablet:1, delete_wins"])
        #expect(phone.sink.conflicts.map(\.ancestor) == [nil])
    }

    @Test func aTraceOfAnEarlierVersionKnowsWhatHadBeenMerged() async throws {
        let world = try World()
        try world.a.replica.put(["x": "old"], to: card)
        try await world.meet()
        try world.a.replica.delete(card)
        for _ in 0..<2 { try await world.meet() }
        try world.b.store.write(.process) { writer in
            let rows = try writer.rows(in: .traces, startingWith: [], after: nil, limit: 9)
            #expect(rows.count == 1)
            for row in rows { try writer.removeRow(row.key, from: .traces) }
            var encoder = StateEncoder()
            encoder.append(["a": 2] as VersionVector)
            let number = max(1, StateDigest(of: card, fields: FieldMap()).first >> 1)
            try writer.setEntry(StoreEntry(number: number, content: encoder.bytes), in: .collected)
        }
        try world.b.replica.put(["x": "new"], to: card)
        try await world.meet()
        #expect(try world.shown(card) == ["x": "new"])
        #expect(world.a.conflicts == [] && world.b.conflicts == [])
    }
}

/// A store to which another process writes right before a transaction.
private final class ContestedStore: ReplicaStore {
    let store = InMemoryStore()
    private let other = Locked<(@Sendable () throws -> Void)?>(nil)

    func beforeNextWrite(_ body: @escaping @Sendable () throws -> Void) { other.withLock { $0 = body } }

    func write<Result: Sendable>(
        _ durability: StoreDurability, _ body: (any ReplicaStoreWriter) throws -> Result
    ) throws -> Result {
        let other = other.withLock { other in
            defer { other = nil }
            return other
        }
        try other?()
        return try store.write(durability, body)
    }

    func read<Result: Sendable>(_ body: (any ReplicaStoreReader) throws -> Result) throws -> Result { try store.read(body) }
}
