import SyncMerge
import SyncModel
import Testing

/// The examples in the documentation of the public types of SyncMerge.
@Suite struct MergeExamples {
    private let key = RecordKey(type: "Card", id: "42")
    private let write = Samples.writes[1]
    private let rules = MergeRules()

    @Test func counterWriteExample() {
        let visits = CounterWrite(total: 3)
        let fields: FieldMap = ["visits": visits.value]
        #expect(fields["visits"] == ["$counter": 3])
    }

    @Test func setWriteExample() {
        let tags = SetWrite(added: ["vip"], removed: ["customer"])
        let fields: FieldMap = ["tags": tags.value]
        #expect(fields["tags"] == ["$add": ["vip"], "$remove": ["customer"]])
    }

    @Test func mergeDecisionExample() {
        var state = RecordState(key: key)
        for decision in state.merge(write, rules: rules) {
            print(decision.winner.dot, "won over", decision.loser.dot, "because:", decision.reason)
        }
        #expect(state.shown(rules: rules) == write.fields)
    }

    @Test func mergePolicyExample() {
        let policies: [FieldName: MergePolicy] = ["visits": .counter, "tags": .set, "notes": .manual]
        let rules = MergeRules(fields: ["Card": policies])
        #expect(rules.policyName(for: "Card", field: "tags") == "set")
    }

    @Test func customPolicyExample() {
        let earliest = CustomPolicy(name: "earliest") { context in
            context.candidates.min { $0.timestamp < $1.timestamp }.map { CustomResolution.winner($0.dot) } ?? .undecided
        }
        #expect(MergePolicy.custom(earliest).name == "earliest")
    }

    @Test func conflictContextExample() {
        let shown: @Sendable (ConflictContext) -> CustomResolution = { context in
            context.field == "notes" ? .undecided : .winner(context.candidates[0].dot)
        }
        #expect(CustomPolicy(name: "notes", resolve: shown).name == "notes")
    }

    @Test func customResolutionExample() {
        let joined = CustomPolicy(name: "joined") { _ in CustomResolution.value("Ann and Anna") }
        let rules = MergeRules(fields: ["Card": ["name": .custom(joined)]])
        #expect(rules.policyName(for: "Card", field: "name") == "joined")
    }

    @Test func deletePolicyExample() {
        let rules = MergeRules(deletes: .editWins)
        print(rules.deletes.name)  // editWins
        #expect(rules.deletes.name == "editWins")
    }

    @Test func mergeRulesExample() {
        let rules = MergeRules(
            fields: ["Card": ["visits": .counter, "tags": .set]], deletes: .editWins)
        #expect(rules.policyName(for: "Card", field: "visits") == "counter")
    }

    @Test func bookkeepingFieldsExample() {
        var rules = MergeRules()
        rules.bookkeeping = BookkeepingFields(["Card": ["version"]])
        #expect(rules.bookkeeping.contains("version", of: "Card"))
    }

    @Test func lastEditExample() {
        let state = RecordState(key: key)
        if let name = state.edits(rules: rules)?.fields["name"] {
            print("The name is from \(name.device), \(name.timestamp)")
        }
        #expect(state.key == key)
    }

    @Test func recordEditsExample() {
        let state = RecordState(key: key)
        if let edits = state.edits(rules: rules) {
            print("Last edited on \(edits.latest.device)")
        }
        #expect(state.edits(rules: rules) == nil)
    }

    @Test func recordStateExample() {
        var state = RecordState(key: write.key)
        let decisions = state.merge(write, rules: rules)
        print(decisions.count, "conflicts; shown:", state.shown(rules: rules) ?? [:])
        #expect(decisions.isEmpty)
    }

    @Test func threeWayMergeExample() {
        let time = HybridTimestamp(milliseconds: 1_768_485_900_000)
        let client = ["name": ThreeWayMerge.Entry("Anna", at: time, by: "iPhone")] as [FieldName: ThreeWayMerge.Entry]
        let server = ["name": ThreeWayMerge.Entry("Anne", at: time, by: "iPad")] as [FieldName: ThreeWayMerge.Entry]
        let merge = ThreeWayMerge(key: RecordKey(type: "Card", id: "42"))
        let outcome = merge.merge(ancestor: [:], client: .record(client), server: .record(server))
        for decision in outcome.decisions { print("lost:", decision.loser.value(of: "name") ?? "") }
        #expect(outcome.decisions.count == 1)
    }
}
