import FleetHistories
import Foundation
import SyncMerge
import Testing

/// Random lives of a few devices, whose stores and hub are real.
@Suite struct LayerHistories {
    private static func number(_ name: String, _ standard: UInt64) -> UInt64 {
        ProcessInfo.processInfo.environment[name].flatMap(UInt64.init) ?? standard
    }

    /// `HUB_FUZZ_CASES` sets how many pushes and pages are tried, `HUB_FUZZ_SEED` where to begin.
    private static let fuzzSeeds: [UInt64] = {
        let first = number("HUB_FUZZ_SEED", 1)
        return Array(first..<first + max(1, number("HUB_FUZZ_CASES", 3600) / UInt64(HubFuzz.casesOfASeed)))
    }()

    @Test(arguments: fuzzSeeds) func aHostileHubStopsNobodyForGoodAndValidWritesAgree(seed: UInt64) async throws {
        try await HubFuzz.check(seed: seed)
    }

    @Test(arguments: 1...120 as ClosedRange<UInt64>) func cursorsGiveTheConflictsThatVersionVectorsGive(seed: UInt64) async throws {
        try await CursorContexts.check(seed: seed)
    }

    @Test(arguments: 1...120 as ClosedRange<UInt64>) func nothingKnownIsLostWheneverAHubIsRestored(seed: UInt64) async throws {
        try await RestoredHubs.check(seed: seed)
    }

    @Test(arguments: 1...160 as ClosedRange<UInt64>) func twoPhonesThatLiveOnUnderOneNameLoseNothing(seed: UInt64) async throws {
        try await CopiedStores.check(seed: seed)
    }

    @Test(arguments: 1...160 as ClosedRange<UInt64>) func restartingBeforeEveryStepChangesNothing(seed: UInt64) async throws {
        try await RestartedDevices.check(seed: seed)
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>) func reopeningSQLiteBeforeEveryStepChangesNothing(seed: UInt64) async throws {
        try await RestartedDevices.checkSQLite(seed: seed)
    }

    @Test(arguments: 1...240 as ClosedRange<UInt64>)
    func recordsAgreeInRandomHistoriesOfRestoredStoresAndHubs(seed: UInt64) async throws {
        try await RestoringFleet.check(seed: seed)
    }

    @Test(arguments: 1...400 as ClosedRange<UInt64>) func compactionChangesNothingThatDevicesShowOrFind(seed: UInt64) async throws {
        try await CompactedHubs.check(seed: seed)
    }

    @Test(arguments: RulesChange.fieldPairs.indices) func aChangedFieldPolicyEndsInOneStateOnEveryDevice(pair: Int) async throws {
        let (old, new) = RulesChange.fieldPairs[pair]
        for seed in 0..<8 as Range<UInt64> {
            try await RulesChange.check(seed: seed, MergeRules(standard: .fields(old)), MergeRules(standard: .fields(new), version: 1))
        }
    }

    @Test(arguments: DeletePolicy.allCases, DeletePolicy.allCases)
    func aChangedDeletePolicyEndsInOneStateOnEveryDevice(old: DeletePolicy, new: DeletePolicy) async throws {
        for seed in 0..<32 as Range<UInt64> {
            try await RulesChange.check(seed: seed, MergeRules(deletes: old), MergeRules(deletes: new, version: 1))
        }
    }
}
