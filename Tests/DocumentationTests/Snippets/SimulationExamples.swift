import CloudKitSimulation
import SyncSimulation
import Testing

/// The examples in the documentation of the public types of SyncSimulation.
@Suite struct SimulationExamples {
    @Test func simulationResultExample() async throws {
        let result = try await Simulation.run(SimulationConfiguration(seed: 7))
        for device in result.devices { print(device.id, device.events.count, "events") }
        #expect(!result.devices.isEmpty)
    }

    // Compiled, and not run.
    func cloudSimulationExample() throws -> CloudSimulation.Score {
        let score = try CloudSimulation.run(seed: 1, histories: 1000, level: .fieldStamps)
        return score
    }
}
