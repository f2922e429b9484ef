import Foundation
import SyncAuditCommands
import SyncModel
import SyncOracle
import Testing

/// Conflicts are held against the writes beside them; `CheckForgeryHistories` has more and larger fleets.
@Suite struct CheckForgeryTests {
    private let directory: TemporaryDirectory
    private let check: ForgeryCheck
    private let size = SimulatedFleet.Size(devices: 2, steps: 30)

    init() throws {
        directory = try TemporaryDirectory()
        check = try ForgeryCheck()
    }

    @Test(arguments: Array(ForgeryCheck.policies.enumerated()).map { ($1, ForgeryCheck.deleteRules[$0 % 3]) })
    func aSoundFleetGivesNoFindingsUnderEveryPolicy(policy: String, deletes: String) async throws {
        try await check.soundFleet(policy: policy, deletes: deletes, size, seed: 1, auditsToo: policy == "last-writer-wins")
    }

    /// What the audit of a trace has as well is forged there, below.
    @Test func whatADevicesLogAloneTellsIsHeldAgainstTheOthers() async throws {
        var random = SplitMix64(seed: 77)
        let forgeries: [Forgery] = [
            .droppedDecision, .writesValue, .writesSeen, .dropped, .doubled, .moved, .exchanged, .severity, .window, .lineTime,
        ]
        let tried = try await check.forged(
            forgeries, SimulatedFleet.Size(devices: 3, steps: 40), seed: 1, logs: 1, times: 1, &random)
        #expect(tried > 8)
    }

    @Test func everyForgeryInTheAuditOfATraceIsFound() async throws {
        var random = SplitMix64(seed: 78)
        let tried = try await check.forgedAudit(
            Forgery.allCases, SimulatedFleet.Size(devices: 3, steps: 40), seed: 3, times: 1, &random)
        #expect(tried > 20)
    }

    @Test func linesOfADeviceThatReportsNoWritesAreCheckedByOthers() async throws {
        try await check.deviceWithoutWrites(
            [.severity, .losersValue, .basis, .number], SimulatedFleet.Size(devices: 3, steps: 160), seed: 4, times: 1)
    }

    /// What no decision follows from, and another line or log knows.
    @Test func whatAnotherLineOrLogKnowsIsCompared() async throws {
        let fleet = directory.file("fleet")
        let simulated = await TestWorld.onThread(["simulate", "--seed", "3", "--steps", "150", "--loss", "0.2", "-o", fleet])
        try #require(simulated.code == .success)
        let logs = try FileManager.default.contentsOfDirectory(atPath: fleet).filter { $0 != "trace.jsonl" }.sorted()
        let texts = logs.map { directory.content("fleet/" + $0) ?? "" }
        try #require(logs.count == 3)
        func found(_ edited: [String]) async throws -> [String] {
            for (log, text) in zip(logs, edited) { try directory.create("fleet/" + log, text) }
            return try await TestWorld.findings([fleet])
        }
        #expect(try await found(texts) == [])
        func forged(_ sentence: String, _ edit: (String) -> String) async throws {
            let findings = try await found([texts[0], edit(texts[1]), texts[2]])
            #expect(findings.count == 1 && findings[0].contains(sentence), "\(sentence): \(findings)")
        }
        func line(_ text: String, _ parts: String...) throws -> String {
            String(try #require(text.split(separator: "\n").first { line in parts.allSatisfy(line.contains) }, "\(parts)"))
        }
        let failed = try line(texts[1], #""event":"sync""#, #""state":"failed""#)
        try await forged("and why it failed: ") {
            $0.replacing(failed, with: failed.replacing("failed", with: "succeeded", maxReplacements: 1))
        }
        let decided = try line(texts[1], #""event":"conflict""#, #""auto":true"#)
        try await forged(" is false, and its resolution ") {
            $0.replacing(decided, with: decided.replacing(#""auto":true"#, with: #""auto":false"#))
        }
        let taken = try line(texts[1], #""event":"write""#, #""hubSequence":"#)
        try await forged(" in the hub's order, and number ") {
            $0.replacing(taken, with: taken.replacing(#""hubSequence":"#, with: #""hubSequence":9"#))
        }
        let clock = try line(texts[1], #""event":"clock""#)
        let unnumbered = clock.replacing(/"seq":\d+,/, with: "")
        try await forged("1 line of iPad-2 has no number, and its other lines are numbered") { unnumbered + "\n" + $0 }
        func sources(_ text: String, _ device: String, _ other: String) -> String {
            text.replacing(#""source":"\#(device)""#, with: #""source":"\#(other)""#)
        }
        let names = logs.map { String($0.dropLast(6)) }
        let swapped = try await found([sources(texts[0], names[0], names[1]), sources(texts[1], names[1], names[0]), texts[2]])
        #expect(swapped.count { $0.contains("the logs have each other's names") } == 2, "\(swapped)")
    }

    @Test func aForgedSeverityDoesNotGetPastALimit() async throws {
        let story = try Story(directory)
        let forged = (directory.content("log.jsonl") ?? "").replacingOccurrences(of: #""severity":"lossy""#, with: #""severity":"benign""#)
        let path = try directory.path(forged, as: "forged.jsonl")
        for files in [[path, story.trace], [path]] {
            // Lines are counted as they are told, and whether they are told right is a kind of finding.
            let outcome = await TestWorld.onThread(["check", "--fail-on", "lossy>0,decision"] + files)
            #expect(outcome.code == .limitExceeded)
            #expect(outcome.output.contains("the severity is told as benign, and is lossy"), Comment(rawValue: outcome.output))
        }
    }

    @Test func aRepeatedLineIsAllowedOnceForEachStartOfTheProgram() async throws {
        let fleet = try await SimulatedFleet(directory, SimulatedFleet.Size(devices: 2, steps: 60), seed: 6)
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
