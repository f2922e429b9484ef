import FleetHistories
import Testing

/// Short histories: replicas agree, no acknowledged write vanishes, and brute force finds the conflicts that each device logged.
@Suite struct ShortHistories {
    @Test(arguments: HistorySeeds.parts) func theOracleAgrees(_ seeds: ClosedRange<UInt64>) async throws {
        try await HistoryChecks.check(seeds: seeds)
    }

    @Test(arguments: HistorySeeds.parts)
    func underTheHubsOrderReplicasAgreeAndLogTheOraclesConflicts(_ seeds: ClosedRange<UInt64>) async throws {
        try await HistoryChecks.checkArrivalOrder(seeds: seeds)
    }

    @Test func replicasAgreeOnTheOrderOfARestoredOrReplacedHub() async throws {
        try await HistoryChecks.checkArrivalOrderOfRestoredHubs(seeds: 1...160)
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>) func theOracleAgreesOnSQLiteStoresOpenedAgainAfterCrashes(_ seed: UInt64) async throws {
        try await HistoryChecks.checkSQLite(seed: seed)
    }

    /// Stores are put back and copied, hubs put back and replaced, and devices forgotten.
    @Test(arguments: HistorySeeds.faults, HistorySeeds.parts)
    func theOracleAgreesOnWhoWroteWhat(_ kinds: [IdentityFault], _ seeds: ClosedRange<UInt64>) async throws {
        try await HistoryChecks.check(kinds, seeds: seeds, scopes: HistorySeeds.scopes, maximumSteps: HistorySeeds.maximumSteps)
    }
}
