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
