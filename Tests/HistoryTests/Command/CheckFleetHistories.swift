import CommandWorld
import Testing

/// Fleets of twenty devices, and long histories, whose logs are sound, or are tampered with.
@Suite struct CheckFleetHistories {
    private let check: FleetCheck

    init() throws { check = try FleetCheck() }

    @Test(arguments: 1...4)
    func soundFleetsWithSkewedClocksAndPartitionsGiveNoFindings(seed: Int) async throws {
        try await check.soundFleet(SimulatedFleet.Size(devices: 20, steps: 160), seed: seed)
    }

    @Test(arguments: Tampering.allCases, [10, 110])
    func oneChangeToOneLogIsFound(_ tampering: Tampering, seed: Int) async throws {
        try await check.oneChange(
            [tampering], SimulatedFleet.Size(devices: 20, steps: 160), seed: seed + (Tampering.allCases.firstIndex(of: tampering) ?? 0))
    }

    @Test(arguments: 20...21)
    func fiveChangesToOneFleetAreAllFoundAtOnce(seed: Int) async throws {
        try await check.fiveChanges(SimulatedFleet.Size(devices: 20, steps: 240), seed: seed)
    }

    @Test(arguments: 40...42)
    func logsWithoutTheirBeginningsGiveOnlyTheForgedFinding(seed: Int) async throws {
        try await check.withoutBeginnings(
            SimulatedFleet.Size(devices: 4, steps: 240), seed: seed, parts: [10, 2],
            forgeries: [.severity, .kind, .reason, .policy, .losersValue, .winnersTime, .id])
    }

    @Test(arguments: [30, 31], [-1, 1] as [Int64])
    func aClockMovedByAnHourInAHubsTraceIsFound(seed: Int, hours: Int64) async throws {
        try await check.movedClock(by: hours, SimulatedFleet.Size(devices: 5, steps: 900), seed: seed, atLeast: 4)
    }
}
