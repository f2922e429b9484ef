import SyncAuditCommands
import SyncLines
import SyncModel
import Testing

/// A replay under the policies by which simulated devices merged changes nothing.
@Suite struct RecordedReplayTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// The outcomes of a replay: the recorded one, then the others.
    private func outcomes(_ arguments: [String]) async throws -> [FieldMap] {
        let outcome = await TestWorld.onThread(["replay", "-f", "json"] + arguments)
        try #require(outcome.code == .success, Comment(rawValue: outcome.errors))
        // It would say so where a log tells of another policy.
        #expect(outcome.errors == "")
        return try JSONParser.parse(outcome.output).object?["policies"]?.array?.compactMap(\.object) ?? []
    }

    private func expectNoChange(_ outcomes: [FieldMap], _ seed: Int) throws {
        #expect(outcomes.count > 1)
        let recorded = try #require(outcomes.first)
        for other in outcomes.dropFirst() {
            for count in ["saved", "newlyLost", "winnersChanged", "valuesChanged"] {
                #expect(other[FieldName(count)] == 0, "seed \(seed), \(other["policy"] ?? .null)")
            }
            for key in ["conflicts", "editsLost", "waiting", "byField"] { #expect(other[FieldName(key)] == recorded[FieldName(key)]) }
        }
    }

    @Test(arguments: 1...3) func everyPolicyOfItsOwnType(seed: Int) async throws {
        let fleet = try await SimulatedFleet(directory, "every", "--devices", "5", "--seed", "\(seed)", "--steps", "300")
        try #require(!fleet.rules.isEmpty)
        let recorded = fleet.rules.map { $0 == "--policy-for" ? "--recorded-for" : $0 }
        // Each of them is stated once more, beside all others.
        let again = fleet.rules.map { $0 == "--policy-for" ? "--policy" : $0 }
        let outcomes = try await outcomes(recorded + again + [fleet.path + "/trace.jsonl"])
        #expect(outcomes.count == fleet.rules.count / 2 + 1)
        try expectNoChange(outcomes, seed)
        // What the devices themselves logged is what is decided again.
        let audit = await TestWorld.onThread(["audit"] + fleet.rules + [fleet.path + "/trace.jsonl"])
        #expect(outcomes.first?["conflicts"]?.integer == Int64(audit.output.split(separator: "\n").count))
    }

    @Test(arguments: ["last-writer-wins", "first-writer-wins", "record-last-writer-wins", "maximum", "counter", "set", "manual"])
    func onePolicyForAll(policy: String) async throws {
        let fleet = try await SimulatedFleet(directory, "one", "--devices", "4", "--seed", "7", "--steps", "250", "--policy", policy)
        // The devices' own logs, too, hold every write.
        for input in ["/trace.jsonl", "/iPhone-1.jsonl"] {
            try expectNoChange(try await outcomes(["--recorded", policy, "--policy", policy, fleet.path + input]), 7)
        }
    }

    @Test(arguments: ["edit-wins", "last-writer-wins"]) func deletes(rule: String) async throws {
        let fleet = try await SimulatedFleet(
            directory, "deletes", "--devices", "4", "--seed", "8", "--steps", "250", "--policy", "last-writer-wins", "--deletes", rule)
        try expectNoChange(try await outcomes(["--recorded-deletes", rule, "--deletes", rule, fleet.path + "/trace.jsonl"]), 8)
    }
}
