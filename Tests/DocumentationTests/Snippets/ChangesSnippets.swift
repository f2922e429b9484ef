import SyncAudit
import Testing

@Suite struct ChangesSnippets {
    @Test(.timeLimit(.minutes(10))) func showingChanges() async throws {
        let replica = try Replica(device: "iPhone", store: InMemoryStore())
        let (reloaded, continuation) = AsyncStream.makeStream(of: Set<RecordKey>.self)
        func reload(_ keys: Set<RecordKey>) { continuation.yield(keys) }
        let view = Task {
            for await change in replica.changes {
                reload(change.keys)
            }
        }
        let key = RecordKey(type: "Card", id: "42")
        // The view may begin to look at any moment.
        let writer = Task {
            var number = 0
            while !Task.isCancelled {
                number += 1
                try replica.put(["visits": .number(JSONNumber(number))], to: key)
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        for await keys in reloaded {
            #expect(keys == [key])
            break
        }
        writer.cancel()
        view.cancel()
        _ = await (writer.result, view.result)
    }
}
