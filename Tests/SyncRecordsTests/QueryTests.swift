import Foundation
import SyncLayer
import SyncLayerTesting
import SyncModel
import SyncOracle
import Testing

/// Queries against a look at every record.
@Suite struct QueryTests {
    private static let fields: Set<FieldName> = ["name", "age"]
    private static let values: [FieldValue] = [
        .null, false, true, 0, -1, 1.5, 9_007_199_254_740_993, 9_007_199_254_740_992, 9_007_199_254_740_994, .number(JSONNumber(Int64.max)),
        .number(JSONNumber(UInt64(1) << 63)), 2, 10, -3.25, 1e300, -1e300,
        "", "a", "ab", "abc", "b", "a\u{0}b", "é", "😀", [], [1], ["x": 1],
    ]

    private static func open(_ store: some ReplicaStore, indexed: Set<FieldName> = fields) throws -> Replica {
        var configuration = ReplicaConfiguration()
        configuration.indexedFields = ["card": indexed]
        return try Replica(device: "a", store: store, configuration: configuration)
    }

    private static func filter(_ random: inout SplitMix64) -> FieldFilter {
        let field = [FieldName("name"), "age"][random.below(2)]
        let value = values[random.below(values.count)]
        return switch random.below(6) {
        case 0: .equals(field, value)
        case 1: .lessThan(field, value)
        case 2: .atMost(field, value)
        case 3: .greaterThan(field, value)
        case 4: .atLeast(field, value)
        default: .hasPrefix(field, value.string ?? "a")
        }
    }

    /// By looking at all records.
    private static func expected(_ query: RecordQuery, _ replica: Replica) throws -> [RecordID] {
        var found = try replica.records(ofType: query.type).filter { record in query.filters.allSatisfy { $0.matches(record.fields) } }
        if let order = query.order {
            found.sort { left, right in
                let (one, other) = (left.fields[order.field] ?? .null, right.fields[order.field] ?? .null)
                return one == other ? left.key < right.key : one < other
            }
            if order.isDescending { found.reverse() }
        }
        return found.prefix(query.limit ?? .max).map(\.key.id)
    }

    private static func check(_ replica: Replica, _ random: inout SplitMix64, _ comment: Comment) throws {
        for _ in 0..<60 {
            var query = RecordQuery("card")
            for _ in 0..<random.below(3) { query.filters.append(filter(&random)) }
            if random.percent(60) {
                let field = [FieldName("name"), "age"][random.below(2)]
                query.order = random.percent(50) ? .ascending(field) : .descending(field)
            }
            if random.percent(40) { query.limit = random.below(6) }
            #expect(try replica.records(matching: query).map(\.key.id) == expected(query, replica), comment)
        }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>) func theIndexSaysWhatTheRecordsSay(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let hub = InMemoryHub()
        let directory = FileManager.default.temporaryDirectory.appending(path: "queries-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let path = directory + "/a.sqlite"
        var replica = try seed % 2 == 0 ? Self.open(InMemoryStore()) : Self.open(SQLiteStore(path: path))
        let other = try Replica(device: "b", store: InMemoryStore())
        for round in 0..<8 {
            for _ in 0..<40 {
                let key = RecordKey(type: "card", id: RecordID("\(random.below(30))\(random.percent(10) ? "\u{0}" : "")"))
                let writer = random.percent(30) ? other : replica
                if random.percent(15) {
                    try writer.delete(key)
                } else {
                    let field = [FieldName("name"), "age", "other"][random.below(3)]
                    try writer.put([field: Self.values[random.below(Self.values.count)]], to: key)
                }
            }
            for replica in [replica, other, replica] { try await SyncEngine(replica: replica, hub: hub).sync() }
            try Self.check(replica, &random, "seed \(seed), round \(round)")
            // What another process does that does not keep the index, or keeps another.
            guard seed % 2 == 1, round % 2 == 1 else { continue }
            let stranger = try Self.open(SQLiteStore(path: path), indexed: round % 4 == 1 ? [] : ["other"])
            try stranger.put(["name": "stranger", "age": 77], to: RecordKey(type: "card", id: "s"))
            if random.percent(50) { replica = try Self.open(SQLiteStore(path: path)) }
            try Self.check(replica, &random, "seed \(seed), round \(round), after a stranger")
        }
    }

    @Test func aProcessThatDeclaresNothingKeepsTheIndexOfAnother() throws {
        let store = InMemoryStore()
        let replica = try Self.open(store)
        for number in 0..<20 { try replica.put(["name": "\(number)"], to: RecordKey(type: "card", id: RecordID("\(number)"))) }
        let rows = { try store.read { try $0.rows(in: .fields, startingWith: [], after: nil, limit: .max) } }
        let before = try rows()
        let other = try Self.open(store, indexed: [])
        #expect(try rows() == before)
        try other.put(["name": "x"], to: RecordKey(type: "card", id: "7"))
        #expect(try rows() != before && rows().count == before.count)
        #expect(try replica.records(matching: RecordQuery("card", where: [.equals("name", "x")])).map(\.key.id) == ["7"])
    }

    @Test func aRowThatAProgramLeftWhoKnowsNoIndexIsPassedOver() throws {
        let store = InMemoryStore()
        let replica = try Self.open(store)
        let (one, other) = (RecordKey(type: "card", id: "1"), RecordKey(type: "card", id: "2"))
        try replica.put(["name": "a"], to: one)
        try replica.put(["name": "c"], to: other)
        let old = try store.read { try $0.rows(in: .fields, startingWith: [], after: nil, limit: .max) }
        try replica.put(["name": "b"], to: one)
        try replica.delete(other)
        try store.write(.process) { writer in for row in old { try writer.setRow(row, in: .fields) } }
        #expect(try replica.records(matching: RecordQuery("card", order: .ascending("name"))).map(\.fields) == [["name": "b"]])
        #expect(try replica.records(matching: RecordQuery("card", where: [.atMost("name", "a")])).isEmpty)
    }

    @Test func aFieldWithoutAnIndexIsNamed() throws {
        let replica = try Self.open(InMemoryStore())
        let error = #expect(throws: SyncLayerError.self) { try replica.records(matching: RecordQuery("card", where: [.equals("x", 1)])) }
        #expect(error?.code == .invalidValue && error?.description.contains("\"x\"") == true)
        #expect(throws: SyncLayerError.self) { try replica.records(matching: RecordQuery("card", order: .descending("x"))) }
    }

    @Test func aTransactionThatFailsLeavesNoRow() throws {
        let replica = try Self.open(InMemoryStore())
        let key = RecordKey(type: "card", id: "1")
        try replica.put(["name": "a"], to: key)
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try replica.write { batch in
                try batch.put(["name": "b"], to: key)
                try batch.put(["name": "b"], to: RecordKey(type: "card", id: "2"))
                throw Stop()
            }
        }
        #expect(try replica.records(matching: RecordQuery("card", where: [.equals("name", "b")])).isEmpty)
        #expect(try replica.records(matching: RecordQuery("card", where: [.equals("name", "a")])).count == 1)
    }
}
