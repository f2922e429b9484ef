import SyncBytes
import SyncModel
import Testing

@testable import ConflictAudit

/// The records that show one value.
@Suite struct HolderQueueTests {
    private func entry(_ number: Int) -> HolderQueue.Entry {
        HolderQueue.Entry(
            rank: WriteOrder(HybridTimestamp(milliseconds: Int64(number)), Dot(device: "a", sequence: UInt64(number + 1))),
            field: RecordField(key: RecordKey(type: "card", id: RecordID("\(number)")), name: "email"))
    }

    @Test func memoryGrowsWithTheHoldersAndNotWithThoseWhoLeft() {
        var queue = HolderQueue()
        let staying = (0..<100).map(entry)
        for holder in staying { queue.insert(holder) { _ in true } }
        var most = 0
        for number in 100...1000 {
            let newcomer = entry(number)
            queue.insert(newcomer) { staying.contains($0) || $0 == newcomer }
            let isEmpty = queue.removeOne()
            #expect(!isEmpty)
            most = max(most, queue.entries.count)
        }
        #expect(most <= 2 * 101 + 9)
        let found = queue.first(200, isCurrent: staying.contains)
        #expect(found == staying)
        #expect(staying.map { _ in queue.removeOne() }.firstIndex(of: true) == 99)
    }
}
