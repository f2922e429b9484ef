import Testing

/// A few small fleets; `CheckFleetHistories` has large ones.
@Suite struct CheckFleetTests {
    private let check: FleetCheck
    private let size = SimulatedFleet.Size(devices: 4, steps: 60)

    init() throws { check = try FleetCheck() }

    @Test func aSoundFleetGivesNoFindings() async throws {
        try await check.soundFleet(size, seed: 1)
    }

    @Test(arguments: Tampering.allCases) func oneChangeToOneLogIsFound(_ tampering: Tampering) async throws {
        try await check.oneChange(tampering, size, seed: 10 + (Tampering.allCases.firstIndex(of: tampering) ?? 0))
    }

    @Test func fiveChangesAreAllFoundAtOnce() async throws {
        try await check.fiveChanges(SimulatedFleet.Size(devices: 6, steps: 60), seed: 20)
    }

    @Test func logsWithoutTheirBeginningsGiveOnlyTheForgedFinding() async throws {
        try await check.withoutBeginnings(size, seed: 40, forgeries: [.severity, .losersValue])
    }

    @Test(arguments: [-1, 1] as [Int64]) func aClockMovedByAnHourInAHubsTraceIsFound(hours: Int64) async throws {
        try await check.movedClock(by: hours, SimulatedFleet.Size(devices: 2, steps: 60), seed: 30, atLeast: 1)
    }
}
