import ConflictAudit
import FleetHistories
import Foundation
import SyncLayer
import SyncModel
import Testing

/// What an app does wrong is an error that says so.
@Suite struct MisuseTests {
    @Test func aBatchThatIsUsedAfterItsClosureIsAnError() throws {
        let replica = try Replica(device: "a", store: InMemoryStore())
        var kept: WriteBatch?
        try replica.write { batch in
            try batch.put(["x": 1], to: card)
            kept = batch
        }
        let batch = try #require(kept)
        let calls: [() throws -> Void] = [
            { _ = try batch.get(card) }, { try batch.put(["x": 2], to: card) }, { try batch.delete(card) },
            { try batch.increment("n", of: card) }, { try batch.add([1], to: "s", of: card) },
            { try batch.remove([1], from: "s", of: card) },
            { try batch.resolve(ConflictID(rawValue: 1), with: 1) },
        ]
        for call in calls { #expect(#expect(throws: SyncLayerError.self, performing: call)?.code == .batchEnded) }
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try replica.write { batch in
                kept = batch
                throw Stop()
            }
        }
        #expect(#expect(throws: SyncLayerError.self) { try kept?.put(["x": 3], to: card) }?.code == .batchEnded)
        #expect(try replica.get(card) == ["x": 1])
        #expect(try replica.outboxStatus().writes == 1)
    }

    @Test func aWriteFromWithinAWriteOfTheSameReplicaIsAnError() throws {
        let (replica, other) = (try Replica(device: "a", store: InMemoryStore()), try Replica(device: "b", store: InMemoryStore()))
        try replica.write { batch in
            try batch.put(["x": 1], to: card)
            let error = #expect(throws: SyncLayerError.self) { try replica.put(["x": 2], to: card) }
            #expect(error?.code == .insideWrite && error?.description.contains("\"a\"") == true)
            #expect(throws: SyncLayerError.self) { try replica.close() }
            try other.write { inner in
                try inner.put(["y": 1], to: card)
                #expect(#expect(throws: SyncLayerError.self) { try replica.delete(card) }?.code == .insideWrite)
            }
            try batch.put(["y": 1], to: card)
        }
        #expect(try replica.get(card) == ["x": 1, "y": 1])
        try replica.put(["x": 3], to: card)
        #expect(try other.get(card) == ["y": 1])
    }

    @Test(arguments: [false, true])
    func aStoreWhoseFileIsDeletedNamesItAndMakesNoOther(hasRead: Bool) async throws {
        try await withDirectory { directory in
            let path = directory + "/store.db"
            let replica = try Replica(device: "a", store: try SQLiteStore(path: path))
            try replica.put(["x": 1], to: card)
            // A reader that is kept has the file open.
            if hasRead { #expect(try replica.get(card) == ["x": 1]) }
            for suffix in ["", "-wal", "-shm"] { try FileManager.default.removeItem(atPath: path + suffix) }
            for call: () throws -> Void in [{ _ = try replica.get(card) }, { try replica.put(["x": 2], to: card) }] {
                let error = #expect(throws: SyncLayerError.self, performing: call)
                #expect(error?.code == .fileGone && error?.description.contains(path) == true, "\(String(describing: error))")
            }
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func aWriteBetweenTheSequenceAndItsIteratorIsReported() async throws {
        let replica = try Replica(device: "a", store: InMemoryStore())
        let changes = replica.changes
        try replica.put(["x": 1], to: card)
        var iterator = changes.makeAsyncIterator()
        #expect(await iterator.next()?.keys == [card])
        var second = changes.makeAsyncIterator()
        let other = RecordKey(type: "card", id: "2")
        try replica.put(["x": 1], to: other)
        #expect(await iterator.next()?.keys == [other])
        #expect(await second.next()?.keys == [other], "what came before its iterator is not told twice")
    }
}
