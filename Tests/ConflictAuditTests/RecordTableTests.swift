import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel
import Testing

/// The table of records.
@Suite struct RecordTableTests {
    private func put(_ number: Int, at milliseconds: Int64 = 1) -> TaggedWrite {
        TaggedWrite(
            dot: Dot(device: "a", sequence: UInt64(number + 1)), timestamp: HybridTimestamp(milliseconds: milliseconds),
            key: RecordKey(type: number % 2 == 0 ? "note" : "task", id: RecordID("\(number / 2)")),
            operation: .put(["x": .number(JSONNumber(number))]), seen: [:])
    }

    @Test(arguments: [0xffff_ffff_ffff_ffff, 0x1ff, 0] as [UInt64])
    func everyRecordIsKeptApartWhereHashesAreEqual(mask: UInt64) {
        let key = HashKey()
        var table = RecordTable(rules: MergeRules(), hashKey: key)
        var nameLists = NameLists()
        func merge(_ write: TaggedWrite) -> Bool {
            table.merge(write, hash: write.recordHash(key) & mask << 32, sharing: &nameLists).isDotCollision
        }
        for number in 0..<600 { #expect(!merge(put(number))) }
        // Every third record is written again, and one write of those as another of its name.
        for number in stride(from: 0, to: 600, by: 3) { #expect(!merge(put(number))) }
        for number in stride(from: 0, to: 600, by: 6) { #expect(merge(put(number, at: 2))) }
        #expect(table.keys.sorted() == (0..<600).map { put($0).key }.sorted())
    }

    @Test func aRecordIsFoundByItsNameOnceSomethingNamedIt() {
        var table = RecordTable(rules: MergeRules())
        var nameLists = NameLists()
        for number in 0..<1500 { _ = table.merge(put(number), sharing: &nameLists) }
        for number in stride(from: 0, to: 1500, by: 3) {
            let deletion = TaggedWrite(
                dot: Dot(device: "b", sequence: UInt64(number + 1)), timestamp: HybridTimestamp(milliseconds: 9), key: put(number).key,
                operation: .delete, seen: [:])
            // Concurrent with the first write, which is still known.
            #expect(table.merge(deletion, sharing: &nameLists).decisions.map(\.loser) == [put(number)])
        }
        for number in 0..<1500 {
            let shown = table[put(number).key]?.shown(rules: MergeRules())
            #expect(shown == (number % 3 == 0 ? nil : ["x": .number(JSONNumber(number))]))
        }
        for number in 1500..<3000 { #expect(table[put(number).key] == nil) }
        #expect(table.keys.count == 1500)
    }

    @Test func theStateOfARecordThatNoWriteNamedIsNotKnown() {
        var auditor = TraceAuditor()
        for number in [5, 2] { auditor.observe(put(number)) }
        for number in [5, 2] {
            #expect(auditor.state(of: put(number).key)?.shown(rules: MergeRules()) == ["x": .number(JSONNumber(number))])
        }
        #expect(auditor.state(of: put(3).key) == nil)
    }

    @Test func aWriteAfterOneWhoseWriterHadSeenItMakesATraceDisordered() {
        let second = TaggedWrite(
            dot: Dot(device: "b", sequence: 1), timestamp: HybridTimestamp(milliseconds: 2), key: put(0).key, operation: .put(["x": 1]),
            seen: ["a": 1])
        for (writes, isDisordered) in [([put(0), second], false), ([second, put(0)], true)] {
            var auditor = TraceAuditor()
            for write in writes { auditor.observe(write) }
            #expect(auditor.isDisordered == isDisordered)
        }
    }

    @Test func recordsAreListedInOrderWithoutDeletedOnes() {
        var auditor = TraceAuditor()
        for number in [5, 2, 0, 3] { auditor.observe(put(number)) }
        #expect(auditor.dotCollisions == 0)
        auditor.observe(put(5, at: 2))
        #expect(auditor.dotCollisions == 1)
        auditor.observe(
            TaggedWrite(
                dot: Dot(device: "b", sequence: 1), timestamp: HybridTimestamp(milliseconds: 9), key: put(2).key, operation: .delete,
                seen: ["a": 9]))
        #expect(auditor.records().map(\.key) == [put(0).key, put(3).key, put(5).key])
        #expect(auditor.records().map(\.fields) == [["x": 0], ["x": 3], ["x": 5]])
        #expect(auditor.statistics.writesObserved == 6)
    }
}
