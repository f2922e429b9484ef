import ConflictAudit
import SyncLayer
import SyncMerge
import SyncModel
import Testing

/// The examples in the documentation of the public types of SyncLayer.
@Suite struct LayerExamples {
    private let key = RecordKey(type: "Card", id: "42")
    private let write = Samples.writes[1]
    private let hub = InMemoryHub()
    private let store = InMemoryStore()
    private let replica: Replica

    init() throws {
        replica = try Replica(device: "iPhone", store: store)
    }

    @Test func syncLayerErrorExample() throws {
        do {
            try replica.put(["name": "Ann"], to: key)
        } catch let error as SyncLayerError where error.code == .diskFull {
            print(error)
        }
        #expect(try replica.get(key) != nil)
    }

    @Test func replicaExample() throws {
        let replica = try Replica(device: "iPhone", store: InMemoryStore())
        try replica.put(["email": "john@new.example"], to: RecordKey(type: "Card", id: "42"))
        print(try replica.get(RecordKey(type: "Card", id: "42")) ?? [:])
        #expect(try replica.get(key) != nil)
    }

    @Test func recordExample() throws {
        for record in try replica.records(ofType: "Card") {
            print(record.key.id, record.fields["name"] ?? "")
        }
        #expect(try replica.records(ofType: "Card").isEmpty)
    }

    @Test func queryExamples() throws {
        var configuration = ReplicaConfiguration()
        configuration.indexedFields = ["Card": ["owner", "visits", "archived", "name", "edited"]]
        let replica = try Replica(device: "iPhone", store: InMemoryStore(), configuration: configuration)
        do {
            let query = RecordQuery("Card", where: [.atLeast("visits", 3)], order: .descending("visits"), limit: 20)
            for record in try replica.records(matching: query) { print(record.fields) }
        }
        let newest = RecordQuery("Card", order: .descending("edited"), limit: 10)
        let query = RecordQuery("Card", where: [.equals("archived", false), .hasPrefix("name", "Jo")])
        #expect(try replica.records(matching: newest).isEmpty && replica.records(matching: query).isEmpty)
    }

    // Compiled, and not run.
    func replicaChangeExample() async {
        for await change in replica.changes where change.origin != .local {
            print(change.keys.count, "records were changed by other devices")
        }
    }

    // Compiled, and not run.
    func replicaChangesExample() async {
        for await change in replica.changes {
            print("to be shown anew:", change.keys)
        }
    }

    @Test func replicaConfigurationExample() throws {
        var configuration = ReplicaConfiguration()
        configuration.mergeRules = MergeRules(fields: ["Card": ["visits": .counter]])
        let replica = try Replica(device: "iPhone", store: InMemoryStore(), configuration: configuration)
        try replica.close()
    }

    // Compiled, and not run.
    func replicaVisitorExample() throws {
        let conflicts: [Conflict] = []
        let visitor = try ReplicaVisitor(store: SQLiteStore(existing: "cards.sqlite"))
        for conflict in conflicts { print(try visitor.restore(conflict).dot) }
    }

    @Test func writeBatchExample() throws {
        try replica.write { batch in
            try batch.put(["name": "John Smith"], to: key)
            try batch.put(["owner": "John Smith"], to: RecordKey(type: "Folder", id: "7"))
        }
        #expect(try replica.get(key) != nil)
    }

    @Test func backoffExample() {
        let backoff = Backoff(base: .milliseconds(500), maximum: .seconds(60))
        var configuration = SyncConfiguration()
        configuration.backoff = backoff
        #expect(configuration.backoff.base == .milliseconds(500))
    }

    @Test func outboxLimitsExample() {
        var configuration = ReplicaConfiguration()
        configuration.outboxLimits = OutboxLimits(writesPerBatch: 50)
        #expect(configuration.outboxLimits.writesPerBatch == 50)
    }

    @Test func assetWriteExample() throws {
        let picture = AssetWrite(text: "iVBORw0KGgo=")
        try replica.put(["picture": picture.value], to: key)
        #expect(try replica.get(key) != nil)
    }

    @Test func outboxStatusExample() throws {
        let status = try replica.outboxStatus()
        print(status.writes, "writes wait,", status.setAside, "are set aside")
        #expect(status.writes == 0)
    }

