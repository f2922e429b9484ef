import ConflictAudit
import FleetHistories
import SyncSimulation
import Testing

/// Faults.
@Suite struct FaultTests {
    /// Longer runs are among the histories.
    @Test(arguments: FaultKind.all) func eachKindHappensAndBreaksNothing(_ kind: FaultKind) async throws {
        try await kind.check(seed: 11, steps: 200)
    }

    @Test func withoutFaultsNoneHappens() async throws {
        let faults = try await Simulation.run(FaultKind.calm(11)).faults
        #expect(faults.partitions + faults.lostRequests + faults.lostAnswers + faults.duplicates + faults.clockJumps + faults.crashes == 0)
    }

    @Test func clocksAreMeasuredAsFarOffAsTheyAre() async throws {
        var configuration = FaultKind.calm(3)
        configuration.steps = 0
        configuration.skew = .seconds(3600)
        let result = try await Simulation.run(configuration)
        var offsets: Set<Duration> = []
        for case .clock(let measurement) in result.devices.flatMap(\.events).map(\.content) {
            offsets.insert(measurement.offset)
            #expect(max(measurement.offset, .zero - measurement.offset) <= configuration.skew + measurement.uncertainty)
        }
        // Each device has its own, and without steps no clock jumps.
        #expect(offsets.count == configuration.devices)
        #expect(offsets.contains { max($0, .zero - $0) > .seconds(1) })
    }

    @Test func manyPoliciesMeetConflicts() async throws {
        #expect(try await FaultKind.policies(seed: 5, steps: 250).count > 6)
    }
}
