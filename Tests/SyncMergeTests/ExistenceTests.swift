import SyncMerge
import SyncModel
import Testing

/// A record exists where a put wins.
@Suite struct ExistenceTests {
    @Test func aFieldWhosePutWinsOverADeleteKeepsTheRecord() {
        let first = put("a", 1, at: 30, ["x": 1])
        let second = put("a", 2, at: 5, ["y": 2], saw: ["a": 1])
        let rival = delete("b", at: 20)
        for order in permutations([first, second, rival]) {
            let replica = OneRecord(order, rules: MergeRules(deletes: .lastWriterWins))
            #expect(replica.winner(of: "x") == "a:1")
            #expect(replica.winner(of: "y") == "b:1")
            #expect(replica.shown == ["x": 1])
        }
    }

    @Test func aRecordWhoseFieldsWereAllRemovedExists() {
        let replica = OneRecord([put("a", 1, at: 1, ["x": 1]), put("a", 2, at: 2, ["x": .null], saw: ["a": 1])])
        #expect(replica.shown == [:])
    }

    @Test func aPutOfNoFieldCreatesARecord() {
        #expect(OneRecord([put("a", at: 1, [:])]).shown == [:])
        #expect(OneRecord([put("a", 1, at: 1, [:]), delete("a", 2, at: 2, saw: ["a": 1])]).shown == nil)
    }

    @Test func aRecordThatWasNeverPutDoesNotExist() {
        #expect(OneRecord([]).shown == nil)
        #expect(OneRecord([delete("a", at: 1)]).shown == nil)
        #expect(OneRecord([]).winner(of: "x") == nil)
    }
}