    @Test func setAsideWriteExample() throws {
        for item in try replica.setAsideWrites() {
            print(item.write.dot, "is not sent:", item.reason)
        }
        #expect(try replica.setAsideWrites().isEmpty)
    }

    @Test func hubExample() async throws {
        let engine = SyncEngine(replica: replica, hub: hub)  // `hub` is any type that conforms
        let report = try await engine.sync()
        #expect(report.pushed == 0)
    }

    @Test func pushRequestExample() async throws {
        let request = PushRequest(device: "iPhone", writes: [write])
        let outcomes = try await hub.push(request)
        #expect(outcomes.count == 1)
    }

    @Test func pushOutcomeExample() async throws {
        for case .refused(let reason) in try await hub.push(PushRequest(device: "iPhone", writes: [write])) {
            print("the hub refused the write:", reason)
        }
        #expect(await hub.devices().map(\.device) == ["iPhone"])
    }

    @Test func pullRequestExample() async throws {
        let request = PullRequest(device: "iPad", cursor: 0)
        let page = try await hub.pull(request)
        #expect(page.writes.isEmpty)
    }

    @Test func pullPageExample() async throws {
        let page = try await hub.pull(PullRequest(device: "iPad", cursor: 0))
        print(page.writes.count, "writes; the next page begins after", page.cursor)
        #expect(page.cursor == 0)
    }

    @Test func skippedWriteExample() async throws {
        let engine = SyncEngine(replica: replica, hub: hub)
        for item in try await engine.sync().skipped {
            print("number \(item.hubSequence) of the hub was skipped:", item.reason)
        }
        #expect(await hub.devices().map(\.device) == ["iPhone"])
    }

    @Test func deviceReportExample() async throws {
        try await hub.report(DeviceReport(device: "iPad", cursor: 0))
        print(await hub.devices().map(\.device))  // [iPad]
        #expect(await hub.devices().map(\.device) == ["iPad"])
    }

    @Test func hubLimitsExample() async {
        let limits = HubLimits(writesPerPush: 500)
        let hub = InMemoryHub(limits: limits)
        #expect(await hub.devices().isEmpty)
    }

    @Test func hubPositionExample() {
        let position = HubPosition(epoch: 42, fingerprint: 7)
        let request = PullRequest(device: "iPad", cursor: 3, position: position)
        #expect(request.position == position)
    }

    @Test func hubPlaceExample() {
        let reached = HubPlace(cursor: 3)
        let request = PushRequest(device: "iPad", writes: [], reached: reached)
        #expect(request.reached.cursor == 3)
    }

    // Compiled, and not run.
    func givenBackWritesExample() async throws {
        let given = GivenBackWrites(device: "iPad", writes: [write], acknowledged: 1, isLast: true)
        let reached = try await hub.giveBack(given)
        print(reached)
    }

    @Test func inMemoryHubExample() async throws {
        let hub = InMemoryHub()
        try await SyncEngine(replica: replica, hub: hub).sync()
        #expect(await hub.devices().map(\.device) == ["iPhone"])
    }

    @Test func compactingHubExample() async throws {
        try await SyncEngine(replica: replica, hub: hub).sync()
        let report = try await replica.compact(hub)
        print(report.compacted, "writes were let go of")
        #expect(report.compacted == 0)
    }

    @Test func compactionRequestExample() async throws {
        let request = CompactionRequest(reached: HubPlace(), rulesFingerprint: 7)
        let done = try await hub.compact(request)
        #expect(done.limit == 0)
    }

    @Test func compactionExample() async throws {
        let request = CompactionRequest(reached: HubPlace(), rulesFingerprint: 7)
        let done = try await hub.compact(request)
        print(done.compacted, "of the first", done.limit, "were let go of")
        #expect(done == Compaction())
    }

    @Test func compactedWritesExample() {
        let compacted = CompactedWrites(count: 2, latest: ["iPad": 7])
        #expect(PullPage(writes: [], bytes: 0, cursor: 2, hasMore: false, compacted: compacted).compacted.count == 2)
    }

