import FleetHistories
import Testing

/// Hostile values pushed to a real hub and handed over by one that lies; many more are among the histories.
@Suite struct HubFuzzTests {
    @Test(arguments: 1...3 as ClosedRange<UInt64>) func aHostileHubStopsNobodyForGoodAndValidWritesAgree(seed: UInt64) async throws {
        try await HubFuzz.check(seed: seed)
    }
}
