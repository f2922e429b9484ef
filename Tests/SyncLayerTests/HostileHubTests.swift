import ConflictAudit
import ConflictAuditTesting
import FleetHistories
import SyncLayerTesting
import SyncLines
import SyncModel
import SyncSQLite
import SyncSystem
import Testing

@testable import SyncLayer

private func oneField(_ name: String) -> FieldMap {
    var fields = FieldMap()
    fields[FieldName(name)] = 1
    return fields
}

/// A hub at fault.
@Suite struct HostileHubTests {
    /// A page ends where its writes are large, and the next goes on behind it.
    @Test(arguments: [1, 50, 100, 1_000_000]) func largeWritesMakeShortPages(bytesPerPage: Int) async throws {
        try await withDirectory { directory in
            let limits = HubLimits(bytesPerPage: bytesPerPage)
            let hubs: [any Hub] = [InMemoryHub(limits: limits), try SQLiteHub(path: directory + "/hub.db", limits: limits)]
            for hub in hubs {
                let writes = (1...9 as ClosedRange<UInt64>).map { number in
                    TaggedWrite(
                        dot: Dot(device: "a", sequence: number), timestamp: HybridTimestamp(milliseconds: 1, counter: 0),
                        key: RecordKey(type: "note", id: "1"), operation: .put(["x": .string(String(repeating: "x", count: 30))]), seen: [:]
                    )
                }
                _ = try await hub.push(writes, from: "a")
                var (cursor, found, pages, isMore) = (UInt64(0), [UInt64](), 0, true)
                while isMore, pages < 20 {
                    let page = try await hub.pull(PullRequest(device: "b", cursor: cursor, limit: 4))
                    (cursor, isMore, pages) = (page.cursor, page.hasMore, pages + 1)
                    found += page.writes.map(\.dot.sequence)
                }
                #expect(found == Array(1...9))
                #expect(pages == (bytesPerPage <= 50 ? 9 : bytesPerPage == 100 ? 5 : 3), "\(pages)")
            }
        }
    }

    /// Two devices; what the first has written, the second fetches through a hub that lies.
    private func meet(through hub: (any Hub) -> LyingHub, _ body: (Device, Device) async throws -> Void) async throws {
        try await withDirectory { directory in
            let clock = ManualClock()
            let truth = try SQLiteHub(path: directory + "/hub", wallClock: clock.wallClock)
            let a = try Device("a", hub: truth, clock: clock)
            for number in 1...6 {
                try a.replica.put(["n": .number(JSONNumber(number))], to: RecordKey(type: "card", id: RecordID("\(number)")))
            }
            try await a.sync()
            let b = try Device("b", hub: hub(truth), clock: clock, store: try SQLiteStore(path: directory + "/b"))
            try await body(a, b)
        }
    }

    static let contradictions: [(name: String, lie: LyingHub.Lie)] = [
        ("more to come, and nothing comes", { request, page in PullPage(writes: [], bytes: 0, cursor: request.cursor, hasMore: true) }),
        (
            "no receipts",
            { _, page in
                page.with(
                    page.writes.map {
                        TaggedWrite(dot: $0.dot, timestamp: $0.timestamp, key: $0.key, operation: $0.operation, seen: $0.seen)
                    })
            }
        ),
        ("receipts without a place", { _, page in page.with(page.writes.map { $0.received(TaggedWrite.Receipt(milliseconds: 1)) }) }),
        ("out of order", { _, page in page.with(page.writes.reversed()) }),
        ("one twice", { _, page in page.with(Array(page.writes.prefix(5)) + [page.writes[0]]) }),
        ("a cursor behind the writes", { _, page in page.with(cursor: 3) }),
        ("a cursor far ahead", { _, page in page.with(cursor: 1000) }),
        ("a cursor ahead of everything", { _, page in page.with(cursor: .max) }),
        ("a write left out that is none of the device's own", { _, page in page.with(Array(page.writes.dropFirst())) }),
        ("a count below zero", { _, page in page.with(Array(page.writes.dropFirst()), leftOut: -1) }),
        ("a count beyond all numbers", { _, page in page.with(leftOut: .max) }),
        (
            "places beyond all numbers",
            { _, page in
                page.with(page.writes.map { $0.received(TaggedWrite.Receipt(milliseconds: 1, hubSequence: .max)) }, cursor: .max)
            }
        ),
    ]

    @Test(arguments: contradictions)
    func aContradictoryPageIsRefusedAndTheNextOneIsMerged(_ name: String, lie: @escaping LyingHub.Lie) async throws {
        let liar: (any Hub) -> LyingHub = { LyingHub($0, page: lie) }
        try await meet(through: liar) { a, b in
            let error = await #expect(throws: SyncLayerError.self) { try await b.sync() }
            #expect(error?.code == .hubAtFault)
            #expect(error?.description.contains("at fault") == true)
            #expect(try b.replica.records(ofType: "card").isEmpty)
            try await SyncEngine(replica: b.replica, hub: a.hub).sync()
            #expect(try b.replica.checkpoint() == a.replica.checkpoint())
        }
    }

