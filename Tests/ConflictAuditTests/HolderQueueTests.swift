import SyncModel
import Testing

@testable import ConflictAudit

@Suite("The records that show one value")
struct HolderQueueTests {
    private func entry(_ number: Int) -> HolderQueue.Entry {
        HolderQueue.Entry(
            rank: Rank(timestamp: HybridTimestamp(milliseconds: Int64(number)), dot: Dot(device: "a", sequence: UInt64(number + 1))),
            field: RecordField(key: RecordKey(type: "card", id: RecordID("\(number)")), name: "email"))
    }

    @Test("take memory for those that show it, however many have come to show it and left")
    func memory() {
        var queue = HolderQueue()
        let first = entry(0)
        queue.insert(first) { _ in true }
        for number in 1...1000 {
            let newcomer = entry(number)
            queue.insert(newcomer) { $0 == first || $0 == newcomer }
            let isEmpty = queue.removeOne()
            #expect(!isEmpty)
        }
        #expect(queue.entries.count < 20)
        let found = queue.first(2) { $0 == first }
        let isEmpty = queue.removeOne()
        #expect(found == [first] && isEmpty)
    }
}
