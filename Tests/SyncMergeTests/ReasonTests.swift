import SyncMerge
import SyncModel
import Testing

/// The reason names what decided between the two writes.
@Suite struct ReasonTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let policy: MergePolicy
        var deletes = DeletePolicy.deleteWins
        let arrivals: [TaggedWrite]
        let decision: String
    }

    private static let twoPutsThenDelete = [put("a", at: 10, ["x": 9]), put("b", at: 30, ["x": 1]), delete("c", at: 20)]

    @Test(arguments: [
        Case(
            testDescription: "newer", policy: .lastWriterWins, arrivals: [put("a", at: 1, ["x": 1]), put("b", at: 2, ["x": 2])],
            decision: "x: b:1 over a:1, newer"),
        Case(
            testDescription: "newer by counter", policy: .lastWriterWins,
            arrivals: [put("b", at: 1, ["x": 1]), put("a", at: 1, counter: 1, ["x": 2])], decision: "x: a:1 over b:1, newer"),
        Case(
            testDescription: "tie", policy: .lastWriterWins, arrivals: [put("a", at: 1, ["x": 1]), put("b", at: 1, ["x": 2])],
            decision: "x: b:1 over a:1, tie_break"),
        Case(
            testDescription: "delete wins over a newer put", policy: .lastWriterWins,
            arrivals: [put("a", at: 9, ["x": 1]), delete("b", at: 1)], decision: "x: b:1 over a:1, delete_wins"),
        Case(
            testDescription: "edit wins over a delete that is older too", policy: .lastWriterWins, deletes: .editWins,
            arrivals: [delete("b", at: 1), put("a", at: 9, ["x": 1])], decision: "x: a:1 over b:1, edit_wins"),
        Case(
            testDescription: "edit wins over a delete where several puts compete", policy: .lastWriterWins, deletes: .editWins,
            arrivals: twoPutsThenDelete, decision: "x: b:1 over c:1, edit_wins"),
        Case(
            testDescription: "edit wins over a delete where a policy chooses the put", policy: .maximum, deletes: .editWins,
            arrivals: twoPutsThenDelete, decision: "x: a:1 over c:1, edit_wins"),
        Case(
            testDescription: "put newer than the delete, though the policy chose it among puts", policy: .minimum,
            deletes: .lastWriterWins, arrivals: twoPutsThenDelete, decision: "x: b:1 over c:1, newer"),
        Case(
            testDescription: "put older than the delete, chosen because a newer put kept the record", policy: .maximum,
            deletes: .lastWriterWins, arrivals: twoPutsThenDelete, decision: "x: a:1 over c:1, policy"),
        Case(
            testDescription: "larger value", policy: .maximum, arrivals: [put("a", at: 1, ["x": 9]), put("b", at: 2, ["x": 1])],
            decision: "x: a:1 over b:1, policy"),
        Case(
            testDescription: "equal values are decided by time", policy: .maximum,
            arrivals: [put("a", at: 1, ["x": 1]), put("b", at: 2, ["x": 1.0])], decision: "x: b:1 over a:1, newer"),
        Case(
            testDescription: "equal values at one time", policy: .minimum,
            arrivals: [put("a", at: 1, ["x": 1]), put("b", at: 1, ["x": 1])], decision: "x: b:1 over a:1, tie_break"),
        Case(
            testDescription: "earlier", policy: .firstWriterWins, arrivals: [put("a", at: 1, ["x": 1]), put("b", at: 2, ["x": 2])],
            decision: "x: a:1 over b:1, policy"),
        Case(
            testDescription: "preferred", policy: .preferDevices(["a"]),
            arrivals: [put("a", at: 1, ["x": 1]), put("b", at: 2, ["x": 2])], decision: "x: a:1 over b:1, policy"),
        Case(
            testDescription: "neither preferred", policy: .preferDevices(["z"]),
            arrivals: [put("a", at: 1, ["x": 1]), put("b", at: 2, ["x": 2])], decision: "x: b:1 over a:1, newer"),
        Case(
            testDescription: "custom", policy: .custom(CustomPolicy(name: "first") { .winner($0.candidates[0].dot) }),
            arrivals: [put("a", at: 1, ["x": 1]), put("b", at: 2, ["x": 2])], decision: "x: a:1 over b:1, custom"),
    ])
    func reason(_ example: Case) {
        let replica = OneRecord(example.arrivals, rules: MergeRules(standard: .fields(example.policy), deletes: example.deletes))
        #expect(replica.decisions.last == example.decision)
    }
}
