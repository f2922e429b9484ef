import FleetHistories
import SyncLayer
import SyncLayerTesting
import Testing

/// What every store and every hub must do.
@Suite struct ConformanceTests {
    @Test(arguments: ReplicaStoreConformance.checks)
    func inMemoryStore(_ check: ConformanceCheck<any ReplicaStore>) async throws {
        try await check.run(InMemoryStore())
    }

    @Test(arguments: ReplicaStoreConformance.checks)
    func sqliteStore(_ check: ConformanceCheck<any ReplicaStore>) async throws {
        try await withDirectory { directory in
            let store = try SQLiteStore(path: directory + "/store.db")
            try await check.run(store)
            try store.checkIntegrity()
        }
    }

    @Test(arguments: HubConformance.checks)
    func inMemoryHub(_ check: ConformanceCheck<any Hub>) async throws {
        try await check.run(InMemoryHub())
    }

    @Test(arguments: HubConformance.checks)
    func sqliteHub(_ check: ConformanceCheck<any Hub>) async throws {
        try await withDirectory { directory in
            let hub = try SQLiteHub(path: directory + "/hub.db")
            try await check.run(hub)
            try hub.checkIntegrity()
        }
    }

    @Test(arguments: HubConformance.compactionChecks)
    func compactionInMemory(_ check: ConformanceCheck<any CompactingHub>) async throws {
        try await check.run(InMemoryHub())
    }

    @Test(arguments: HubConformance.compactionChecks)
    func compactionInSQLite(_ check: ConformanceCheck<any CompactingHub>) async throws {
        try await withDirectory { directory in
            let hub = try SQLiteHub(path: directory + "/hub.db")
            try await check.run(hub)
            try hub.checkIntegrity()
        }
    }

    @Test(arguments: HubConformance.restartChecks)
    func restartedSQLiteHub(_ check: ConformanceCheck<@Sendable () async throws -> any Hub>) async throws {
        try await withDirectory { directory in
            try await check.run { try SQLiteHub(path: directory + "/hub.db") }
        }
    }

    @Test func aStoreThatForgetsToUndoDoesNotConform() async throws {
        struct Careless: ReplicaStore {
            let store = InMemoryStore()

            func write<Result: Sendable>(
                _ durability: StoreDurability, _ body: (any ReplicaStoreWriter) throws -> Result
            ) throws -> Result {
                try store.write(durability) { writer in Swift.Result { try body(writer) } }.get()
            }

            func read<Result: Sendable>(_ body: (any ReplicaStoreReader) throws -> Result) throws -> Result { try store.read(body) }
        }
        var failures: [String] = []
        for check in ReplicaStoreConformance.checks {
            do { try await check.run(Careless()) } catch is ConformanceFailure { failures.append(check.description) }
        }
        #expect(failures == ["a transaction that throws leaves nothing behind"])
    }
}
