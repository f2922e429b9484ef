import SyncSimulation
import Testing

@Suite struct SimulationSnippets {
    @Test func simulating() async throws {
        var configuration = SimulationConfiguration(seed: 7)
        configuration.devices = 6
        configuration.skew = .seconds(60)
        let result = try await Simulation.run(configuration)
        print(result.problems.isEmpty ? "all devices agree" : result.problems.joined(separator: "\n"))
        #expect(result.problems == [])
    }
}
