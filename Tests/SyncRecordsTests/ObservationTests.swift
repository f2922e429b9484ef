import SyncLayer
import SyncModel
import SyncRecords
import Testing

private struct Note: SyncRecord, Hashable {
    let id: Int
    var text: String
    static let rules = RecordRules(indexes: ["text"])
}

/// Queries that follow the records.
@Suite struct ObservationTests {
    private let replica: Replica

    init() throws {
        var configuration = ReplicaConfiguration()
        configuration.declare(Note.self)
        replica = try Replica(device: "a", store: InMemoryStore(), configuration: configuration)
    }

    @Test func eachChangeBringsAnAnswer() async throws {
        try replica.save(Note(id: 1, text: "b"))
        var answers = replica.updates(of: Note.self, order: .ascending("text")).makeAsyncIterator()
        #expect(try await answers.next()?.map(\.text) == ["b"])
        try replica.put(["x": 1], to: RecordKey(type: "Other", id: "1"))
        try replica.save(Note(id: 2, text: "a"))
        #expect(try await answers.next()?.map(\.text) == ["a", "b"])
        try replica.delete(Note.self, id: 1)
        #expect(try await answers.next()?.map(\.text) == ["a"])
    }

    @Test func aSequenceEndsWithItsTask() async throws {
        let task = Task { [replica] in
            var count = 0
            for try await _ in replica.updates(of: Note.self) { count += 1 }
            return count
        }
        while task.isCancelled == false {
            try await Task.sleep(for: .milliseconds(5))
            task.cancel()
        }
        #expect(try await task.value <= 1)
    }

    @MainActor @Test func aListFollowsTheRecords() async throws {
        try replica.save(Note(id: 1, text: "b"))
        let list = RecordList(Note.self, in: replica, order: .descending("text"))
        #expect(list.records.map(\.text) == ["b"])
        try replica.save(Note(id: 2, text: "c"))
        for _ in 0..<2000 where list.records.count < 2 { try await Task.sleep(for: .milliseconds(1)) }
        #expect(list.records.map(\.text) == ["c", "b"] && list.failure == nil)
        try replica.put(["text": 5], to: RecordKey(type: "Note", id: "3"))
        for _ in 0..<2000 where list.unreadable.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        #expect(list.records.count == 2 && list.unreadable.map(\.record.key.id) == ["3"] && list.failure == nil)
        try replica.save(Note(id: 4, text: "d"))
        try replica.delete(RecordKey(type: "Note", id: "3"))
        for _ in 0..<2000 where list.records.count < 3 || !list.unreadable.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        #expect(list.records.map(\.text) == ["d", "c", "b"])
    }

    @MainActor @Test func aListThatIsLetGoFollowsNothing() async throws {
        weak var gone: RecordList<Note>?
        do {
            let list = RecordList(Note.self, in: replica)
            gone = list
            await Task.yield()
        }
        for _ in 0..<2000 where gone != nil { try await Task.sleep(for: .milliseconds(1)) }
        #expect(gone == nil)
    }
}