    @Test(arguments: [.min, .max, -62_167_219_200_001, 253_402_300_800_000] as [Int64])
    func aHubsClockOutOfRangeIsRefused(_ milliseconds: Int64) async throws {
        let liar: (any Hub) -> LyingHub = { LyingHub($0, time: WallTime(millisecondsSince1970: milliseconds)) }
        try await meet(through: liar) { _, b in
            let error = await #expect(throws: SyncLayerError.self) { try await b.sync() }
            #expect(error?.code == .hubAtFault)
        }
    }

    @Test func anAnswerForTooFewWritesIsRefusedAndTheOutboxStays() async throws {
        let liar: (any Hub) -> LyingHub = { LyingHub($0, outcomes: { Array($0.dropLast()) }) }
        try await meet(through: liar) { _, b in
            try b.replica.put(["n": 1], to: card)
            let error = await #expect(throws: SyncLayerError.self) { try await b.sync() }
            #expect(error?.code == .hubAtFault)
            #expect(try b.replica.outboxStatus().writes == 1)
        }
    }

    @Test(arguments: [3, 1000])
    func aHubThatCallsEveryNumberTakenIsToldFourUnderThreeNames(_ lies: Int) async throws {
        let clock = ManualClock()
        let truth = InMemoryHub(wallClock: clock.wallClock)
        let pushed = Locked<[DeviceID]>([])
        let a = try Device("a", hub: DenyingHub(hub: truth, denials: lies, pushed: pushed), clock: clock)
        try a.replica.put(["n": 1], to: card)
        if lies == 3 {
            #expect(try await a.sync().pushed == 1)
        } else {
            let error = await #expect(throws: SyncLayerError.self) { try await a.sync() }
            #expect(error?.code == .hubAtFault)
            #expect(truth.writes.isEmpty)
        }
        let names = pushed.withLock { $0 }
        #expect(names.count == 4 && Set(names).count == 3)
        let honest = SyncEngine(replica: a.replica, hub: truth)
        for _ in 0..<2 { try await honest.sync() }
        #expect(truth.writes.map { $0.value(of: "n") } == [1])
        #expect(try a.replica.outboxStatus().writes == 0 && a.replica.checkpoint() != nil)
    }

    static let poisons: [(name: String, poison: @Sendable (TaggedWrite) -> TaggedWrite)] = [
        ("an own write with the last number", { $0.with(dot: Dot(device: "b", sequence: .max)) }),
        ("an own write with the last number of a queue", { $0.with(dot: Dot(device: "b", sequence: UInt64(Int64.max))) }),
        ("the last number", { $0.with(dot: Dot(device: "c", sequence: .max)) }),
        ("a value too deep", { $0.with(operation: .put(["n": nested(253)])) }),
        ("a value far too deep", { $0.with(operation: .put(["n": nested(5000)])) }),
        ("a time before all years", { $0.with(timestamp: HybridTimestamp(milliseconds: .min)) }),
        ("a time after all years", { $0.with(timestamp: HybridTimestamp(milliseconds: .max, counter: .max)) }),
        ("a receipt before all years", { $0.with(receipt: TaggedWrite.Receipt(milliseconds: .min, hubSequence: $0.receipt?.hubSequence)) }),
        ("no device", { $0.with(dot: Dot(device: "", sequence: 1)) }),
        ("no type", { $0.with(key: RecordKey(type: "", id: "1")) }),
        ("an enormous identity", { $0.with(key: RecordKey(type: "card", id: RecordID(String(repeating: "x", count: 1_000_000)))) }),
        ("an enormous field name", { $0.with(operation: .put(oneField(String(repeating: "x", count: 1_000_000)))) }),
        ("a vector of impossible numbers", { $0.with(seen: ["z": .max, "b": 1]) }),
        ("a vector ahead of the write", { $0.with(seen: [$0.dot.device: $0.dot.sequence + 1]) }),
    ]

    @Test(arguments: poisons)
    func aPoisonousWriteIsSkippedAndReported(_ name: String, poison: @escaping @Sendable (TaggedWrite) -> TaggedWrite) async throws {
        let lie: LyingHub.Lie = { _, page in page.with(page.writes.map { $0.receipt?.hubSequence == 3 ? poison($0) : $0 }) }
        let liar: (any Hub) -> LyingHub = { LyingHub($0, page: lie) }
        try await meet(through: liar) { _, b in
            let report = try await b.sync()
            #expect(report.skipped.map(\.hubSequence) == [3])
            #expect(try b.replica.records(ofType: "card").map(\.key.id) == ["1", "2", "4", "5", "6"])
            #expect(b.sink.events.contains { "\($0.content)".contains("order was skipped: ") })
            if let dot = report.skipped.first?.dot {
                #expect(b.sink.events.contains { "\($0.content)".contains("the write \(dot) at 3 in") })
            }
            // The replica goes on, also after the next start.
            try b.replica.put(["n": 7], to: RecordKey(type: "card", id: "7"))
            try b.restart()
            #expect(try await b.sync().pushed == 1)
            #expect(try b.replica.records(ofType: "card").count == 6)
        }
    }

