import Foundation
import SyncAuditCommands
package import SyncOracle
import Testing

/// Conflicts are held against the writes beside them: sound fleets give no findings, and a single forgery is found.
package struct ForgeryCheck {
    /// Every policy, by its name on the command line.
    package static let policies = [
        "last-writer-wins", "record-last-writer-wins", "first-writer-wins", "maximum", "minimum", "counter", "set", "manual",
        "prefer-devices:Mac-3,iPhone-1",
    ]
    /// Every rule for deletes.
    package static let deleteRules = ["delete-wins", "edit-wins", "last-writer-wins"]

    private let directory: TemporaryDirectory

    /// With a directory of its own.
    package init() throws { directory = try TemporaryDirectory() }

    /// A sound fleet gives no findings under a policy, nor does what is audited afterwards.
    ///
    /// - Parameter auditsToo: Whether to audit the hub's trace and to check that, too.
    package func soundFleet(policy: String, deletes: String, _ size: SimulatedFleet.Size, seed: Int, auditsToo: Bool) async throws {
        let rules = ["--policy", policy, "--deletes", deletes]
        let fleet = try await SimulatedFleet(directory, size, seed: seed, rules)
        let story: Comment = "\(policy) \(deletes) \(seed)"
        #expect(try await TestWorld.findings([fleet.path]) == [], story)
        guard auditsToo else { return }
        #expect(try await TestWorld.findings(rules + [fleet.path]) == [], story)
        // What was audited afterwards is sound as well, beside the devices' logs and without them.
        let (audited, trace) = (fleet.path + "/audit.jsonl", fleet.path + "/trace.jsonl")
        let audit = await TestWorld.onThread(["audit", "-o", audited, trace] + rules)
        #expect(audit.code == .success)
        #expect(try await TestWorld.findings([fleet.path]) == [], story)
        #expect(try await TestWorld.findings([audited, trace]) == [], story)
        #expect(try await TestWorld.findings([audited]) == [], story)
    }

    /// Things are forged in the logs of a fleet, one at a time, and each is found.
    ///
    /// - Parameters:
    ///   - logs: In how many logs.
    ///   - times: How often in each.
    ///   - random: Chooses what exactly.
    /// - Returns: How many forgeries there were.
    package func forged(
        _ forgeries: [Forgery], _ size: SimulatedFleet.Size, seed: Int, logs: Int, times: Int, _ random: inout SplitMix64
    ) async throws -> Int {
        let fleet = try await SimulatedFleet(directory, size, seed: seed)
        var tried = 0
        for name in fleet.logs.prefix(logs) {
            let sound = try fleet.lines(name)
            for forgery in forgeries {
                for _ in 0..<times {
                    guard let forged = try forgery.apply(to: sound, &random) else { continue }
                    try fleet.write(forged.lines, to: name)
                    tried += 1
                    let isFound = !(try await TestWorld.findings([fleet.path])).isEmpty
                    #expect(isFound, "\(forgery) in \(name) of seed \(seed) is not found: \(forged.what)")
                }
            }
            try fleet.write(sound, to: name)
        }
        return tried
    }

    /// Whether what is forged can be told from the audit of a trace: a device's log alone tells of the others.
    package static func isInAudit(_ forgery: Forgery) -> Bool {
        ![.droppedDecision, .writesValue, .writesSeen, .lineTime].contains(forgery)
    }

    /// The same in what 'audit' makes of the hub's trace.
    package func forgedAudit(
        _ forgeries: [Forgery], _ size: SimulatedFleet.Size, seed: Int, times: Int, _ random: inout SplitMix64
    ) async throws -> Int {
        let fleet = try await SimulatedFleet(directory, size, seed: seed)
        let (audited, trace) = (fleet.path + "/audit.jsonl", fleet.path + "/trace.jsonl")
        #expect(await TestWorld.onThread(["audit", "--statistics", "-o", audited, trace] + fleet.rules).code == .success)
        let sound = try fleet.lines("audit.jsonl")
        var tried = 0
        for forgery in forgeries where Self.isInAudit(forgery) {
            for _ in 0..<times {
                guard let forged = try forgery.apply(to: sound, &random) else { continue }
                try fleet.write(forged.lines, to: "audit.jsonl")
                tried += 1
                let isFound = !(try await TestWorld.findings([audited, trace])).isEmpty
                #expect(isFound, "\(forgery) of seed \(seed) is not found: \(forged.what)")
            }
        }
        return tried
    }

    /// The conflicts of a device that logs no writes are held against those in other logs.
    package func deviceWithoutWrites(_ forgeries: [Forgery], _ size: SimulatedFleet.Size, seed: Int, times: Int) async throws {
        let fleet = try await SimulatedFleet(directory, size, seed: seed)
        for name in fleet.logs {
            try fleet.write(try Forgery.renumbered(try fleet.lines(name).filter { !$0.contains(#""event":"write""#) }), to: name)
        }
        let name = try #require(fleet.logs.first)
        let (log, trace) = (fleet.path + "/" + name, fleet.path + "/trace.jsonl")
        let sound = try fleet.lines(name)
        #expect(try await TestWorld.findings([fleet.path]) == [])
        #expect(try await TestWorld.findings([log]) == [])
        let lines = sound.count { $0.contains(#""event":"conflict""#) }
        let alone = await TestWorld.onThread(["check", log])
        #expect(alone.output.contains("\n0 of \(lines) conflict lines could be held against the writes"), Comment(rawValue: alone.output))
        let together = await TestWorld.onThread(["check", log, trace])
        #expect(together.output.contains("\n\(lines) of \(lines) conflict lines could be held"), Comment(rawValue: together.output))
        var random = SplitMix64(seed: 79)
        for forgery in forgeries {
            for _ in 0..<times {
                guard let forged = try forgery.apply(to: sound, &random) else { continue }
                try fleet.write(forged.lines, to: name)
                #expect(!(try await TestWorld.findings([log, trace])).isEmpty, "\(forgery) is not found: \(forged.what)")
            }
        }
    }
}
