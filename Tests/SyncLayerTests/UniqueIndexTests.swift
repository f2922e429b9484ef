import ConflictAudit
import ConflictAuditTesting
import FleetHistories
import SyncLayerTesting
import SyncMerge
import SyncModel
import SyncOracle
import SyncSystem
import Testing

@testable import SyncLayer

/// Unique fields are looked up in the store.
@Suite struct UniqueIndexTests {
    private static let rules: AuditRules = {
        var rules = AuditRules()
        rules.uniqueFields = [
            ConflictStatistics.FieldKey(type: "card", field: "email"), ConflictStatistics.FieldKey(type: "card", field: "n"),
        ]
        return rules
    }()

    private func open(_ store: some ReplicaStore, _ sink: CollectingAuditSink? = nil, _ rules: AuditRules = rules) throws -> Replica {
        var configuration = ReplicaConfiguration()
        configuration.auditRules = rules
        configuration.sink = sink
        return try Replica(device: "a", store: store, configuration: configuration)
    }

    private func key(_ number: Int) -> RecordKey { RecordKey(type: "card", id: RecordID(String(number))) }

    /// A write of another device, in the hub's order.
    private func remote(_ number: UInt64, _ fields: FieldMap, to key: RecordKey, device: DeviceID = "b") -> PullPage {
        let write = TaggedWrite(
            dot: Dot(device: device, sequence: number), timestamp: HybridTimestamp(milliseconds: Int64(number)), key: key,
            operation: .put(fields), seen: [:], receipt: TaggedWrite.Receipt(milliseconds: 1, hubSequence: number))
        return PullPage(writes: [write], bytes: 0, cursor: number, hasMore: false)
    }

    @Test func processesThatWriteInTurnReadOnlyWhatTheyTouch() throws {
        let store = CountingStore()
        let (one, other) = (try open(store), try open(store))
        try one.write { batch in
            for number in 0..<100 { try batch.put(["email": .string("\(number)@x")], to: key(number)) }
        }
        try other.put(["email": "new"], to: key(0))
        store.reads.withLock { $0 = 0 }
        for number in 1...20 { try (number % 2 == 0 ? one : other).put(["email": .string("\(number)@y")], to: key(number)) }
        #expect(store.reads.withLock { $0 } == 0, "pages of records read")
    }

    @Test func lookUpsReadNoMoreWhereHundredsOfRecordsShareAValue() throws {
        let store = CountingStore()
        let replica = try open(store)
        func reads(_ number: Int) throws -> Int {
            store.rowReads.withLock { $0 = 0 }
            try replica.put(["email": "x"], to: key(number))
            return store.rowReads.withLock { $0 }
        }
        let counts = try (0..<300).map(reads)
        #expect(counts[10] > 0 && counts[299] == counts[10])
    }

    @Test(
        arguments: [
            (false, [1, 0]), (true, [1, 1]), (1.5, [2, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0]), ("s\u{0}", [3, 0x73, 0, 255, 0, 0]),
            ([1, 2], [4, 0, 0, 0, 0, 0, 0, 0, 2]), (["a": 1], [5, 0, 0, 0, 0, 0, 0, 0, 1]),
        ] as [(FieldValue, [UInt8])])
    func theRowsOfAValueBeginWithItsKindInEveryVersion(value: FieldValue, bytes: [UInt8]) throws {
        let store = InMemoryStore()
        try open(store).put(["email": value], to: key(1))
        let start = [2] + Array("card".utf8) + [0, 0] + Array("email".utf8) + [0, 0] + bytes
        #expect(try store.read { try $0.rows(in: .unique, startingWith: start, after: nil, limit: 9) }.count == 1)
    }

    @Test func eachProcessFindsAValueThatAnotherHasWrittenOnce() throws {
        let store = InMemoryStore()
        let (first, second) = (CollectingAuditSink(), CollectingAuditSink())
        let (one, other) = (try open(store, first), try open(store, second))
        try one.put(["email": "x"], to: key(1))
        _ = try other.merge(remote(1, ["email": "x"], to: key(2)))
        #expect(second.conflicts.map(\.kind) == [.uniqueKey] && first.conflicts.isEmpty)
        _ = try one.merge(remote(2, ["email": "x"], to: key(3), device: "c"))
        #expect(first.conflicts.map(\.kind) == [.uniqueKey])
        _ = try open(store, first)
        try other.put(["note": 1], to: key(1))
        #expect(first.conflicts.count + second.conflicts.count == 2)
    }

    @Test func otherDeclaredFieldsMakeTheIndexStaleAndItIsMadeAnew() throws {
        let store = InMemoryStore()
        let sink = CollectingAuditSink()
        let (one, plain) = (try open(store, sink), try open(store, nil, AuditRules()))
        try one.put(["email": "x"], to: key(1))
        try plain.put(["email": "y"], to: key(2))
        _ = try one.merge(remote(1, ["email": "y"], to: key(3)))
        #expect(sink.conflicts.map(\.kind) == [.uniqueKey])
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try one.write { batch in
                try batch.put(["email": "z"], to: key(4))
                throw Stop()
            }
        }
        _ = try one.merge(remote(2, ["email": "z"], to: key(5)))
        #expect(sink.conflicts.count == 1, "what was undone holds nothing")
    }

    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func theStoreFindsWhatTheTableInMemoryFinds(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let sink = CollectingAuditSink()
        let store = InMemoryStore()
        var replica = try open(store, sink)
        var table = try #require(ConstraintAuditor(Self.rules, mergeRules: MergeRules()))
        var states: [RecordKey: RecordState] = [:]
        var expected: [ConflictID] = []
        let values: [FieldValue] = [1, 1.0, 2, "s", "", "s\u{0}", ["s"], ["t"], true, .null, ["a": 1], ["b": 2]]
        for number in 1...40 {
            let key = key(random.below(6))
            var fields = FieldMap()
            for name in ["email", "n"] as [FieldName] where random.percent(60) { fields[name] = values[random.below(values.count)] }
            let device: DeviceID = ["b", "c", "\u{e9}"][random.below(3)]
            let write = TaggedWrite(
                dot: Dot(device: device, sequence: UInt64(number)), timestamp: HybridTimestamp(milliseconds: Int64(random.below(30))),
                key: key,
                operation: random.percent(10) ? .delete : .put(fields),
                seen: random.percent(50) ? [:] : ["b": UInt64(random.below(number))],
                receipt: TaggedWrite.Receipt(milliseconds: 1, hubSequence: UInt64(number)))
            _ = try replica.merge(PullPage(writes: [write], bytes: 0, cursor: UInt64(number), hasMore: false))
            var state = states[key] ?? RecordState(key: key)
            _ = state.merge(write, rules: MergeRules())
            states[key] = state
            expected += table.observe(state) { states[$0] }.map(\.id)
            if random.percent(10) { replica = try open(store, sink) }
        }
        let found = sink.conflicts.filter { $0.kind == .uniqueKey }
        var seen: Set<ConflictID> = []
        #expect(found.map(\.id).filter { seen.insert($0).inserted } == expected, "seed \(seed)")
        #expect(!expected.isEmpty)
    }
}
