import Testing

/// Small fleets; `RecordedReplayHistories` has larger ones.
@Suite struct RecordedReplayTests {
    private let check: ReplayCheck
    private let size = SimulatedFleet.Size(devices: 3, steps: 40)

    init() throws { check = try ReplayCheck() }

    @Test func everyPolicyOfItsOwnType() async throws {
        try await check.everyPolicyOfItsOwnType(SimulatedFleet.Size(devices: 5, steps: 300), seed: 1)
    }

    @Test(arguments: ReplayCheck.policies) func onePolicyForAll(policy: String) async throws {
        try await check.onePolicy(policy, size, seed: 7)
    }

    @Test(arguments: ReplayCheck.deleteRules) func deletes(rule: String) async throws {
        try await check.deletes(rule, size, seed: 8)
    }
}
