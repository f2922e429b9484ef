import SyncAuditCommands
import SyncBytes
import SyncModel
import Testing

/// A replay under the policies by which simulated devices merged changes nothing.
package struct ReplayCheck {
    /// The policies that one option for all types may name.
    package static let policies = [
        "last-writer-wins", "first-writer-wins", "record-last-writer-wins", "maximum", "counter", "set", "manual",
    ]
    /// The rules for deletes.
    package static let deleteRules = ["edit-wins", "last-writer-wins"]

    private let directory: TemporaryDirectory

    /// With a directory of its own.
    package init() throws { directory = try TemporaryDirectory() }

    /// The outcomes of a replay: the recorded one, then the others.
    private func outcomes(_ arguments: [String]) async throws -> [FieldMap] {
        let outcome = await TestWorld.onThread(["replay", "-f", "json"] + arguments)
        try #require(outcome.code == .success, Comment(rawValue: outcome.errors))
        // It would say so where a log tells of another policy.
        #expect(outcome.errors == "")
        return try JSONParser.parse(outcome.output).object?["policies"]?.array?.compactMap(\.object) ?? []
    }

    private func expectNoChange(_ outcomes: [FieldMap], _ story: Comment) throws {
        #expect(outcomes.count > 1, story)
        let recorded = try #require(outcomes.first)
        for other in outcomes.dropFirst() {
            for count in ["saved", "newlyLost", "winnersChanged", "valuesChanged"] {
                #expect(other[FieldName(count)] == 0, "\(story), \(other["policy"] ?? .null)")
            }
            for key in ["conflicts", "editsLost", "waiting", "byField"] { #expect(other[FieldName(key)] == recorded[FieldName(key)]) }
        }
    }

    /// Each type has a policy of its own.
    package func everyPolicyOfItsOwnType(_ size: SimulatedFleet.Size, seed: Int) async throws {
        let fleet = try await SimulatedFleet(directory, size, seed: seed)
        try #require(!fleet.rules.isEmpty)
        let recorded = fleet.rules.map { $0 == "--policy-for" ? "--recorded-for" : $0 }
        // Each of them is stated once more, beside all others.
        let again = fleet.rules.map { $0 == "--policy-for" ? "--policy" : $0 }
        let outcomes = try await outcomes(recorded + again + [fleet.path + "/trace.jsonl"])
        #expect(outcomes.count == fleet.rules.count / 2 + 1)
        try expectNoChange(outcomes, "seed \(seed)")
        // What the devices themselves logged is what is decided again.
        let audit = await TestWorld.onThread(["audit"] + fleet.rules + [fleet.path + "/trace.jsonl"])
        #expect(outcomes.first?["conflicts"]?.integer == Int64(audit.output.split(separator: "\n").count - 1), "a line states the rules")
    }

    /// All types have one policy.
    package func onePolicy(_ policy: String, _ size: SimulatedFleet.Size, seed: Int) async throws {
        let fleet = try await SimulatedFleet(directory, size, seed: seed, ["--policy", policy])
        // The devices' own logs, too, hold every write.
        for input in ["/trace.jsonl", "/iPhone-1.jsonl"] {
            try expectNoChange(try await outcomes(["--recorded", policy, "--policy", policy, fleet.path + input]), "\(policy) \(seed)")
        }
    }

    /// The policies that are told apart by their outcome.
    package static let recognizedPolicies = ["last-writer-wins", "record-last-writer-wins", "first-writer-wins", "maximum"]

    /// What 'audit' merges under a policy is recognized by 'replay' as merged by it.
    package func outcome(of policy: String, _ size: SimulatedFleet.Size, seed: Int) async throws {
        let fleet = try await SimulatedFleet(directory, size, seed: seed, ["--policy", policy])
        let (state, trace) = (directory.file("state.jsonl"), fleet.path + "/trace.jsonl")
        #expect(await TestWorld.onThread(["audit", "--policy", policy, "--state", state, trace]).code == .success)
        let replay = await TestWorld.onThread(["replay", "--policy", "maximum", "--outcome", state, "-f", "json", trace])
        #expect(replay.code == .success)
        let outcome = try #require(try JSONParser.parse(replay.output).object)
        var differing: Int64 = 0
        for type in outcome["types"]?.array?.compactMap(\.object) ?? [] {
            differing += type["differing"]?.integer ?? 0
            #expect(type["differing"] == 0 || type["best"]?.array?.contains(.string(policy)) == true)
            #expect(type["alike"] == type["alikeAgreeing"])
        }
        #expect(differing > 0)
        #expect(outcome["unexplained"]?.object?["rows"] == 0)
    }

    /// Deletes are decided by a rule.
    package func deletes(_ rule: String, _ size: SimulatedFleet.Size, seed: Int) async throws {
        let fleet = try await SimulatedFleet(directory, size, seed: seed, ["--policy", "last-writer-wins", "--deletes", rule])
        try expectNoChange(
            try await outcomes(["--recorded-deletes", rule, "--deletes", rule, fleet.path + "/trace.jsonl"]), "\(rule) \(seed)")
    }
}
