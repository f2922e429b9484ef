import Testing

@testable import AuditReport

@Suite struct PluralRuleTests {
    /// Rules of languages, as CLDR writes them.
    @Test(arguments: [
        ("i = 1 and v = 0", [1], [0, 2, 11, 21]),
        ("i = 0,1", [0, 1], [2, 10]),
        ("n = 0..1 or n = 11..99", [0, 1, 11, 99], [2, 10, 100]),
        ("v = 0 and i % 10 = 1 and i % 100 != 11", [1, 21, 101], [0, 11, 111, 2]),
        ("v = 0 and i % 10 = 2..4 and i % 100 != 12..14", [2, 3, 24, 103], [1, 5, 12, 114]),
        ("n % 100 = 3..10 @integer 3~10, 103~110", [3, 10, 103], [2, 11, 102]),
        ("v != 0", [], [0, 1, 2]),
        ("e != 0..5", [], [0, 1]),
    ])
    func rulesHoldForTheirNumbers(_ text: String, _ holding: [Int], _ others: [Int]) throws {
        let rule = try #require(PluralRule(text))
        for number in holding { #expect(rule.holds(number), "\(number)") }
        for number in others { #expect(!rule.holds(number), "\(number)") }
    }

    @Test(arguments: [
        "", "n", "n =", "n = x", "x = 1", "n % 0 = 1", "n = 3..1", "n = 1 and", "n == 1", "n = 1.2", "n = 99999999999999999999", "n=1,",
    ])
    func whatIsNoRuleIsNone(_ text: String) { #expect(PluralRule(text) == nil) }
}
