import SyncAuditCommands
import Testing

@Suite struct EditDistanceTests {
    @Test(arguments: [
        ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "abd", 1), ("abc", "ab", 1), ("abc", "xabc", 1),
        ("abc", "acb", 1), ("kitten", "sitting", 3), ("ca", "abc", 3), ("naïve", "naive", 1),
    ]) func distanceCountsTheFewestChanges(_ left: String, _ right: String, _ distance: Int) {
        #expect(EditDistance.between(left, right) == distance)
        #expect(EditDistance.between(right, left) == distance)
    }

    private static let words = ["window", "tolerance", "policy", "policy-for", "state", "statistics"]

    @Test(arguments: [
        ("widnow", "window"), ("windows", "window"), ("toler", "tolerance"), ("polcy", "policy"), ("policyfor", "policy-for"),
        ("stats", "state"), ("stat", "state"), ("p", nil), ("", nil), ("nonsense", nil), (String(repeating: "window", count: 7), nil),
    ]) func suggestionIsTheLikeliestWord(_ word: String, _ suggestion: String?) {
        #expect(EditDistance.suggestion(for: word, among: Self.words) == suggestion)
    }

    @Test func nothingIsSuggestedFromNothing() {
        #expect(EditDistance.suggestion(for: "word", among: []) == nil)
        #expect(EditDistance.didYouMean("nonsense", among: Self.words) == "")
        #expect(EditDistance.didYouMean("widnow", among: Self.words, prefix: "--") == "; did you mean --window?")
    }
}