    @Test func anUnreadableRowOfTheHubsFileStopsNobody() async throws {
        try await withDirectory { directory in
            let clock = ManualClock()
            let hub = try SQLiteHub(path: directory + "/hub", wallClock: clock.wallClock)
            let a = try Device("a", hub: hub, clock: clock)
            for number in 1...3 { try a.replica.put(["n": 1], to: RecordKey(type: "card", id: RecordID("\(number)"))) }
            try await a.sync()
            try overwrite(directory + "/hub", "UPDATE writes SET content = x'02ff' WHERE hub_sequence = 2")
            let b = try Device("b", hub: hub, clock: clock)
            let report = try await b.sync()
            #expect(report.skipped.map(\.dot) == [Dot(device: "a", sequence: 2)])
            #expect(try b.replica.records(ofType: "card").map(\.key.id) == ["1", "3"])
            try overwrite(directory + "/hub", "DELETE FROM writes WHERE hub_sequence = 2")
            let error = await #expect(throws: SyncLayerError.self) { try await Device("c", hub: hub, clock: clock).sync() }
            #expect(error?.code == .hubAtFault, "a row that is gone is a gap")
        }
    }

    private func overwrite(_ path: String, _ sql: String) throws {
        try SQLiteConnection(path: path, busyTimeout: 1000).execute(sql)
    }

    @Test func aStoreWithImpossibleMetadataIsDamagedAndTrapsNobody() throws {
        let damages: [@Sendable (inout ReplicaMetadata) -> Void] = [
            { $0.generation = .max }, { $0.sequence = .max }, { $0.sequence = WriteLimits.number + 1 }, { $0.cursor = .max },
            { $0.journalNumber = UInt64(Int64.max) }, { $0.activeNumber = .max }, { $0.acknowledged = .max }, { $0.refreshVersion = .max },
        ]
        for (index, damage) in damages.enumerated() {
            var metadata = ReplicaMetadata(device: "a")
            damage(&metadata)
            let content = metadata.encoded
            let store = InMemoryStore()
            try store.write(.process) { try $0.setMetadata(content) }
            let error = #expect(throws: SyncLayerError.self) { try Replica(device: "a", store: store) }
            #expect(error?.code == .damaged, "number \(index)")
        }
    }

    @Test func aStoreWhoseCountsAreTooSmallGoesOn() throws {
        let store = InMemoryStore()
        let replica = try Replica(device: "a", store: store)
        try replica.put(["n": 1], to: card)
        try store.write(.process) { writer in
            var metadata = try ReplicaMetadata(try #require(try writer.metadata()))
            (metadata.liveRecords, metadata.outboxWrites, metadata.outboxBytes) = (0, 0, 0)
            metadata.generation += 1
            try writer.setMetadata(metadata.encoded)
        }
        try replica.delete(card)
        #expect(try Replica(device: "a", store: store).get(card) == nil)
    }

    @Test func whatAnAppPutsFitsEveryHubStoreAndLine() throws {
        let replica = try Replica(device: "a", store: InMemoryStore())
        try replica.put(["n": nested(252)], to: card)
        let long = String(repeating: "x", count: 4097)
        let refused: [(FieldMap, RecordKey)] = [
            (["n": nested(253)], card), (["n": 1], RecordKey(type: "", id: "1")), (["n": 1], RecordKey(type: "card", id: RecordID(long))),
            (oneField(long), card),
        ]
        for (fields, key) in refused {
            #expect(#expect(throws: SyncLayerError.self) { try replica.put(fields, to: key) }?.code == .invalidValue)
        }
        #expect(try replica.outboxStatus().writes == 1)
        #expect(#expect(throws: SyncLayerError.self) { try Replica(device: "", store: InMemoryStore()) }?.code == .invalidValue)
    }

    @Test(arguments: [Int64.min, .max])
    func aWallClockOutOfRangeMakesWritesThatLinesCanHold(_ milliseconds: Int64) async throws {
        let hub = InMemoryHub(wallClock: ManualClock().wallClock)
        let device = try Device("a", hub: hub, clock: ManualClock()) { $0.wallClock = { WallTime(millisecondsSince1970: milliseconds) } }
        try device.replica.put(["n": 1], to: card)
        #expect(try await device.sync().pushed == 1)
        let written = try #require(try await hub.pull(PullRequest(device: "b", cursor: 0)).writes.first)
        #expect(WriteLimits.milliseconds.contains(written.timestamp.milliseconds))
    }
}

/// A hub that says of the first pushes that their numbers are taken, and keeps nothing of them.
private struct DenyingHub: ForwardingHub {
    let hub: any Hub
    let denials: Int
    let pushed: Locked<[DeviceID]>

    func push(_ request: PushRequest) async throws -> [PushOutcome] {
        pushed.withLock { $0.append(request.device) }
        if pushed.withLock({ $0.count }) <= denials { return request.writes.map { _ in .numberTaken } }
        return try await hub.push(request)
    }
}
