import Foundation
import SyncAuditCommands
import SyncModel
import SyncOracle
import Testing

/// Conflicts are held against the writes beside them: sound fleets give no findings, and a single forgery is found.
@Suite struct CheckForgeryTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    static let policies = [
        "last-writer-wins", "record-last-writer-wins", "first-writer-wins", "maximum", "minimum", "counter", "set", "manual",
        "prefer-devices:Mac-3,iPhone-1",
    ]

    @Test(arguments: policies, ["delete-wins", "edit-wins", "last-writer-wins"])
    func soundFleetsGiveNoFindingsUnderEveryPolicyAndDeleteRule(policy: String, deletes: String) async throws {
        for seed in 1...2 {
            let fleet = try await SimulatedFleet(
                directory, "fleet-\(seed)", "--devices", "4", "--steps", "160", "--seed", "\(seed)", "--policy", policy, "--deletes",
                deletes)
            #expect(try await TestWorld.findings([fleet.path]) == [], "\(policy) \(deletes) \(seed)")
            guard seed == 1 else { continue }
            #expect(try await TestWorld.findings(["--policy", policy, "--deletes", deletes, fleet.path]) == [])
            // What was audited afterwards is sound as well, beside the devices' logs and without them.
            let audit = await TestWorld.onThread(
                ["audit", "--policy", policy, "--deletes", deletes, "-o", fleet.path + "/audit.jsonl", fleet.path + "/trace.jsonl"])
            #expect(audit.code == .success)
            #expect(try await TestWorld.findings([fleet.path]) == [], "\(policy) \(deletes) \(seed)")
            #expect(try await TestWorld.findings([fleet.path + "/audit.jsonl", fleet.path + "/trace.jsonl"]) == [])
            #expect(try await TestWorld.findings([fleet.path + "/audit.jsonl"]) == [])
        }
    }

    @Test(arguments: Forgery.allCases)
    func oneForgeryInOneLogOfAFleetIsFound(_ forgery: Forgery) async throws {
        var random = SplitMix64(seed: 77)
        var (tried, found) = (0, 0)
        for seed in 1...2 {
            let fleet = try await SimulatedFleet(directory, "fleet-\(seed)", "--devices", "3", "--steps", "120", "--seed", "\(seed)")
            for name in fleet.logs.prefix(2) {
                let sound = try fleet.lines(name)
                for _ in 0..<2 {
                    guard let forged = try forgery.apply(to: sound, &random) else { continue }
                    try fleet.write(forged.lines, to: name)
                    tried += 1
                    if try await TestWorld.findings([fleet.path]).isEmpty {
                        Issue.record("\(forgery) in \(name) of seed \(seed) is not found: \(forged.what)")
                    } else {
                        found += 1
                    }
                }
                try fleet.write(sound, to: name)
            }
        }
        #expect(tried > 0)
        print("\(forgery): \(found) of \(tried) found in a fleet")
    }

    @Test(arguments: Forgery.allCases)
    func oneForgeryInTheAuditOfATraceIsFound(_ forgery: Forgery) async throws {
        // A device's log alone tells of these.
        guard ![.droppedDecision, .writesValue, .writesSeen].contains(forgery) else { return }
        var random = SplitMix64(seed: 78)
        var (tried, found) = (0, 0)
        for seed in 3...3 {
            let fleet = try await SimulatedFleet(directory, "fleet-\(seed)", "--devices", "3", "--steps", "120", "--seed", "\(seed)")
            let options = ["audit", "--statistics", "-o", fleet.path + "/audit.jsonl", fleet.path + "/trace.jsonl"]
            #expect(await TestWorld.onThread(options + fleet.rules).code == .success)
            let sound = try fleet.lines("audit.jsonl")
            for _ in 0..<4 {
                guard let forged = try forgery.apply(to: sound, &random) else { continue }
                try fleet.write(forged.lines, to: "audit.jsonl")
                tried += 1
                if try await TestWorld.findings([fleet.path + "/audit.jsonl", fleet.path + "/trace.jsonl"]).isEmpty {
                    Issue.record("\(forgery) of seed \(seed) is not found: \(forged.what)")
                } else {
                    found += 1
                }
            }
        }
        print("\(forgery): \(found) of \(tried) found in an audit")
    }

    @Test func linesOfADeviceThatReportsNoWritesAreCheckedByOthers() async throws {
        let fleet = try await SimulatedFleet(directory, "fleet", "--devices", "3", "--steps", "160", "--seed", "4")
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
        for forgery in [Forgery.severity, .reason, .losersValue, .kind, .winnersTime, .basis, .swappedSides, .id, .field, .number] {
            for _ in 0..<4 {
                guard let forged = try forgery.apply(to: sound, &random) else { continue }
                try fleet.write(forged.lines, to: name)
                #expect(!(try await TestWorld.findings([log, trace])).isEmpty, "\(forgery) is not found: \(forged.what)")
            }
        }
    }

    @Test func aForgedSeverityDoesNotGetPastALimit() async throws {
        let story = try Story(directory)
        let forged = (directory.content("log.jsonl") ?? "").replacingOccurrences(of: #""severity":"lossy""#, with: #""severity":"benign""#)
        let path = try directory.path(forged, as: "forged.jsonl")
        for files in [[path, story.trace], [path]] {
            let outcome = await TestWorld.onThread(["check", "--fail-on", "lossy>0"] + files)
            #expect(outcome.code == .limitExceeded)
            #expect(outcome.output.contains("the severity is told as benign, and is lossy"), Comment(rawValue: outcome.output))
        }
    }

    @Test func aRepeatedLineIsAllowedOnceForEachStartOfTheProgram() async throws {
        let fleet = try await SimulatedFleet(directory, "fleet", "--devices", "2", "--steps", "160", "--seed", "6")
        let name = try #require(fleet.logs.first)
        let sound = try fleet.lines(name)
        let index = try #require(
            sound.indices.dropLast().first { sound[$0].contains(#""event":"conflict""#) && !sound[$0 + 1].contains(#""event":"conflict""#) }
        )
        let start = try #require(sound.first)
        #expect(start.contains(#""opened":true"#))
        let conflict = sound[index]
        for (inserted, isSound) in [
            ([start, conflict], true), ([start, conflict, start, conflict], true), ([conflict], false),
            ([start, conflict, conflict], false),
        ] {
            try fleet.write(try Forgery.renumbered(Array(sound[...index]) + inserted + sound[(index + 1)...]), to: name)
            let found = try await TestWorld.findings([fleet.path])
            #expect(found.isEmpty == isSound, "\(found)")
            if !isSound { #expect(found.count == 1 && found[0].hasPrefix("duplicate: "), "\(found)") }
        }
    }

    @Test func omittedValuesAreNotComparedAndEverythingElseIs() async throws {
        let trace =
            Story.writes + Trace.put("iPad", 2, at: 200, "43", #"{"phone":"1"}"#, type: "Card")
            + Trace.put("iPhone", 2, at: 230, "43", #"{"phone":"2"}"#, type: "Card")
        let story = try Story(directory, trace: trace, ["--privacy", "omitted"])
        #expect(try await TestWorld.findings([story.log, story.trace]) == [])
        let log = directory.content("log.jsonl") ?? ""
        for (old, new) in [("lossy", "benign"), ("newer", "tie_break"), ("update_update", "insert_insert"), ("iPhone", "Nobody")] {
            let path = try directory.path(log.replacing(old, with: new, maxReplacements: 1), as: "forged.jsonl")
            #expect(!(try await TestWorld.findings([path, story.trace])).isEmpty, "\(old)")
        }
    }

    @Test func aWriteThatWinsRepeatedlyRestoresNothing() async throws {
        let trace =
            Trace.put("a", 1, at: 100, #"{"v":"a"}"#)
            + [(1, 50), (2, 150), (3, 60), (4, 160)].map { number, time in
                Trace.put("b", number, at: time, #"{"v":"b"}"#, saw: number == 1 ? "{}" : #"{"b":\#(number - 1)}"#)
            }.joined()
        let story = try Story(directory, trace: trace)
        #expect(try await TestWorld.findings([story.log, story.trace]) == [])
    }
}
