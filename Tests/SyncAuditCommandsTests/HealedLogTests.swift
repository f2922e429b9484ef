import Testing

/// One history of each sort; `HealedLogHistories` has more.
@Suite struct HealedLogTests {
    @Test func aHealedLogGivesNoFindingsAndAForgedLineOfItDoes() async throws {
        try await HealedLogCheck().healedLog(seed: 1)
    }

    @Test func aDeviceThatJoinsOnAReplacedHubGivesNoFindings() async throws {
        try await HealedLogCheck().replacedHub(seed: 1)
    }
}
