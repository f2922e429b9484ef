import CommandWorld
import Testing

/// A replay under the policies by which simulated devices merged changes nothing.
@Suite struct RecordedReplayHistories {
    private let check: ReplayCheck

    init() throws { check = try ReplayCheck() }

    @Test(arguments: 1...6) func everyPolicyOfItsOwnType(seed: Int) async throws {
        try await check.everyPolicyOfItsOwnType(SimulatedFleet.Size(devices: 5, steps: 300), seed: seed)
    }

    @Test(arguments: ReplayCheck.policies, 7...8) func onePolicyForAll(policy: String, seed: Int) async throws {
        try await check.onePolicy(policy, SimulatedFleet.Size(devices: 4, steps: 250), seed: seed)
    }

    @Test(arguments: ReplayCheck.recognizedPolicies, 7...8) func aSimulatedFleetIsRecognized(policy: String, seed: Int) async throws {
        try await check.outcome(of: policy, SimulatedFleet.Size(devices: 4, steps: 250), seed: seed)
    }

    @Test(arguments: ReplayCheck.deleteRules, 8...9) func deletes(rule: String, seed: Int) async throws {
        try await check.deletes(rule, SimulatedFleet.Size(devices: 4, steps: 250), seed: seed)
    }
}
