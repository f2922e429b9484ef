import FleetHistories
import Testing

/// What logs tell of the health of sync is what happened; many more devices and steps are among the histories.
@Suite struct FleetHealthTests {
    @Test func eachNumberOfHealthIsWhatHappened() async throws {
        try await FleetHealthCheck.check(devices: 6, steps: 200, seed: 1, isLong: false)
    }
}
