import CommandWorld
import Testing

/// The log of a store that was put back from a backup and goes on as a writer of its own.
@Suite struct HealedLogHistories {
    @Test(arguments: 1...12 as ClosedRange<UInt64>) func aHealedLogGivesNoFindingsAndAForgedLineOfItDoes(seed: UInt64) async throws {
        try await HealedLogCheck().healedLog(seed: seed)
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>) func aDeviceThatJoinsOnAReplacedHubGivesNoFindings(seed: UInt64) async throws {
        try await HealedLogCheck().replacedHub(seed: seed)
    }
}
