import FleetHistories
import Testing

/// Replicas agree, no acknowledged write vanishes, and brute force finds the conflicts that each device logged; many more seeds are among the histories.
@Suite struct ShortHistoryTests {
    @Test(arguments: [1...8, 9...16] as [ClosedRange<UInt64>]) func theOracleAgrees(_ seeds: ClosedRange<UInt64>) async throws {
        try await HistoryChecks.check(seeds: seeds)
    }

    @Test func underTheHubsOrderReplicasAgreeAndLogTheOraclesConflicts() async throws {
        try await HistoryChecks.checkArrivalOrder(seeds: 1...10)
    }

    @Test func replicasAgreeOnTheOrderOfARestoredOrReplacedHub() async throws {
        try await HistoryChecks.checkArrivalOrderOfRestoredHubs(seeds: 1...6)
    }

    @Test func theOracleAgreesOnSQLiteStoresOpenedAgainAfterCrashes() async throws {
        try await HistoryChecks.checkSQLite(seed: 1)
    }
}
