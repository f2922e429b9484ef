import Foundation
import SyncAuditCommands
import SyncModel
import Testing

@Suite struct ReplayVerbTests {
    /// Two devices count and tag apart, and one deletes what the other edits.
    private static let trace =
        Trace.put("a", 1, at: 0, #"{"visits":1,"tags":["x"],"name":"Ada"}"#)
        + Trace.put("a", 2, at: 10, #"{"visits":2}"#, saw: #"{"a":1}"#)
        + Trace.put("a", 3, at: 20, #"{"visits":3}"#, saw: #"{"a":2}"#)
        + Trace.put("a", 4, at: 30, #"{"visits":4,"tags":["x","y"]}"#, saw: #"{"a":3}"#)
        + Trace.put("b", 1, at: 40, #"{"visits":5,"tags":["x","z"],"name":"Bea"}"#, saw: #"{"a":3}"#)
        + Trace.put("a", 5, at: 50, #"{"name":"Eve\u001b[31m"}"#, saw: #"{"a":4}"#)

    /// The rules are those of the audit whose log is among the files, wherever it stands, unless they are given.
    @Test func rulesThatALogStatesAreTakenAsRecorded() throws {
        let directory = try TemporaryDirectory()
        let story = try Story(directory, ["--policy", "first-writer-wins", "--deletes", "edit-wins"])
        let (stated, given, piped) = (TestWorld(), TestWorld(), TestWorld())
        #expect(stated.run("replay", story.trace, story.log) == .success)
        #expect(stated.output.text.contains("recorded: the log's rules") && stated.errorText.isEmpty)
        #expect(
            given.run("replay", "--recorded", "last-writer-wins", "--recorded-deletes", "edit-wins", story.trace, story.log) == .success)
        #expect(given.output.text.contains("recorded: last-writer-wins"))
        try piped.pipe(String(contentsOfFile: story.log, encoding: .utf8))
        #expect(piped.run("replay", story.trace, "-") == .success)
        #expect(piped.errorText.contains("standard input:1: the log states by which rules it was audited, and others are taken"))
    }

    @Test func table() throws {
        let world = TestWorld()
        try world.pipe(Self.trace)
        #expect(
            world.run("replay", "--policy", "counter", "--policy", "Note.tags=set", "--policy", "manual", "--deletes", "edit-wins")
                == .success)
        #expect(
            world.output.text == """
                6 writes decided again under 4 other policies
                3 edits lose under last-writer-wins. Which edits were lost in your system, its
                final rows tell: compare them with --outcome.
                Note.tags: set would keep 1 of 1, more than any other change.

                Policy                      conflicts  lose  saved  newly lose  winners  values
                recorded: last-writer-wins          3     3
                A  counter                          3     2      1           0        0       1
                B  Note.tags=set                    3     2      1           0        0       1
                C  manual                           3     3      0           0        0       0
                D  deletes=edit-wins                3     3      0           0        0       0
                Winners: conflicts decided differently. Values: fields that show something else
                in the end.
                C: 3 of the edits that lose wait for the app to decide.

                Edits that lose, by field  recorded  A  B  C  D
                Note.name                         1  1  1  1  1
                Note.tags                         1  1  0  1  1
                Note.visits                       1  0  1  1  1

                Recommendations
                  Note.tags: set
                      it is edited as a list: 'set' would keep 1 of 1 losing edit.
                  Note.visits: counter
                      it only ever grows, mostly by small steps: 'counter' would keep 1 of 1
                      losing increment.
                  Note.name: manual
                      it holds one value at a time, of which every rule drops one: 'manual'
                      would have asked once.

                """)
    }

    @Test func whereTheFewestEditsLoseComesFirst() throws {
        let world = TestWorld()
        try world.pipe(Self.trace)
        #expect(
            world.run("replay", "--policy", "record-last-writer-wins", "--policy", "Note.tags=set", "--policy", "counter", "-") == .success)
        let lines = world.output.text.split(separator: "\n")
        let losing = lines.filter { ["A  ", "B  ", "C  "].contains($0.prefix(3)) }.map { $0.split(separator: " ")[3] }
        #expect(losing.count == 3 && losing == losing.sorted(), "\(world.output.text)")
        #expect(lines.contains { $0.hasPrefix("A  Note.tags=set") })
        let fields = lines.drop { !$0.hasPrefix("Edits that lose") }.dropFirst().prefix { $0.hasPrefix("Note") }
        let largest = fields.compactMap { $0.split(separator: " ").compactMap { Int($0) }.max() }
        #expect(largest.count > 1 && largest == largest.sorted(by: >), "\(world.output.text)")
    }

    @Test func json() throws {
        let world = TestWorld()
        try world.pipe(Self.trace)
        #expect(world.run("replay", "--policy", "Note.visits=counter", "--format", "json", "-") == .success)
        #expect(
            world.output.text == #"""
                {"replay":1,"writes":6,"writesWithoutContext":0,"isConclusive":true,"isDisordered":false,"plainWritesWithoutContext":0,"finding":"3 conflicts; 3 edits lost"\#
                ,"policies":[{"policy":"last-writer-wins","recorded":true,"conflicts":3,"editsLost":3,"editsSuspected":0,"waiting":0,"saved":0,"newlyLost":0,"winnersChanged":0,"valuesChanged":0\#
                ,"byField":[{"recordType":"Note","field":"name","conflicts":1,"editsLost":1,"editsSuspected":0,"waiting":0,"saved":0,"newlyLost":0,"winnersChanged":0,"valuesChanged":0}\#
                ,{"recordType":"Note","field":"tags","conflicts":1,"editsLost":1,"editsSuspected":0,"waiting":0,"saved":0,"newlyLost":0,"winnersChanged":0,"valuesChanged":0}\#
                ,{"recordType":"Note","field":"visits","conflicts":1,"editsLost":1,"editsSuspected":0,"waiting":0,"saved":0,"newlyLost":0,"winnersChanged":0,"valuesChanged":0}]}\#
                ,{"policy":"Note.visits=counter","recorded":false,"conflicts":3,"editsLost":2,"editsSuspected":0,"waiting":0,"saved":1,"newlyLost":0,"winnersChanged":0,"valuesChanged":1\#
                ,"byField":[{"recordType":"Note","field":"name","conflicts":1,"editsLost":1,"editsSuspected":0,"waiting":0,"saved":0,"newlyLost":0,"winnersChanged":0,"valuesChanged":0}\#
                ,{"recordType":"Note","field":"tags","conflicts":1,"editsLost":1,"editsSuspected":0,"waiting":0,"saved":0,"newlyLost":0,"winnersChanged":0,"valuesChanged":0}\#
                ,{"recordType":"Note","field":"visits","conflicts":1,"editsLost":0,"editsSuspected":0,"waiting":0,"saved":1,"newlyLost":0,"winnersChanged":0,"valuesChanged":1}]}]\#
                ,"recommendations":[{"recordType":"Note","field":"tags","policy":"set","editsLost":1,"saved":1,"reason":"it is edited as a list: 'set' would keep 1 of 1 losing edit"}\#
                ,{"recordType":"Note","field":"visits","policy":"counter","editsLost":1,"saved":1,"reason":"it only ever grows, mostly by small steps: 'counter' would keep 1 of 1 losing increment"}\#
                ,{"recordType":"Note","field":"name","policy":"manual","editsLost":1,"reason":"it holds one value at a time, of which every rule drops one: 'manual' would have asked once"}]}

                """#)
    }

    @Test func everyPolicyThatNeedsNoNamesUnlessSomeAreGiven() throws {
        let world = TestWorld()
        try world.pipe(Self.trace)
        #expect(world.run("replay", "--recorded", "counter", "-f", "json") == .success)
        let names = try world.only("policies")?.array?.compactMap { $0.object?["policy"]?.string }
        #expect(
            names == [
                "counter", "last-writer-wins", "record-last-writer-wins", "last-arrival-wins", "first-writer-wins", "maximum", "minimum",
                "set", "deletes=edit-wins",
            ])
    }

    @Test func aLogThatNamesAnotherPolicyIsNoticed() throws {
        let world = TestWorld()
        try world.pipe(Self.trace)
        #expect(world.run("audit", "--policy", "first-writer-wins") == .success)
        let second = TestWorld()
        try second.pipe(Self.trace + world.output.text)
        #expect(second.run("replay", "--policy", "maximum") == .success)
        #expect(
            second.errorText.contains(
                "standard input:7: the log states by which rules it was audited, and others are taken as recorded; name the file instead of a stream"
            ))
        let third = TestWorld()
        try third.pipe(Self.trace + world.output.text)
        #expect(third.run("replay", "--recorded", "first-writer-wins") == .success)
        #expect(third.errorText == "")
    }

    @Test(arguments: [
        (["--policy", "newest"], ExitCode.usage, "--policy: \"newest\" is not one of last-writer-wins"),
        (
            ["--recorded-for", "Note=record-last-writer-wins", "--policy", "Note.tags=set"], .usage,
            "--policy: records of type \"Note\" are kept"
        ),
        (["--recorded-for", "Note.tags"], .usage, "--recorded-for: \"Note.tags\" sets nothing"),
        (["--deletes", "never"], .usage, "--deletes: \"never\" is not one of"),
        ([], .badData, "standard input:1: there is no write in it, and only writes and merges can be decided again"),
    ])
    func whatCannotBeReplayed(_ arguments: [String], _ code: ExitCode, _ complaint: String) throws {
        let world = TestWorld()
        try world.pipe("")
        #expect(world.run(["replay"] + arguments) == code)
        #expect(world.errorText.contains(complaint))
        #expect(world.output.text == "")
    }

    @Test(.enabled(if: FileManager.default.isReadableFile(atPath: Self.realTrace), "the trace is beside the repository, not in it"))
    func theHistoryOfADataFile() throws {
        let world = TestWorld()
        #expect(world.run("replay", Self.realTrace, "--policy", "set", "--policy", "last-writer-wins", "-f", "json") == .success)
        let policies = try #require(try world.only("policies")?.array?.compactMap(\.object))
        let counts = policies.map { policy in
            ["conflicts", "editsLost", "saved", "newlyLost", "winnersChanged", "valuesChanged"].map { policy[FieldName($0)]?.integer }
        }
        #expect(counts == [[910, 67, 0, 0, 0, 0], [910, 4, 63, 0, 0, 8], [910, 67, 0, 0, 0, 0]])
        let first = try world.only("recommendations")?.array?.first?.object
        #expect(first?["field"] == "extensions" && first?["policy"] == "set" && first?["editsLost"] == 45 && first?["saved"] == 45)
    }

    private static let realTrace = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../shared/data/languages-writes.jsonl").path

    @Test func aReaderThatHasSeenEnoughIsNoFailure() throws {
        let world = TestWorld()
        try world.pipe(Self.trace)
        world.output.failure = .outputClosed
        #expect(world.run("replay") == .success)
        #expect(world.errorText == "")
    }
}
