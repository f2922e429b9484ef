import SyncAudit
import SyncHTTP
import SyncURLSession
import Testing

@Suite struct ServerSnippets {
    private struct Account: Sendable {
        func token() async throws -> String? { nil }
    }

    // Compiled, and not run: there is no such server.
    func meeting(_ replica: Replica) async throws {
        let account = Account()
        let transport = try URLSessionTransport(server: "https://sync.example.com")
        let hub = HTTPHub(space: "team", transport: transport) { _ in try await account.token() }
        let loop = SyncLoop(replica: replica, engine: SyncEngine(replica: replica, hub: hub))
        loop.enterForeground()
        try await loop.follow(hub)  // syncs as soon as others have written, until its task is cancelled
    }

    // Compiled, and not run: it makes a file.
    func compacting(_ hub: SQLiteHub, _ configuration: ReplicaConfiguration) async throws {
        let auditor = try Replica(device: "the audit", store: SQLiteStore(path: "audit.sqlite"), configuration: configuration)
        try await SyncEngine(replica: auditor, hub: ReadingHub(hub)).sync()
        let done = try await auditor.compact(hub)
        print(done.compacted, "writes were let go of")
    }
}
