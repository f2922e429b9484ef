import ConflictAudit
import SyncMerge
import SyncSimulation
import Testing

/// Faults.
@Suite struct FaultTests {
    /// One kind of fault, and how it shows.
    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let configure: @Sendable (inout SimulationConfiguration) -> Void
        let counts: @Sendable (SimulationResult.Faults) -> [Int]
    }

    static let kinds = [
        Kind(testDescription: "partitions") {
            $0.partitions = 0.2
        } counts: {
            [$0.partitions, $0.blockedMessages]
        },
        Kind(testDescription: "loss of requests and answers") {
            $0.loss = 0.2
        } counts: {
            [$0.lostRequests, $0.lostAnswers]
        },
        Kind(testDescription: "duplicates") {
            $0.duplicates = 0.3
        } counts: {
            [$0.duplicates]
        },
        Kind(testDescription: "skew and jumps") {
            $0.skew = .seconds(600)
        } counts: {
            [$0.clockJumps]
        },
        Kind(testDescription: "crashes, also while starting") {
            $0.crashes = 0.3
        } counts: {
            [$0.crashes, $0.crashesAtStart]
        },
        Kind(testDescription: "stores put back") {
            $0.storeRestores = 0.05
        } counts: {
            [$0.storeRestores]
        },
        Kind(testDescription: "stores copied") {
            $0.storeCopies = 0.05
        } counts: {
            [$0.storeCopies]
        },
        Kind(testDescription: "hubs put back") {
            $0.hubRestores = 0.05
        } counts: {
            [$0.hubRestores]
        },
        Kind(testDescription: "hubs replaced") {
            $0.hubReplacements = 0.05
        } counts: {
            [$0.hubReplacements]
        },
        Kind(testDescription: "devices forgotten") {
            $0.forgottenDevices = 0.05
        } counts: {
            [$0.forgottenDevices]
        },
        // Delay is always there.
        Kind(testDescription: "delay") {
            $0.steps = 400
        } counts: {
            [$0.lateRequests, $0.reorderings, $0.cancellations]
        },
    ]

    private static func calm(_ seed: UInt64) -> SimulationConfiguration {
        var configuration = SimulationConfiguration(seed: seed)
        (configuration.partitions, configuration.loss, configuration.duplicates, configuration.skew, configuration.crashes) = (
            0, 0, 0, .zero, 0
        )
        return configuration
    }

    @Test(arguments: kinds) func eachKindHappensAndBreaksNothing(_ kind: Kind) async throws {
        var configuration = Self.calm(11)
        kind.configure(&configuration)
        let result = try await Simulation.run(configuration)
        for count in kind.counts(result.faults) { #expect(count > 0) }
        #expect(result.problems == [])
    }

    @Test func withoutFaultsNoneHappens() async throws {
        let faults = try await Simulation.run(Self.calm(11)).faults
        #expect(faults.partitions + faults.lostRequests + faults.lostAnswers + faults.duplicates + faults.clockJumps + faults.crashes == 0)
    }

    @Test func clocksAreMeasuredAsFarOffAsTheyAre() async throws {
        var configuration = Self.calm(3)
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

    @Test func everyPolicyMeetsConflicts() async throws {
        var configuration = Self.calm(5)
        configuration.partitions = 0.1
        configuration.steps = 1500
        configuration.records = configuration.rules.types.count
        let result = try await Simulation.run(configuration)
        var policies: Set<String> = []
        for case .conflict(let conflict) in result.devices.flatMap(\.events).map(\.content) { policies.insert(conflict.policy) }
        #expect(
            policies.isSuperset(of: [
                "lastWriterWins", "record:lastWriterWins", "firstWriterWins", "record:firstWriterWins", "maximum", "minimum", "counter",
                "set",
                "preferDevices", "manual", "largest", "joined", "deleteWins",
            ]))
        #expect(result.problems == [])
    }
}
