import ConflictAudit
import SyncMerge
package import SyncSimulation
package import Testing

/// One kind of fault, and how it shows.
package struct FaultKind: Sendable, CustomTestStringConvertible {
    package let testDescription: String
    private let configure: @Sendable (inout SimulationConfiguration) -> Void
    private let counts: @Sendable (SimulationResult.Faults) -> [Int]

    private init(
        testDescription: String, configure: @escaping @Sendable (inout SimulationConfiguration) -> Void,
        counts: @escaping @Sendable (SimulationResult.Faults) -> [Int]
    ) {
        (self.testDescription, self.configure, self.counts) = (testDescription, configure, counts)
    }

    /// Every kind.
    package static let all = [
        FaultKind(testDescription: "partitions") {
            $0.partitions = 0.2
        } counts: {
            [$0.partitions, $0.blockedMessages]
        },
        FaultKind(testDescription: "loss of requests and answers") {
            $0.loss = 0.2
        } counts: {
            [$0.lostRequests, $0.lostAnswers]
        },
        FaultKind(testDescription: "duplicates") {
            $0.duplicates = 0.3
        } counts: {
            [$0.duplicates]
        },
        FaultKind(testDescription: "skew and jumps") {
            $0.skew = .seconds(600)
        } counts: {
            [$0.clockJumps]
        },
        FaultKind(testDescription: "crashes, also while starting") {
            $0.crashes = 0.3
        } counts: {
            [$0.crashes, $0.crashesAtStart]
        },
        FaultKind(testDescription: "stores put back") {
            $0.storeRestores = 0.05
        } counts: {
            [$0.storeRestores]
        },
        FaultKind(testDescription: "stores copied") {
            $0.storeCopies = 0.05
        } counts: {
            [$0.storeCopies]
        },
        FaultKind(testDescription: "hubs put back") {
            $0.hubRestores = 0.05
        } counts: {
            [$0.hubRestores]
        },
        FaultKind(testDescription: "hubs replaced") {
            $0.hubReplacements = 0.05
        } counts: {
            [$0.hubReplacements]
        },
        FaultKind(testDescription: "devices forgotten") {
            $0.forgottenDevices = 0.05
        } counts: {
            [$0.forgottenDevices]
        },
        // Delay is always there.
        FaultKind(testDescription: "delay") {
            $0.steps *= 2
        } counts: {
            [$0.lateRequests, $0.reorderings, $0.cancellations]
        },
    ]

    /// A run without any of them.
    package static func calm(_ seed: UInt64) -> SimulationConfiguration {
        var configuration = SimulationConfiguration(seed: seed)
        (configuration.partitions, configuration.loss, configuration.duplicates, configuration.skew, configuration.crashes) = (
            0, 0, 0, .zero, 0
        )
        return configuration
    }

    /// Expects that the fault happens and breaks nothing.
    ///
    /// - Parameter steps: How long the run is, unless the kind says more.
    package func check(seed: UInt64, steps: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        var configuration = Self.calm(seed)
        configuration.steps = steps
        configure(&configuration)
        let result = try await Simulation.run(configuration)
        for count in counts(result.faults) { #expect(count > 0, "seed \(seed)", sourceLocation: sourceLocation) }
        #expect(result.problems == [], "seed \(seed)", sourceLocation: sourceLocation)
    }

    /// The policies by which conflicts were decided in a run whose devices meet on records of every type.
    package static func policies(seed: UInt64, steps: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws -> Set<String> {
        var configuration = calm(seed)
        configuration.partitions = 0.1
        configuration.steps = steps
        configuration.records = configuration.rules.types.count
        let result = try await Simulation.run(configuration)
        #expect(result.problems == [], "seed \(seed)", sourceLocation: sourceLocation)
        var policies: Set<String> = []
        for case .conflict(let conflict) in result.devices.flatMap(\.events).map(\.content) { policies.insert(conflict.policy) }
        return policies
    }
}
