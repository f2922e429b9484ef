import CommandWorld
import Testing

/// Hubs of simulated devices that are put back to a backup, or replaced.
@Suite struct SimulatedHubHistories {
    @Test(arguments: [
        ["--seed", "2", "--hub-restores", "0.03"], ["--seed", "6", "--hub-restores", "0.03"],
        ["--seed", "14", "--hub-restores", "0.03", "--policy", "last-arrival-wins"],
        ["--seed", "16", "--hub-replacements", "0.03", "--policy", "last-arrival-wins"],
        ["--seed", "9", "--hub-restores", "0.03", "--records", "4", "--policy", "record-last-arrival-wins"],
    ])
    func aHubThatWasPutBackLeavesNothingWrong(options: [String]) async throws {
        try await HubCheck().nothingIsWrong(steps: 300, options)
    }

    @Test func aWriteThatWasAcknowledgedAndIsNowhereElse() async throws {
        try await MissingWriteCheck().missingWrite(SimulatedFleet.Size(devices: 6, steps: 400), seed: 3)
    }
}
