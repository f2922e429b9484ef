import ConflictAudit
import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// What is said of an edit does not depend on how many writes its record has: few are looked at one by one, many by their devices.
@Suite struct ManyWritesAgreementTests {
    /// Everything that a decision says of the sides of a field.
    private struct Said: Equatable {
        let field: FieldName?
        let winner: Dot
        let loser: Dot
        let ancestor: Dot?
        let edits: CarriedEdits
    }

    /// The decisions over the fields of a history, before which each record has got some writes to a field of their own.
    private func decisions(_ writes: [TaggedWrite], after others: Int) -> [Said] {
        var (table, lists) = (RecordTable(rules: MergeRules()), NameLists())
        for key in Set(writes.map(\.key)) where others > 0 {
            for number in 1...UInt64(others) {
                _ = table.merge(
                    TaggedWrite(
                        dot: Dot(device: DeviceID("~\(key.id)"), sequence: number), timestamp: HybridTimestamp(milliseconds: 0), key: key,
                        operation: .put(["~": 1]), seen: [:]), sharing: &lists)
            }
        }
        return writes.flatMap { table.merge($0, sharing: &lists).decisions }
            .filter { $0.contention == .sameRegister && $0.field != "~" }
            .map { Said(field: $0.field, winner: $0.winner.dot, loser: $0.loser.dot, ancestor: $0.ancestor?.dot, edits: $0.edits) }
    }

    @Test(arguments: [RandomHistory.Mode.causal, .clocks, .mixed, .cursors], 0..<50 as Range<UInt64>)
    func anEditIsJudgedAlikeAmongManyWrites(mode: RandomHistory.Mode, seed: UInt64) {
        // Few values, so that writes repeat them.
        let history = RandomHistory(seed: 71_000_000 + seed, mode: mode) { _, random in [1, 1, 2, .null][random.below(4)] }
        for arrivals in [history.writes, history.arrivals] {
            let few = decisions(arrivals, after: 0)
            #expect(decisions(arrivals, after: 70) == few, Comment(rawValue: RandomHistory.story(seed, arrivals)))
        }
    }

    /// Of a device's writes the second was received long after the third, so that who had seen the third had not seen the second.
    @Test func aWriteReceivedLateDoesNotHideThoseMadeAfterIt() {
        func write(_ device: DeviceID, _ number: UInt64, _ value: FieldValue, made minute: Int64, received: Int64? = nil) -> TaggedWrite {
            TaggedWrite(
                dot: Dot(device: device, sequence: number), timestamp: HybridTimestamp(milliseconds: minute * 60_000),
                key: RecordKey(type: "Note", id: "1"), operation: .put(["title": value]), seen: nil,
                receipt: TaggedWrite.Receipt(milliseconds: (received ?? minute) * 60_000))
        }
        let writes = [
            write("a", 1, "plan", made: 0), write("a", 2, "late", made: 1, received: 600), write("a", 3, "Plan B", made: 2),
            write("b", 1, "Plan B", made: 20), write("c", 1, "Plan C", made: 21),
        ]
        let few = decisions(writes, after: 0)
        #expect(decisions(writes, after: 70) == few)
        #expect(few.last?.loser == Dot(device: "b", sequence: 1))
        #expect(few.last?.edits.isLoserKnown == true, "b repeated what c had seen")
    }
}