    @Test func ownCompactedWriteExample() {
        let dot = Dot(device: "iPad", sequence: 7)
        let own = OwnCompactedWrite(dot: dot, fingerprint: 42, receipt: TaggedWrite.Receipt(milliseconds: nil, hubSequence: 12))
        let compacted = CompactedWrites(count: 1, latest: ["iPad": 7], own: [own])
        #expect(compacted.own.map(\.dot) == [dot])
    }

    @Test func readingHubExample() async throws {
        let auditor = try Replica(device: "the audit", store: InMemoryStore())
        let engine = SyncEngine(replica: auditor, hub: ReadingHub(hub))
        try await engine.sync()
        try await auditor.compact(hub)
        #expect(await hub.devices().isEmpty)
    }

    // Compiled, and not run.
    func sqliteHubExample() async throws {
        let hub = try SQLiteHub(path: "hub.sqlite")
        try await SyncEngine(replica: replica, hub: hub).sync()
    }

    @Test func syncConfigurationExample() async throws {
        var configuration = SyncConfiguration()
        configuration.writesPerPull = 100
        let engine = SyncEngine(replica: replica, hub: hub, configuration: configuration)
        #expect(try await engine.sync().pulled == 0)
    }

    @Test func syncReportExample() async throws {
        let engine = SyncEngine(replica: replica, hub: hub)
        let report = try await engine.sync()
        print(report.pushed, "writes pushed,", report.pulled, "pulled")
        #expect(report.pushed == 0)
    }

    @Test func syncEngineExample() async throws {
        let engine = SyncEngine(replica: replica, hub: hub)
        let report = try await engine.sync(attempts: 3)
        #expect(report.pulled == 0)
    }

    @Test func inMemoryStoreExample() throws {
        let replica = try Replica(device: "iPhone", store: InMemoryStore())
        try replica.put(["name": "Ann"], to: key)
        #expect(try replica.get(key) != nil)
    }

    @Test func replicaStoreExample() throws {
        let records = try store.read { reader in
            try reader.records(ofType: "Card", after: nil, limit: 100)
        }
        #expect(records.isEmpty)
    }

    @Test func storeDurabilityExample() throws {
        let store = InMemoryStore()
        try store.write(.power) { writer in
            try writer.setMetadata([1])
        }
        #expect(try store.read { try $0.metadata() } == [1])
    }

    @Test func replicaStoreReaderExample() throws {
        let record = try store.read { reader in
            try reader.record(key)
        }
        #expect(record == nil)
    }

    @Test func replicaStoreWriterExample() throws {
        let store = InMemoryStore()
        try store.write(.process) { writer in
            try writer.removeRecord(key)
        }
        #expect(try store.read { try $0.record(key) } == nil)
    }

    @Test func storedRecordExample() throws {
        let store = InMemoryStore()
        let record = StoredRecord(key: key, isLive: true, content: [1, 2, 3])
        try store.write(.process) { writer in try writer.setRecord(record) }
        #expect(try store.read { try $0.record(key) } == record)
    }

    @Test func storeQueueExample() throws {
        let waiting = try store.read { reader in
            try reader.entries(in: .outbox, after: 0, limit: 100, bytes: 1_000_000)
        }
        #expect(waiting.isEmpty)
    }

    @Test func storeEntryExample() throws {
        let store = InMemoryStore()
        let entry = StoreEntry(number: 1, content: [1, 2, 3])
        try store.write(.process) { writer in try writer.setEntry(entry, in: .journal) }
        #expect(try store.read { try $0.entries(in: .journal, after: 0, limit: 1, bytes: 0) } == [entry])
    }

    // Compiled, and not run.
    func sqliteStoreExample() throws {
        let store = try SQLiteStore(path: "cards.sqlite")
        let replica = try Replica(device: "iPhone", store: store)
        try replica.close()
    }

    @Test func storeIndexExample() throws {
        let store = InMemoryStore()
        let rows = try store.read { reader in
            try reader.rows(in: .seen, startingWith: [], after: nil, limit: 100)
        }
        #expect(rows.isEmpty)
    }

    @Test func storeRowExample() throws {
        let store = InMemoryStore()
        let row = StoreRow(key: [1], content: [2])
        try store.write(.process) { writer in try writer.setRow(row, in: .seen) }
        #expect(try store.read { try $0.row([1], in: .seen) } == row)
    }
}
