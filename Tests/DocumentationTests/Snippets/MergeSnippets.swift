import SyncMerge
import SyncModel
import Testing

@Suite struct MergeSnippets {
    @Test func rules() {
        let rules = MergeRules(
            fields: ["Card": ["visits": .counter, "tags": .set, "price": .maximum]],
            deletes: .editWins)
        #expect(rules.policyName(for: "Card", field: "price") == "maximum")
        #expect(rules.policyName(for: "Card", field: "name") == "lastWriterWins")
    }
}
