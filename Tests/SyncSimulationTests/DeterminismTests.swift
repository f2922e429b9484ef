import FleetHistories
import SyncMerge
import Testing

/// One seed, one run; more seeds and longer runs are among the histories.
@Suite struct DeterminismTests {
    @Test func theSameSeedGivesTheSameBytes() async throws { try await DeterminismChecks.checkSameBytes(seed: 1, steps: 100) }

    @Test func theSameSeedGivesTheSameBytesOnSQLite() async throws {
        try await DeterminismChecks.checkSameBytesOnSQLite(seed: 4, steps: 60)
    }

    @Test(arguments: DeletePolicy.allCases)
    func theTraceReadBackAndAuditedGivesTheStateOfTheReplicas(_ deletes: DeletePolicy) async throws {
        try await DeterminismChecks.checkTrace(deletes, seed: 9, steps: 100)
    }
}
