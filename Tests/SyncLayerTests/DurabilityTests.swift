import FleetHistories
import Foundation
import SyncLayerTesting
import SyncMerge
import SyncModel
import SyncSQLite
import SyncSystem
import Testing

@testable import SyncLayer

/// What outlasts a power failure, and what a device reports as merged.
@Suite struct DurabilityTests {
    /// A store that tells how durable each transaction was asked to be.
    private struct WitnessedStore: ReplicaStore {
        let store = InMemoryStore()
        let note: @Sendable (String) -> Void

        func write<Result: Sendable>(
            _ durability: StoreDurability, _ body: (any ReplicaStoreWriter) throws -> Result
        ) throws -> Result {
            note("\(durability)")
            return try store.write(durability, body)
        }

        func read<Result: Sendable>(_ body: (any ReplicaStoreReader) throws -> Result) throws -> Result { try store.read(body) }
    }

    @Test func whatIsPushedOutlastsAPowerFailure() async throws {
        let steps = Locked<[String]>([])
        let note: @Sendable (String) -> Void = { step in steps.withLock { $0.append(step) } }
        let clock = ManualClock()
        let hub = InMemoryHub(wallClock: clock.wallClock) { _ in
            note("push")
            return nil
        }
        let device = try Device("a", hub: hub, clock: clock, store: WitnessedStore(note: note)) {
            $0.outboxLimits = OutboxLimits(writesPerBatch: 2)
        }
        for number in 0..<5 { try device.replica.put(["x": .number(JSONNumber(number))], to: card) }
        try await device.sync()
        let log = steps.withLock { $0 }
        let batches = log.indices.filter { log[$0] == "push" && log[$0 - 1] != "push" }
        #expect(batches.count == 3)
        for batch in batches { #expect(log[batch - 1] == "power", "\(log)") }
        #expect(log.filter { $0 == "process" }.count > 5, "nothing else waits for the disk")
    }

    @Test func theDatabaseSyncsToDiskOnlyWhereItIsAskedTo() async throws {
        try await withDirectory { directory in
            let store = try SQLiteStore(path: directory + "/db")
            func mode(_ durability: StoreDurability) throws -> Int64? {
                try store.write(durability) { try ($0 as? SQLiteStoreAccess)?.connection.integer("PRAGMA synchronous") }
            }
            let (normal, full): (Int64, Int64) = (1, 2)
            #expect(try mode(.process) == normal)
            #expect(try mode(.power) == full)
            #expect(try mode(.process) == normal)
            #expect(throws: Killed.self) { try store.write(.power) { _ in throw Killed() } }
            #expect(try mode(.process) == normal, "after one that failed too")
        }
    }

    @Test func aDeviceReportsOnlyWhatItHasMerged() async throws {
        let clock = ManualClock()
        let memory = InMemoryHub(wallClock: clock.wallClock)
        let hub = InterruptibleHub(memory)
        let a = try Device("a", hub: memory, clock: clock)
        let b = try Device("b", hub: hub, clock: clock)
        func merged(_ device: DeviceID) async -> UInt64 { await memory.devices().first { $0.device == device }?.cursor ?? 0 }
        for _ in 0..<3 { try a.replica.put(["x": 1], to: card) }
        try await a.sync()
        #expect(await merged("a") == 0, "its own writes have come back to nobody")
        for calls in 0..<20 {
            hub.fail(afterCalls: calls, .beforeEffect)
            if (try? await b.sync()) != nil { break }
            if try b.replica.get(card) == nil { #expect(await merged("b") == 0, "it has reported, and merged nothing") }
        }
        hub.fail(afterCalls: 1000, .beforeEffect)
        #expect(await merged("b") == 3)
        try b.replica.put(["y": 1], to: card)
        try await b.sync()
        #expect(await merged("b") == 3, "what it has just sent stands behind what it has merged")
        try await a.sync()
        #expect(await merged("a") == 4)
        #expect(await memory.settled() == ["a": 3])
    }

    @Test func aDeleteIsForgottenOnceEveryDeviceHasMergedIt() async throws {
        let world = try World()
        let third = try Device("c", hub: world.hub, clock: world.clock)
        for number in 0..<3 { try world.a.replica.put(["x": 1], to: RecordKey(type: "card", id: RecordID("\(number)"))) }
        for device in [world.a, world.b, third] { try await device.sync() }
        for number in 0..<2 { try world.a.replica.delete(RecordKey(type: "card", id: RecordID("\(number)"))) }
        try await world.meet()
        try await world.meet()
        #expect(try await world.a.sync().collectedTombstones == 0, "c has not heard of the deletes")
        try await third.sync()
        try await third.sync()
        #expect(try await world.a.sync().collectedTombstones == 2)
        #expect(try await world.a.sync().collectedTombstones == 0)
    }
    #if os(Linux)
        @Test func aReleasedStoreClosesItsFile() async throws {
            try await withDirectory { directory in
                let path = directory + "/db"
                func open() throws -> Int {
                    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
                        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))?.hasPrefix(path) == true
                    }
                }
                do {
                    let replica = try Replica(device: "a", store: SQLiteStore(path: path))
                    try replica.put(["x": 1], to: card)
                    #expect(try replica.get(card) == ["x": 1])
                    #expect(try open() > 0)
                }
                #expect(try open() == 0)
            }
        }
    #endif
}
