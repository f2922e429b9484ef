public import SyncLayer
import SyncModel

/// What every `ReplicaStore` must do.
///
/// ```swift
/// for check in ReplicaStoreConformance.checks { try await check.run(InMemoryStore()) }
/// ```
///
/// Each check wants a store that nothing has been written to.
public enum ReplicaStoreConformance {
    /// All properties.
    public static let checks: [ConformanceCheck<any ReplicaStore>] = [
        ConformanceCheck("an empty store holds nothing") { store in
            try store.read { reader in
                try expect(try reader.metadata() == nil, "metadata of an empty store")
                try expect(try reader.record(key("1")) == nil, "a record of an empty store")
                try expectEqual(try reader.records(ofType: "note", after: nil, limit: 10), [], "records")
                try expectEqual(try reader.deletedRecords(after: nil, limit: 10), [], "deleted records")
                try expectEqual(try reader.allRecords(after: nil, limit: 10), [], "all records")
                for queue in StoreQueue.allCases {
                    try expectEqual(try reader.entries(in: queue, after: 0, limit: 10, bytes: .max), [], "\(queue)")
                }
                for index in StoreIndex.allCases {
                    try expectEqual(try reader.rows(in: index, startingWith: [], after: nil, limit: 10), [], "\(index)")
                    try expect(try reader.row([], in: index) == nil, "a row of an empty store")
                }
            }
        },
        ConformanceCheck("rows come in order of their keys' bytes, within a prefix, page by page") { store in
            let keys: [[UInt8]] = [[], [0], [1, 255], [1, 255, 0], [1, 255, 255], [2], [255], [255, 255]]
            for index in StoreIndex.allCases {
                try store.write(.process) { writer in
                    for key in keys.reversed() { try writer.setRow(StoreRow(key: key, content: [9]), in: index) }
                    try writer.setRow(StoreRow(key: [7], content: []), in: index)
                    for key in keys { try writer.setRow(StoreRow(key: key, content: key), in: index) }
                    try expectEqual(try writer.row([7], in: index)?.content, [], "a row of the same transaction")
                    try writer.removeRow([7], from: index)
                    try writer.removeRow([8], from: index)
                    try expect(try writer.row([7], in: index) == nil, "a removed row")
                    try expectEqual(try writer.rows(in: index, startingWith: [], after: nil, limit: 99).map(\.key), keys, "all")
                }
                try store.read { reader in
                    func found(_ prefix: [UInt8], after key: [UInt8]?, limit: Int = 99) throws -> [[UInt8]] {
                        let rows = try reader.rows(in: index, startingWith: prefix, after: key, limit: limit)
                        for row in rows { try expectEqual(row.content, row.key, "the content") }
                        return rows.map(\.key)
                    }
                    for key in keys { try expectEqual(try reader.row(key, in: index), StoreRow(key: key, content: key), "a row") }
                    try expectEqual(try found([], after: nil), keys, "all")
                    try expectEqual(try found([], after: [], limit: 2), [[0], [1, 255]], "after the first, two")
                    try expectEqual(try found([1], after: nil), [[1, 255], [1, 255, 0], [1, 255, 255]], "those of a prefix")
                    try expectEqual(try found([1, 255], after: [1, 255]), [[1, 255, 0], [1, 255, 255]], "after the prefix itself")
                    try expectEqual(try found([255], after: [255]), [[255, 255]], "the last")
                    try expectEqual(try found([3], after: nil), [], "none")
                    try expectEqual(try found([], after: [255, 255]), [], "after the last")
                    func back(_ prefix: [UInt8], before key: [UInt8]?, limit: Int = 99) throws -> [[UInt8]] {
                        try reader.rows(in: index, startingWith: prefix, before: key, limit: limit).map(\.key)
                    }
                    try expectEqual(try back([], before: nil), keys.reversed(), "all, backwards")
                    try expectEqual(try back([], before: [2], limit: 2), [[1, 255, 255], [1, 255, 0]], "before one, two")
                    try expectEqual(try back([1, 255], before: nil), [[1, 255, 255], [1, 255, 0], [1, 255]], "a prefix, backwards")
                    try expectEqual(try back([255], before: nil), [[255, 255], [255]], "the last prefix, backwards")
                    try expectEqual(try back([255], before: [255, 255]), [[255]], "before the last")
                    try expectEqual(try back([3], before: nil), [], "none, backwards")
                    try expectEqual(try back([], before: []), [], "before the first")
                }
            }
        },
        ConformanceCheck("what was written comes back, empty bytes too") { store in
            let records = [record("1", content: [1, 2, 0, 255]), record("2", content: []), record("", content: [7])]
            try store.write(.process) { writer in
                try writer.setMetadata([])
                for record in records { try writer.setRecord(record) }
                for queue in StoreQueue.allCases { try writer.setEntry(StoreEntry(number: 1, content: []), in: queue) }
            }
            try store.read { reader in
                try expectEqual(try reader.metadata(), [], "metadata")
                for record in records { try expectEqual(try reader.record(record.key), record, "a record") }
                for queue in StoreQueue.allCases {
                    let wanted = [StoreEntry(number: 1, content: [])]
                    try expectEqual(try reader.entries(in: queue, after: 0, limit: 10, bytes: .max), wanted, "\(queue)")
                }
            }
        },
        ConformanceCheck("a transaction sees its own writes") { store in
            try store.write(.power) { writer in
                try writer.setRecord(record("1", content: [1]))
                try writer.setRecord(record("1", content: [2]))
                try expectEqual(try writer.record(key("1")), record("1", content: [2]), "the record written last")
                try expectEqual(try writer.records(ofType: "note", after: nil, limit: 9).count, 1, "records")
                try writer.removeRecord(key("1"))
                try expect(try writer.record(key("1")) == nil, "a removed record")
                try writer.setEntry(StoreEntry(number: 5, content: [5]), in: .outbox)
                try writer.removeEntry(5, from: .outbox)
                try expectEqual(try writer.entries(in: .outbox, after: 0, limit: 9, bytes: .max), [], "a removed entry")
                try writer.setMetadata([9])
                try expectEqual(try writer.metadata(), [9], "metadata")
            }
        },
        ConformanceCheck("a record is inserted only where there is none, not even a deleted one") { store in
            let deleted = StoredRecord(key: key("2"), isLive: false, content: [2])
            try store.write(.process) { writer in
                try writer.setRecord(record("1", content: [1]))
                try writer.setRecord(deleted)
            }
            try store.write(.process) { writer in
                try expect(!writer.insertRecord(record("1", content: [9])), "a record that is there")
                try expect(!writer.insertRecord(record("2", content: [9])), "a deleted record")
                try expect(writer.insertRecord(record("3", content: [3])), "a record that is not there")
                try expect(!writer.insertRecord(record("3", content: [9])), "a record of the same transaction")
                try writer.removeRecord(key("1"))
                try expect(writer.insertRecord(record("1", content: [4])), "a removed record")
            }
            try store.read { reader in
                let wanted = [record("1", content: [4]), record("3", content: [3])]
                try expectEqual(try reader.records(ofType: "note", after: nil, limit: 9), wanted, "records")
                try expectEqual(try reader.deletedRecords(after: nil, limit: 9), [deleted], "deleted records")
            }
        },
        ConformanceCheck("a transaction that throws leaves nothing behind") { store in
            struct Stop: Error {}
            try store.write(.process) { writer in
                try writer.setMetadata([1])
                try writer.setRecord(record("1", content: [1]))
                try writer.setEntry(StoreEntry(number: 1, content: [1]), in: .outbox)
            }
            do {
                try store.write(.process) { writer in
                    try writer.setMetadata([2])
                    try writer.setRecord(record("1", content: [2]))
                    try writer.removeEntry(1, from: .outbox)
                    try writer.setRecord(record("2", content: [2]))
                    throw Stop()
                }
                throw ConformanceFailure(description: "what the body threw did not come out")
            } catch is Stop {}
            try store.read { reader in
                try expectEqual(try reader.metadata(), [1], "metadata")
                try expectEqual(try reader.records(ofType: "note", after: nil, limit: 9), [record("1", content: [1])], "records")
                try expectEqual(try reader.entries(in: .outbox, after: 0, limit: 9, bytes: .max).count, 1, "entries")
            }
        },
        ConformanceCheck("records come in order of their bytes, page by page, deleted ones apart") { store in
            let ids = ["B", "a", "b", "e\u{301}", "z\u{0}z", "\u{e9}"]
            try store.write(.process) { writer in
                for id in ids.reversed() { try writer.setRecord(record(id)) }
                try writer.setRecord(StoredRecord(key: key("c"), isLive: false, content: [3]))
                try writer.setRecord(StoredRecord(key: RecordKey(type: "card", id: "9"), isLive: false, content: [4]))
                try writer.setRecord(StoredRecord(key: RecordKey(type: "card", id: "1"), isLive: true, content: [5]))
            }
            try store.read { reader in
                var found: [RecordID] = []
                while case let page = try reader.records(ofType: "note", after: found.last, limit: 2), !page.isEmpty {
                    try expect(page.count <= 2, "a page is no longer than asked for")
                    found += page.map(\.key.id)
                }
                try expectEqual(found, ids.map { RecordID($0) }, "records")
                var deleted: [RecordKey] = []
                while case let page = try reader.deletedRecords(after: deleted.last, limit: 1), !page.isEmpty { deleted += page.map(\.key) }
                try expectEqual(deleted, [RecordKey(type: "card", id: "9"), key("c")], "deleted records")
            }
        },
        ConformanceCheck("entries come in order of number, within the limits") { store in
            try store.write(.process) { writer in
                for number in [3, 1, UInt64(Int64.max), 2] {
                    try writer.setEntry(StoreEntry(number: number, content: [1, 2, 3, 4]), in: .journal)
                }
            }
            try store.read { reader in
                func numbers(after number: UInt64, limit: Int, bytes: Int) throws -> [UInt64] {
                    try reader.entries(in: .journal, after: number, limit: limit, bytes: bytes).map(\.number)
                }
                try expectEqual(try numbers(after: 0, limit: 9, bytes: .max), [1, 2, 3, UInt64(Int64.max)], "all")
                try expectEqual(try numbers(after: 1, limit: 2, bytes: .max), [2, 3], "after the first, two")
                try expectEqual(try numbers(after: 0, limit: 9, bytes: 11), [1, 2], "eleven bytes")
                try expectEqual(try numbers(after: 0, limit: 9, bytes: 1), [1], "the first whatever its size")
                try expectEqual(try numbers(after: UInt64(Int64.max), limit: 9, bytes: .max), [], "after the last")
            }
        },
        ConformanceCheck("keys that differ in their bytes only are different records") { store in
            try store.write(.process) { writer in
                try writer.setRecord(record("\u{e9}", content: [1]))
                try writer.setRecord(record("e\u{301}", content: [2]))
            }
            try store.read { reader in
                try expectEqual(try reader.record(key("\u{e9}"))?.content, [1], "the composed one")
                try expectEqual(try reader.record(key("e\u{301}"))?.content, [2], "the decomposed one")
            }
        },
        ConformanceCheck("many threads at once lose no update, and readers see whole transactions") { store in
            try store.write(.process) { try $0.setMetadata([0, 0]) }
            try await withThrowingTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<25 {
                            try store.write(.process) { writer in
                                let count = (try writer.metadata()?.first ?? 0) + 1
                                try writer.setMetadata([count, count])
                                try writer.setRecord(record("count", content: [count]))
                            }
                        }
                    }
                    group.addTask {
                        for _ in 0..<25 {
                            try store.read { reader in
                                let metadata = try reader.metadata() ?? []
                                let count = try reader.record(key("count"))?.content.first ?? 0
                                try expectEqual(metadata, [count, count], "one state throughout")
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            try expectEqual(try store.read { try $0.metadata() }, [100, 100], "updates")
        },
    ]

    private static func key(_ id: String) -> RecordKey { RecordKey(type: "note", id: RecordID(id)) }

    private static func record(_ id: String, content: [UInt8] = [1]) -> StoredRecord {
        StoredRecord(key: key(id), isLive: true, content: content)
    }
}
