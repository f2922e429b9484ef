import CommandWorld
import SyncOracle
import Testing

/// Fleets under every policy, and everything that can be forged in their logs.
@Suite struct CheckForgeryHistories {
    private let check: ForgeryCheck

    init() throws { check = try ForgeryCheck() }

    @Test(arguments: ForgeryCheck.policies, ForgeryCheck.deleteRules)
    func soundFleetsGiveNoFindingsUnderEveryPolicyAndDeleteRule(policy: String, deletes: String) async throws {
        for seed in 1...2 {
            try await check.soundFleet(
                policy: policy, deletes: deletes, SimulatedFleet.Size(devices: 4, steps: 160), seed: seed, auditsToo: seed == 1)
        }
    }

    @Test(arguments: Forgery.allCases)
    func oneForgeryInOneLogOfAFleetIsFound(_ forgery: Forgery) async throws {
        var random = SplitMix64(seed: 77)
        var tried = 0
        for seed in 1...2 {
            tried += try await check.forged(
                [forgery], SimulatedFleet.Size(devices: 3, steps: 120), seed: seed, logs: 2, times: 2, &random)
        }
        #expect(tried > 0)
    }

    @Test(arguments: Forgery.allCases.filter(ForgeryCheck.isInAudit))
    func oneForgeryInTheAuditOfATraceIsFound(_ forgery: Forgery) async throws {
        var random = SplitMix64(seed: 78)
        let size = SimulatedFleet.Size(devices: 3, steps: 120)
        #expect(try await check.forgedAudit([forgery], size, seed: 3, times: 4, &random) > 0)
    }

    @Test func linesOfADeviceThatReportsNoWritesAreCheckedByOthers() async throws {
        try await check.deviceWithoutWrites(
            [.severity, .reason, .losersValue, .kind, .winnersTime, .basis, .swappedSides, .id, .field, .number],
            SimulatedFleet.Size(devices: 3, steps: 160), seed: 4, times: 4)
    }
}
