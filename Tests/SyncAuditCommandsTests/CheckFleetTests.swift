import Testing

/// A few small fleets; `CheckFleetHistories` has large ones.
@Suite struct CheckFleetTests {
    private let check: FleetCheck

    init() throws { check = try FleetCheck() }

    @Test func aSoundFleetGivesNoFindings() async throws {
        try await check.soundFleet(SimulatedFleet.Size(devices: 3, steps: 40), seed: 1)
    }

    @Test func oneChangeToOneLogIsFound() async throws {
        try await check.oneChange(
            [.swapped, .dropped, .doubled, .laundered, .shifted], SimulatedFleet.Size(devices: 5, steps: 60), seed: 20)
    }

    @Test func fiveChangesAreAllFoundAtOnce() async throws {
        try await check.fiveChanges(SimulatedFleet.Size(devices: 5, steps: 60), seed: 20)
    }

    @Test func logsWithoutTheirBeginningsGiveOnlyTheForgedFinding() async throws {
        try await check.withoutBeginnings(SimulatedFleet.Size(devices: 2, steps: 40), seed: 40, parts: [2], forgeries: [.severity])
    }

    @Test(arguments: [-1, 1] as [Int64]) func aClockMovedByAnHourInAHubsTraceIsFound(hours: Int64) async throws {
        try await check.movedClock(by: hours, SimulatedFleet.Size(devices: 2, steps: 80), seed: 8, atLeast: 2)
    }
}
