import FleetHistories
import Testing

/// What logs tell of the health of sync is what happened.
@Suite struct HealthHistories {
    @Test(arguments: [1, 3] as [UInt64]) func eachNumberOfHealthIsWhatHappened(seed: UInt64) async throws {
        try await FleetHealthCheck.check(devices: 20, steps: 600, seed: seed, isLong: true)
    }
}
