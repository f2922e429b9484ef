import FleetHistories
import SyncMerge
import Testing

/// Each kind of fault in longer runs, one seed after the other.
@Suite struct FaultHistories {
    @Test(arguments: FaultKind.all, [11, 12, 13, 14] as [UInt64])
    func eachKindHappensAndBreaksNothing(_ kind: FaultKind, seed: UInt64) async throws { try await kind.check(seed: seed, steps: 200) }

    @Test func everyPolicyMeetsConflicts() async throws {
        let policies = try await FaultKind.policies(seed: 5, steps: 1500)
        #expect(
            policies.isSuperset(of: [
                "lastWriterWins", "record:lastWriterWins", "firstWriterWins", "record:firstWriterWins", "maximum", "minimum", "counter",
                "set",
                "preferDevices", "manual", "largest", "joined", "deleteWins",
            ]))
    }

    @Test(arguments: 1...24 as ClosedRange<UInt64>) func theSameSeedGivesTheSameBytes(seed: UInt64) async throws {
        try await DeterminismChecks.checkSameBytes(seed: seed, steps: 200)
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>) func theSameSeedGivesTheSameBytesOnSQLite(seed: UInt64) async throws {
        try await DeterminismChecks.checkSameBytesOnSQLite(seed: seed, steps: 200)
    }

    @Test(arguments: DeletePolicy.allCases, 1...9 as ClosedRange<UInt64>)
    func theTraceReadBackAndAuditedGivesTheStateOfTheReplicas(_ deletes: DeletePolicy, seed: UInt64) async throws {
        try await DeterminismChecks.checkTrace(deletes, seed: seed, steps: 200)
    }
}
