import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// A trace's lines in causal order, whatever the order in which they come.
@Suite struct CausalOrderTests {
    private func lines(_ texts: [String]) -> [Int] {
        var order = CausalOrder()
        for text in texts { order.append(Array(text.utf8).span) }
        return order.lines()
    }

    private func line(_ device: String, _ rest: String) -> String {
        #"{"event":"write","ts":"2026-01-15T14:00:00Z","device":"\#(device)","recordType":"T","recordID":"1","op":"put","fields":{},\#(rest)}"#
    }

    @Test func aTraceInOrderStaysAsItIs() {
        let trace = [
            line("a", #""n":1,"seen":{}"#), #"{"event":"clock","device":"a","offsetMs":5}"#, line("b", #""n":1,"seen":{"a":1}"#), "",
            "no line at all", line("a", #""n":2,"seen":{"b":1}"#),
        ]
        #expect(lines(trace) == Array(trace.indices))
    }

    @Test func whatNamesAnotherComesBehindItInEveryForm() {
        #expect(lines([line("b", #""n":1,"seen":{"a":2}"#), line("a", #""n":2,"seen":{}"#), line("a", #""n":1,"seen":{}"#)]) == [2, 1, 0])
        let cursors = [
            line("b", #""n":1,"cursor":2,"hubSequence":3"#), line("a", #""n":2,"cursor":1,"hubSequence":2"#),
            line("c", #""n":1,"cursor":0,"hubSequence":1"#),
        ]
        #expect(lines(cursors) == [2, 1, 0])
        let revisions = [line("b", #""rev":"3","parents":["2"]"#), line("a", #""rev":"2","parents":["1"]"#), line("a", #""rev":"1""#)]
        #expect(Set(lines(revisions)) == [0, 1, 2])
        #expect(lines([line("b", #""rev":"2","parents":["1"]"#), line("a", #""rev":"1","parents":[]"#)]) == [1, 0])
    }

    @Test func aDevicesWritesWithoutNumbersAreInTheHubsOrder() {
        let positions = [line("a", #""cursor":0,"hubSequence":7"#), line("a", #""cursor":0,"hubSequence":5"#)]
        #expect(lines(positions) == [1, 0])
        let receipts = [line("a", #""received":"2026-01-15T15:00:00Z""#), line("a", #""received":"2026-01-15T14:30:00Z""#)]
        #expect(lines(receipts) == [1, 0])
        #expect(lines([line("a", #""cursor":0"#), line("a", #""cursor":0"#)]) == [0, 1])
    }

    @Test func whatNeverComesAndWhatGoesInACircleHoldsNothingUp() {
        #expect(lines([line("a", #""n":5,"seen":{"x":9}"#), line("b", #""n":2,"cursor":8"#)]) == [0, 1])
        #expect(lines([line("a", #""n":1,"seen":{"b":1}"#), line("b", #""n":1,"seen":{"a":1}"#)]) == [0, 1])
    }

    /// Shuffled, newest first and device by device: the state is the same, and what is lost for good is told of in each.
    @Test(arguments: 1...UInt64(histories(60, of: 1000))) func noFinalLossGoesUntoldInAnyOrder(seed: UInt64) {
        let writes = RandomHistory(seed: seed, mode: .causal) { _, random in [1, 1, 2, 3, .null][random.below(5)] }.writes
        var random = SplitMix64(seed: seed)
        let orders = [
            writes, random.shuffled(writes), Array(writes.reversed()),
            Dictionary(grouping: writes, by: \.dot.device).sorted { $0.key < $1.key }.flatMap(\.value),
        ]
        let outcomes = orders.map { order in
            var causal = CausalOrder()
            for write in order { causal.append(write) }
            return Outcome(causal.lines().map { order[$0] })
        }
        let final = outcomes.reduce(into: Set()) { $0.formUnion($1.final) }
        for (outcome, order) in zip(outcomes, orders) {
            func story() -> Comment { Comment(rawValue: RandomHistory.story(seed, order)) }
            #expect(outcome.records == outcomes[0].records, story())
            #expect(!outcome.isDisordered, story())
            #expect(final.subtracting(outcome.lost) == [], story())
        }
    }

    private struct Outcome {
        /// A value that lost in a register.
        struct Loss: Hashable {
            let key: RecordKey
            let field: FieldName?
            let value: FieldValue?
        }

        let records: [RecordKey: FieldMap]
        let isDisordered: Bool
        /// All that was told of as lost, and of that what lost to the winner in the end and is still concurrent with it.
        let lost: Set<Loss>
        let final: Set<Loss>

        init(_ writes: [TaggedWrite]) {
            var auditor = TraceAuditor()
            let losses = writes.flatMap { auditor.observe($0) }.filter { $0.severity.isLoss && $0.field != nil }
            records = Dictionary(uniqueKeysWithValues: auditor.records().map { ($0.key, $0.fields) })
            isDisordered = auditor.isDisordered
            func loss(_ conflict: Conflict) -> Loss { Loss(key: conflict.key, field: conflict.field, value: conflict.loser.value) }
            lost = Set(losses.map(loss))
            final = Set(
                losses.filter { conflict in
                    guard let state = auditor.state(of: conflict.key) else { return false }
                    return state.winner(of: conflict.field, rules: MergeRules())?.dot == conflict.winner.dot
                        && state.areMaximal(conflict.winner.dot, conflict.loser.dot, in: conflict.field, rules: MergeRules())
                }.map(loss))
        }
    }
}
