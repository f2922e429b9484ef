import CommandWorld
import Testing

/// What 'restore' puts into one device's store wins on every device.
@Suite struct RestoredFleetHistories {
    @Test(arguments: 0..<3) func whatIsPutIntoOneStoreWinsOnEveryDevice(block: Int) async throws {
        let check = try RestoreCheck()
        var kinds: Set<RestoreCheck.Lost> = []
        for seed in block * 8..<block * 8 + 8 {
            kinds.formUnion(try await check.restoredEverywhere(SimulatedFleet.Size(devices: 4, steps: 120), seed: seed))
        }
        #expect(kinds == Set(RestoreCheck.Lost.allCases))
    }
}
