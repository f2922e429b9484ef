import Testing

/// One small fleet; `RestoredFleetHistories` has more and larger ones.
@Suite struct RestoredFleetTests {
    @Test func whatIsPutIntoOneStoreWinsOnEveryDevice() async throws {
        let lost = try await RestoreCheck().restoredEverywhere(SimulatedFleet.Size(devices: 2, steps: 60), seed: 1, limit: 3)
        #expect(lost.count > 1)
    }
}
