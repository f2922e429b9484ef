import Foundation
import SyncAuditCommands
import SyncModel
import Testing

@Suite struct ReplayOutcomeTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Two people edit different fields of one note apart, and then the same field of another.
    private static let trace =
        Trace.put("a", 1, at: 0, "1", #"{"title":"Plan","text":"-","tags":["x"]}"#)
        + Trace.put("a", 2, at: 10, "1", #"{"title":"Big plan"}"#, saw: #"{"a":1}"#)
        + Trace.put("b", 1, at: 20, "1", #"{"text":"Begin","tags":["x","y"]}"#, saw: #"{"a":1}"#)
        + Trace.put("a", 3, at: 30, "2", #"{"title":"One","done":false}"#)
        + Trace.put("b", 2, at: 40, "2", #"{"title":"Two","done":true}"#)

    private static let perRecord =
        #"{"recordType":"Note","recordID":"1","fields":{"title":"Plan","text":"Begin","tags":["x","y"]}}"# + "\n"
        + #"{"recordType":"Note","recordID":"2","fields":{"title":"Th\u001b[31mree","done":true}}"# + "\n"

    @Test func table() throws {
        let world = TestWorld()
        try world.pipe(Self.trace)
        #expect(world.run("replay", "--outcome", try directory.path(Self.perRecord, as: "rows.jsonl")) == .success)
        #expect(world.errorText == "")
        #expect(
            world.output.text == """
                5 writes decided under 5 policies and compared with 2 final rows

                Note is merged per record: record-last-writer-wins and record-last-arrival-wins
                each explain 2 of the 3 fields in which the policies differ.
                  The outcome cannot tell last-writer-wins and last-arrival-wins apart.
                  The outcome cannot tell record-last-writer-wins and record-last-arrival-wins
                  apart.
                  Where the policies agree, so does the outcome, in 2 fields.

                Fields      differ  A  B  C  D  E  explained by
                Note             3  1  2  1  2  0  B or D
                Note.title       2  0  1  0  1  0  B or D
                Note.done        1  1  1  1  1  0  A or B or C or D
                A is last-writer-wins, B is record-last-writer-wins, C is last-arrival-wins, D
                is record-last-arrival-wins, E is first-writer-wins.

                1 row that no policy explains
                  Note "2": title is "Th\\u001b[31mree", should be "Two"

                2 edits were lost: no later writer had seen them, and the outcome shows
                something else
                  Note.done 1, Note.title 1
                  Note "1": title was "Big plan" by a at 2026-01-15T14:00:10.000Z, is "Plan"
                  Note "2": done was false by a at 2026-01-15T14:00:30.000Z, is true

                """)
    }

    @Test func json() throws {
        let world = TestWorld()
        try world.pipe(Self.trace)
        #expect(world.run("replay", "-f", "json", "--outcome", try directory.path(Self.perRecord, as: "rows.jsonl")) == .success)
        #expect(
            world.output.text == #"""
                {"outcome":1,"writes":5,"writesWithoutContext":0,"isConclusive":true,"isDisordered":false,"openWrites":0,"isComplete":false,"rows":2,"rowsRepeated":0,"editsLost":2,"editsSuspected":0\#
                ,"lost":[{"recordType":"Note","recordID":"1","field":"title","device":"a","n":2,"ts":"2026-01-15T14:00:10.000Z","value":"Big plan","outcome":"Plan","proven":true}\#
                ,{"recordType":"Note","recordID":"2","field":"done","device":"a","n":3,"ts":"2026-01-15T14:00:30.000Z","value":false,"outcome":true,"proven":true}]\#
                ,"policies":["last-writer-wins","record-last-writer-wins","last-arrival-wins","record-last-arrival-wins","first-writer-wins"]\#
                ,"types":[{"recordType":"Note","rows":2,"rowsOfOtherRecords":0,"perRecord":true,"differing":3,"agreeing":[1,2,1,2,0],"best":["record-last-writer-wins","record-last-arrival-wins"],"alike":2,"alikeAgreeing":2\#
                ,"editsLost":2,"editsSuspected":0,"notToldApart":[["last-writer-wins","last-arrival-wins"],["record-last-writer-wins","record-last-arrival-wins"]],"deletes":{"best":"delete-wins","differing":0,"agreeing":{"delete-wins":0,"edit-wins":0,"last-writer-wins":0}},"unknownFields":[],"fieldsNotCompared":[]\#
                ,"byField":[{"field":"done","differing":1,"agreeing":[1,1,1,1,0],"best":["last-writer-wins","record-last-writer-wins","last-arrival-wins","record-last-arrival-wins"],"alike":0,"alikeAgreeing":0,"editsLost":1,"editsSuspected":0}\#
                ,{"field":"tags","differing":0,"agreeing":[0,0,0,0,0],"best":[],"alike":1,"alikeAgreeing":1,"editsLost":0,"editsSuspected":0}\#
                ,{"field":"text","differing":0,"agreeing":[0,0,0,0,0],"best":[],"alike":1,"alikeAgreeing":1,"editsLost":0,"editsSuspected":0}\#
                ,{"field":"title","differing":2,"agreeing":[0,1,0,1,0],"best":["record-last-writer-wins","record-last-arrival-wins"],"alike":0,"alikeAgreeing":0,"editsLost":1,"editsSuspected":0}]}],"typesNotHeld":[]\#
                ,"unexplained":{"rows":1,"listed":[{"recordType":"Note","recordID":"2","fields":[{"field":"title","outcome":"Th\u001b[31mree","expected":"Two"}]}]}}

                """#)
    }

    @Test func aTableOfADatabase() throws {
        let world = TestWorld()
        try world.pipe(Self.trace)
        let csv = "id,title,text,tags,done,created\r\n1,Big plan,Begin,\"[\"\"x\"\",\"\"y\"\"]\",,2026\r\n2,Two,,,t,2026\r\n"
        #expect(world.run("replay", "--outcome", try directory.path(csv, as: "notes.csv"), "-") == .success)
        #expect(world.output.text.contains("Note is merged per property: last-writer-wins and last-arrival-wins each explain"))
        #expect(world.output.text.contains("Only the outcome has these fields: created."))
        #expect(world.output.text.contains("Every row that was compared is explained"))
    }

    @Test func aValuePutBackByASaveThatSaysNothingIsSuspected() throws {
        let trace =
            Trace.put("desk", at: 0, #"{"seats":"4"}"#, saw: nil) + Trace.put("desk", 2, at: 3600, #"{"seats":"6"}"#, saw: nil)
            + Trace.put("phone", at: 5400, #"{"seats":"4"}"#, saw: nil)
        let file = try directory.path(trace)
        let rows = try directory.path(#"{"recordType":"Note","recordID":"1","fields":{"seats":"4"}}"# + "\n", as: "rows.jsonl")
        let world = TestWorld()
        #expect(world.run("replay", "--outcome", rows, file) == .success)
        #expect(
            world.output.text.hasSuffix(
                """
                1 edit may have been lost, suspected and not proven: no writer who is known to
                have seen it replaced it, and the outcome shows something else
                  Note.seats 1
                  Note "1": seats was "6" by desk at 2026-01-15T15:00:00.000Z, is "4", put back
                  by phone; suspected
                None of the 3 writes says what its writer had seen, so nothing can be proven,
                and suspicion rests on times and repeated values; see 'syncaudit help audit'.

                """), "\(world.output.text)")
        let json = TestWorld()
        #expect(json.run("replay", "-f", "json", "--outcome", rows, file) == .success)
        #expect(
            json.output.text.contains(
                #"""
                "editsLost":1,"editsSuspected":1,"lost":[{"recordType":"Note","recordID":"1","field":"seats","device":"desk","n":2,"ts":"2026-01-15T15:00:00.000Z","value":"6","outcome":"4","proven":false,"putBackBy":"phone"}]
                """#), "\(json.output.text)")
    }

    /// What the command itself merges under a policy is recognized as merged by it; `RecordedReplayHistories` has larger fleets.
    @Test(arguments: ReplayCheck.recognizedPolicies) func aSimulatedFleetIsRecognized(policy: String) async throws {
        try await ReplayCheck().outcome(of: policy, SimulatedFleet.Size(devices: 3, steps: 60), seed: 7)
    }

    @Test func theOutcomeMayComeFromStandardInput() throws {
        let world = TestWorld()
        try world.pipe(Self.perRecord + Self.perRecord)
        #expect(world.run("replay", "--outcome", "-", try directory.path(Self.trace)) == .success)
        #expect(world.output.text.contains("compared with 2 final rows"))
        #expect(world.errorText == "syncaudit: 2 rows passed over whose record had a row before (first at standard input:3)\n")
    }

    @Test func policiesOfOnesOwnAreCompared() throws {
        let world = TestWorld()
        try world.pipe(Self.trace)
        let rows = try directory.path(Self.perRecord, as: "rows.jsonl")
        #expect(world.run("replay", "--recorded-for", "Note.tags=set", "--policy", "manual", "-f", "json", "--outcome", rows) == .success)
        #expect(
            try world.only("policies")
                == [
                    "last-writer-wins", "record-last-writer-wins", "last-arrival-wins", "record-last-arrival-wins", "first-writer-wins",
                    "manual", "Note.tags=set",
                ])
    }

    @Test(arguments: [
        (["--outcome", "-"], ExitCode.usage, "--outcome: '-' is standard input, which is read already"),
        (["--outcome", "ROWS", "--deletes", "edit-wins"], .usage, "--deletes: with --outcome every rule for deletes is compared anyway"),
        (["--id-column", "key"], .usage, "--id-column says how a file is read that --outcome names"),
        (["--outcome", "ROWS", "-o", "ROWS"], .usage, "is one of the inputs, which it would replace"),
        (["--outcome", "missing.csv"], .noInput, "missing.csv: there is no such file"),
        (["--outcome", "ROWS", "--id-column", "key"], .badData, "rows.csv:1: the header has no column \"key\""),
    ])
    func whatCannotBeCompared(_ arguments: [String], _ code: ExitCode, _ complaint: String) throws {
        let rows = try directory.path("id,title\n1,x\n", as: "rows.csv")
        let world = TestWorld()
        try world.pipe(Self.trace)
        #expect(world.run(["replay"] + arguments.map { $0 == "ROWS" ? rows : $0 }) == code)
        #expect(world.errorText.contains(complaint), "\(world.errorText)")
        #expect(world.output.text == "")
    }

    @Test func moreThanSixtyFourPoliciesAreTooMany() throws {
        let world = TestWorld()
        try world.pipe(Self.trace)
        let rows = try directory.path(Self.perRecord, as: "rows.jsonl")
        let many = (1...62).flatMap { ["--policy", "prefer-devices:d\($0)"] }
        #expect(world.run(["replay", "--outcome", rows] + many) == .usage)
        #expect(world.errorText.contains("--policy: 67 policies are to be compared, and 64 can be at once; name fewer"))
    }
}
