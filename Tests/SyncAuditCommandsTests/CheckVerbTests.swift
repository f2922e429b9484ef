import Foundation
import SyncAuditCommands
import SyncBytes
import SyncModel
import SyncOracle
import Testing

@Suite struct CheckVerbTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func run(_ arguments: [String]) async -> (code: ExitCode, output: String, errors: String) {
        await TestWorld.onThread(arguments)
    }

    private func findings(_ paths: [String]) async throws -> [String] { try await TestWorld.findings(paths) }

    @Test(arguments: ["Note=name", "Note.name", "name"]) func recordsAreCalledAsTheOptionSays(_ name: String) throws {
        let directory = try TemporaryDirectory()
        let trace =
            Trace.put("Mac", at: 0, "1", #"{"name":"Ann\u001b","v":1}"#) + Trace.put("a", at: 5, "1", #"{"v":5}"#)
            + Trace.put("b", at: 60, "1", #"{"v":3}"#)
        let audit = TestWorld()
        #expect(audit.run("audit", try directory.create("trace.jsonl", trace)) == .success)
        let log = try directory.create(
            "log.jsonl", trace + audit.output.text.replacing(#""severity":"lossy""#, with: #""severity":"benign""#))
        let (named, plain, json) = (TestWorld(), TestWorld(), TestWorld())
        #expect(named.run("check", "--name", name, log) == .limitExceeded)
        #expect(named.output.text.contains(#" over Note "Ann\u001b".v: "#) && !named.output.text.contains("Note/1"), "\(named.output.text)")
        #expect(plain.run("check", log) == .limitExceeded)
        #expect(plain.output.text.contains(" over Note/1.v: "))
        // For other programs the identity is of more use.
        #expect(json.run("check", "--name", name, "--format", "json", log) == .limitExceeded)
        #expect(json.output.text.contains(" over Note/1.v: "))
    }

    /// Findings and conflicts of one record, and no others.
    @Test func oneRecordAlone() async throws {
        let trace = (1...2).map { number in
            Trace.put("a", number, at: 5 * number, "\(number)", #"{"v":5}"#)
                + Trace.put("b", number, at: 60 * number, "\(number)", #"{"v":3}"#)
        }.joined()
        let audit = TestWorld()
        let path = try directory.create("trace.jsonl", trace)
        #expect(audit.run("audit", path) == .success)
        var lines = audit.output.text.split(separator: "\n").map(String.init)
        let index = try #require(lines.firstIndex { $0.contains(#""recordID":"1""#) && $0.contains(#""severity":"lossy""#) })
        lines[index] = lines[index].replacing(#""severity":"lossy""#, with: #""severity":"benign""#)
        let log = try directory.create("log.jsonl", (lines + [lines[0]]).joined(separator: "\n") + "\n")
        let one = await run(["check", "--record", "Note/1", path, log])
        #expect(one.code == .limitExceeded && one.output.contains("of Note/1 alone; 1 finding about no single record left out\n"), "\(one)")
        #expect(one.output.contains("over Note/1.v") && !one.output.contains("Note/2"), "\(one.output)")
        let other = await run(["check", "--record", "Note/2", "-f", "json", path, log])
        let found = try #require(try JSONParser.parse(other.output).object)
        #expect(other.code == .success && found["findings"] == .array([]) && found["general"]?.integer == 1, "\(other)")
        #expect(found["records"] == .array(["Note/2"]) && found["conflicts"]?.integer == 1)
        let none = await run(["check", "--record", "Note/3", path, log])
        #expect(none.code == .noInput)
        #expect(none.errors.contains("--record: nothing that was read has the record \"Note/3\""), "\(none.errors)")
    }

    @Test func aTraceAndItsAuditAreSound() async throws {
        let story = try Story(directory)
        #expect(try await findings([story.trace, story.log]) == [])
    }

    /// What `audit` was given need not be said again: its log states it.
    @Test(arguments: [
        ["--policy", "first-writer-wins"], ["--policy", "prefer-devices:iPad,iPhone"], ["--policy", "record-last-writer-wins"],
        ["--policy-for", "Card.tags=set", "--bookkeeping", "notes"], ["--outside-window", "count", "--window", "1h"],
        ["--deletes", "edit-wins", "--tolerance", "1h"], ["--privacy", "Card.notes=omitted"], ["--privacy", "omitted"],
        ["--whole-records"], ["--unique", "Card.email", "--reference", "company=Card"],
    ])
    func anAuditIsHeldAgainstItsOwnRules(options: [String]) async throws {
        let story = try Story(directory, trace: String(contentsOfFile: sample("traces/business-cards.jsonl"), encoding: .utf8), options)
        let ofTrace = try await findings([story.trace])
        #expect(try await findings([story.trace, story.log]) == ofTrace)
        // Without what it states, what privacy left out of an ancestor is missed.
        guard options == ["--privacy", "Card.notes=omitted"] else { return }
        let log = try String(contentsOfFile: story.log, encoding: .utf8).split(separator: "\n").dropFirst().joined(separator: "\n") + "\n"
        #expect(try await findings([story.trace, try directory.path(log, as: "unstated.jsonl")]).count > ofTrace.count)
    }

    /// Merges of handlers are judged by what all logs of audits state alike, however many there are.
    @Test(arguments: [1, 2]) func rulesThatSeveralLogsStateAlikeHold(logs: Int) async throws {
        let merge = try directory.path(
            #"{"event":"merge","ts":"2026-01-15T14:05:00Z","device":"Mac","recordType":"Card","recordID":"1","ancestor":{"fields":{"v":0}},"#
                + #""client":{"fields":{"v":1},"ts":"2026-01-15T14:01:00Z"},"server":{"fields":{"v":2},"ts":"2026-01-15T14:02:00Z","#
                + #""device":"iPad"},"result":{"fields":{"v":1}}}"# + "\n", as: "merge.jsonl")
        #expect(
            try await findings([merge]).contains { $0.contains("older") }, "by the later edit 2 is kept")
        let paths = try (0..<logs).map { index in
            let other = try TemporaryDirectory()
            let story = try Story(other, ["--policy", "first-writer-wins"])
            let log = try String(contentsOfFile: story.log, encoding: .utf8).replacing(#""syncaudit""#, with: "\"log\(index)\"")
            return try directory.path(String(log.split(separator: "\n")[0]) + "\n", as: "log\(index).jsonl")
        }
        #expect(try await findings(paths + [merge]) == [])
    }

    @Test func rulesThatMeanNothingAreNamedAndDisagreementIsNoRule() async throws {
        let story = try Story(directory, ["--policy", "first-writer-wins"])
        let log = try String(contentsOfFile: story.log, encoding: .utf8)
        let unknown = try directory.path(log.replacing("first-writer-wins", with: "quantum"), as: "unknown.jsonl")
        #expect(
            try await findings([story.trace, unknown]).first?.hasPrefix(
                #"schema: \#(unknown):1: the rules that the log states cannot be used: "policy": "quantum" is not one of "#) == true)
        // Two audits in one log: what they agree on is not known, and each line names its policy.
        let elsewhere = try TemporaryDirectory()
        let other = try Story(elsewhere)
        let both = try directory.path(
            log + String(contentsOfFile: other.log, encoding: .utf8).replacing(#""syncaudit""#, with: #""other""#), as: "both.jsonl")
        #expect(try await findings([story.trace, both]).contains { $0.contains("the rules") } == false)
    }

    /// One history in each of the three forms, whose devices number nothing: no number is missing.
    @Test(arguments: ["seen", "cursor", "rev"]) func nothingIsMissingWhereNobodyNumbered(form: String) async throws {
        let writes: [(device: String, record: String, cursor: Int, parents: [Int])] = [
            ("A", "9", 0, []), ("B", "9", 1, [1]), ("A", "9", 1, [1]), ("A", "8", 0, []), ("B", "9", 4, [2, 3]),
        ]
        let lines = writes.enumerated().map { index, write in
            let number = index + 1
            let parents = write.parents.map { "\"\($0)\"" }.joined(separator: ",")
            let context =
                switch form {
                case "seen": #""n":\#(number),"seen":{}"#
                case "cursor": #""hubSequence":\#(number),"cursor":\#(write.cursor)"#
                default: #""rev":"\#(number)""# + (parents.isEmpty ? "" : #","parents":[\#(parents)]"#)
                }
            return #"{"event":"write","ts":"2026-01-15T14:0\#(index):00Z","device":"\#(write.device)","recordType":"Card","#
                + #""recordID":"\#(write.record)","op":"put","fields":{"title":"\#(index)"},\#(context)}"# + "\n"
        }
        let trace = try directory.path(lines.joined(), as: "trace.jsonl")
        let audited = directory.file("audited.jsonl")
        #expect(await run(["audit", "-o", audited, trace]).code == .success)
        let found = try await findings([audited, trace])
        // Numbers that are given and leave gaps are another matter.
        #expect(found.contains { $0.contains("but not its write") } == (form == "seen") && (form == "seen" || found == []), "\(found)")
    }

    private static func lines(_ range: ClosedRange<Int>, of source: String, second: Int) -> String {
        range.map { number in
            #"{"v":1,"ts":"2026-01-15T14:\#(10 + number):\#(10 + second)Z","seq":\#(number),"source":"\#(source)","event":"write","#
                + #""device":"\#(source)","n":\#(number),"recordType":"Card","recordID":"\#(number)","op":"put","fields":{"a":\#(second)},"#
                + #""seen":{}}"# + "\n"
        }.joined()
    }

    @Test func filesThatShareLinesAreOneFinding() async throws {
        let shared = Self.lines(1...9, of: "Mac", second: 0)
        let one = try directory.path(shared + Self.lines(10...15, of: "Mac", second: 1), as: "one.jsonl")
        let copy = try directory.path(shared, as: "copy.jsonl")
        #expect(try await findings([one, copy]) == ["duplicate: \(one) and \(copy) share lines 1 to 9 of Mac: a copied store"])
        // Both have gone on since: each goes by the other's numbers.
        let gone = try directory.path(shared + Self.lines(10...12, of: "Mac", second: 2), as: "gone.jsonl")
        #expect(
            try await findings([one, gone]).filter { $0.hasPrefix("duplicate") } == [
                "duplicate: \(one) and \(gone) share lines 1 to 9 of Mac: a copied store; both go on from line 10, with 3 lines that have the "
                    + "number of another"
            ])
        // What one file says twice is said of each line.
        let doubled = try directory.path(
            Self.lines(1...2, of: "Mac", second: 0) + Self.lines(2...2, of: "Mac", second: 0), as: "twice.jsonl")
        #expect(try await findings([doubled]).first == "duplicate: \(doubled):3: line 2 of Mac is there twice")
    }

    @Test func devicesWithoutALogAreNamedAndKindsCanBeIgnored() async throws {
        let foreign = Self.lines(3...3, of: "Mac", second: 0).replacing(#""device":"Mac","n":3"#, with: #""device":"Pad","n":1"#)
        let log = try directory.path(
            Self.lines(1...2, of: "Mac", second: 0) + foreign + Self.lines(2...2, of: "Mac", second: 0), as: "mac.jsonl")
        let plain = await run(["check", log])
        #expect(plain.code == .limitExceeded)
        #expect(plain.output.hasPrefix("1 finding, 1 warning\n"), "\(plain.output)")
        #expect(plain.output.contains("there are writes of Pad, and no log of that device among those of Mac"))
        let ignored = await run(["check", "--ignore", "duplicate=written twice on purpose", log])
        #expect(ignored.code == .success)
        #expect(ignored.output.hasPrefix("No findings, 1 warning\nbesides 1 that is ignored: duplicate: written twice on purpose\n"))
        #expect(!ignored.output.contains("is there twice"))
        #expect(await run(["check", "--ignore", "duplicate=known", "--fail-on", "absent_log>0", log]).code == .limitExceeded)
        let unknown = await run(["check", "--ignore", "clocks=known", log])
        #expect(unknown.code == .usage)
        #expect(unknown.errors.contains(#"no kind of finding "clocks"; did you mean clock?"#), "\(unknown.errors)")
    }

    @Test func aClockAnHourOffIsNamedAsATimeZone() async throws {
        let line = { (offset: Int) in
            #"{"event":"clock","ts":"2026-01-15T14:00:00.000Z","device":"iPad","offsetMs":\#(offset),"uncertaintyMs":40}"# + "\n"
        }
        let path = try directory.path(line(-3_600_900) + line(20), as: "clock.jsonl")
        #expect(
            try await findings([path]) == [
                "clock: \(path):1: the clock of iPad was 1 h behind the hub's in 1 of 2 measurements, as if it were set to another time zone"
            ])
        let other = try directory.path(line(900_000), as: "clock.jsonl")
        #expect(try await findings([other]) == ["clock: \(other):1: the clock of iPad was 15 min ahead of the hub's in 1 of 1 measurement"])
        #expect(try await findings([directory.path(line(59_000), as: "clock.jsonl")]) == [])
    }

    @Test func linesThatCannotBeUnderstoodAndATornOne() async throws {
        let path = try directory.path(Story.writes + "{\"event\":\"write\"}\nnonsense\n\n" + #"{"event":"wri"#, as: "bad.jsonl")
        let found = try await findings([path])
        #expect(found.map { $0.prefix { $0 != ":" } } == ["schema", "schema", "torn"])
        #expect(found.map { $0.split(separator: ":")[2] } == ["4", "5", "7"])
    }

    @Test func whatTheLogSaysOfItself() async throws {
        let note = { (text: String) in #"{"event":"log","ts":"2026-01-15T14:00:00.000Z",\#(text)}"# + "\n" }
        let path = try directory.path(note(#""dropped":3"#) + note(#""recovered":17"#) + note(#""opened":true"#), as: "log.jsonl")
        #expect(
            try await findings([path]) == [
                "torn: \(path):2: the log says that a torn line of 17 B was closed off before this one",
                "missing_line: \(path):1: the log says that 3 lines could not be written",
            ])
    }

    @Test func twoDevicesThatNameDifferentWinners() async throws {
        _ = try Story(directory, trace: Trace.clash(), ["--policy", "prefer-devices:a"])
        // As replicas log it, which state no rules.
        let text = (directory.content("log.jsonl") ?? "").split(separator: "\n").dropFirst().joined(separator: "\n") + "\n"
        let log = try directory.path(text, as: "log.jsonl")
        let swapped = text.replacingOccurrences(of: #""winner":"#, with: #""x":"#).replacingOccurrences(
            of: #""loser":"#, with: #""winner":"#
        )
        .replacingOccurrences(of: #""x":"#, with: #""loser":"#)
        let other = try directory.path(swapped, as: "other.jsonl")
        // A list of devices is not told by its name, so neither line can be called wrong by itself.
        let found = try await findings([log, other])
        #expect(found.count == 1 && found.first?.hasPrefix("divergence: \(other):1: the winner of conflict ") == true, "\(found)")
        #expect(try await findings(["--policy", "prefer-devices:a", log, other]).map { $0.prefix(8) } == ["decision"])
    }

    @Test func decisionsByOtherRulesThanThoseDeclared() async throws {
        let story = try Story(directory, trace: Trace.clash(), ["--policy", "maximum"])
        #expect(try await findings([story.log]) == [])
        #expect(try await findings(["--policy", "maximum", story.log]) == [])
        let found = try await findings(["--policy", "minimum", story.log])
        #expect(found.count == 1 && found.first?.contains("it was decided by maximum, and minimum is declared") == true, "\(found)")
    }

    @Test func replicasThatHadMergedTheSameAndHeldSomethingElse() async throws {
        let line = { (source: String, digest: String) in
            #"{"v":1,"ts":"2026-01-15T14:00:00.000Z","seq":1,"source":"\#(source)","event":"checkpoint","seen":{"a":3},"records":2,"digest":"\#(digest)"}"#
                + "\n"
        }
        let path = try directory.path(line("a", "aa") + line("b", "aa") + line("c", "bb"), as: "log.jsonl")
        let found = try await findings([path])
        #expect(found.count == 1)
        #expect(
            found.first?.hasPrefix("checkpoint: \(path):3: the replica had merged the same writes as at \(path):1 and held something else")
                == true)
    }

    @Test func aWriteThatWasAcknowledgedAndIsNowhereElse() async throws {
        try await MissingWriteCheck().missingWrite(SimulatedFleet.Size(devices: 3, steps: 60), seed: 3)
    }

    @Test func aWriteThatOneLogPassesOver() async throws {
        let writes = (1...5).map { Trace.put("a", $0, at: $0, "1", #"{"v":\#($0)}"#, saw: $0 == 1 ? "{}" : #"{"a":\#($0 - 1)}"#) }
        let path = try directory.path((writes[0...1] + writes[3...4]).joined(), as: "trace.jsonl")
        #expect(try await findings([path]) == ["missing_write: \(path):1: the trace has later writes of a but not its write 3"])
        let doubled = try directory.path((writes[0...2] + writes[2...4]).joined(), as: "trace.jsonl")
        #expect(try await findings([doubled]) == ["duplicate: \(doubled):4: write 3 of a is there twice"])
    }

    @Test func twoWritesWithOneName() async throws {
        let path = try directory.path(Trace.clash() + Trace.put("a", at: 0, "2", #"{"v":1}"#), as: "trace.jsonl")
        let found = try await findings([path])
        #expect(found.first == "duplicate: \(path):3: write 1 of a is there twice", "\(found)")
        #expect(found.last == "identity: \(path):3: write 1 of a is another than at \(path):1", "\(found)")
    }

    @Test func conflictsThatGiveOneWriteToTwoRecords() async throws {
        let others = Trace.put("a", 2, at: 0, "2", #"{"v":5}"#) + Trace.put("c", at: 9, "2", #"{"v":3}"#)
        let story = try Story(directory, trace: Trace.clash() + others)
        let log = (directory.content("log.jsonl") ?? "").replacingOccurrences(of: #""device":"a","n":2"#, with: #""device":"a","n":1"#)
        let path = try directory.path(log, as: "log.jsonl")
        _ = story
        let found = try await findings([path])
        #expect(found.contains("identity: \(path):3: write 1 of a is another than at \(path):2"), "\(found)")
    }

    @Test(arguments: [false, true])
    func writesThatNameEachOtherAreFoundInFilesOfAnyOrder(isReversed: Bool) async throws {
        let lines = [
            Trace.put("a", at: 0, #"{"v":1}"#, saw: #"{"b":1}"#), Trace.put("b", at: 1, #"{"v":2}"#, saw: #"{"c":1}"#),
            Trace.put("c", at: 2, #"{"v":3}"#, saw: #"{"a":1}"#), Trace.put("d", at: 3, "2", #"{"v":3}"#, saw: #"{"d":1}"#),
        ]
        let paths = try (isReversed ? lines.reversed() : lines).enumerated().map { try directory.path($1, as: "\($0).jsonl") }
        let found = try await findings(paths)
        let all = isReversed ? [3, 2, 1, 0] : [0, 1, 2, 3]
        #expect(found.count == 1, "\(found)")
        let expected =
            isReversed
            ? "seen: \(paths[all[2]]):1: write 1 of c names write 1 of a, which names write 1 of b, which names write 1 of c"
            : "seen: \(paths[all[0]]):1: write 1 of a names write 1 of b, which names write 1 of c, which names write 1 of a"
        #expect(found.last == expected, "\(found)")
    }

    @Test func devicesThatKeepTakingAFieldFromEachOther() async throws {
        // Each has seen only its own writes, and always puts its own value back.
        let trace = (1...4).map { turn in
            return Trace.put("a", turn, at: turn * 10, #"{"v":"mine"}"#, saw: turn == 1 ? "{}" : #"{"a":\#(turn - 1)}"#)
                + Trace.put("b", turn, at: turn * 10 + 5, #"{"v":"no, mine"}"#, saw: turn == 1 ? "{}" : #"{"b":\#(turn - 1)}"#)
        }
        let story = try Story(directory, trace: trace.joined())
        let found = try await findings([story.log])
        #expect(found.count == 1)
        #expect(found.first?.hasSuffix("keep taking Note/1.v from each other, 4 times in turn") == true, "\(found)")
        let report = await run(["report", "--all", story.log]).output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(report.contains("a and b keep taking Note/1.v from each other, 4 times in turn"), "\(report)")
    }

    /// A report looks at few conflicts for alternating winners, and finds those that a check finds.
    @Test(arguments: 0..<24 as Range<UInt64>) func reportAndCheckFindTheSameAlternations(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        var (trace, numbers) = ("", ["a": 0, "b": 0, "c": 0])
        for time in 0..<60 {
            // Two of the three mostly, so that some of them alternate.
            let device = Int.random(in: 0..<8, using: &random) == 0 ? "c" : Bool.random(using: &random) ? "a" : "b"
            let number = numbers[device, default: 0] + 1
            numbers[device] = number
            let (id, field) = (Bool.random(using: &random) ? "1" : "2", Bool.random(using: &random) ? "v" : "w")
            let seen = number == 1 ? "{}" : #"{"\#(device)":\#(number - 1)}"#
            if Int.random(in: 0..<30, using: &random) == 0 {
                trace += Trace.delete(device, number, at: time, id, saw: seen)
            } else {
                trace += Trace.put(device, number, at: time, id, #"{"\#(field)":"\#(device)"}"#, saw: seen)
            }
        }
        let story = try Story(directory, trace: trace)
        let lines = try #require(directory.content("log.jsonl")).split(separator: "\n").map { $0 + "\n" }
        let rest = lines[(lines.count / 2)...].joined() + lines[..<(lines.count / 2)].joined()
        let files = [story.log, try directory.create("rest.jsonl", rest)]
        let checked = await run(["check"] + files)
        let reported = await run(["report", "--all"] + files)
        func sentences(_ output: String) -> Int {
            output.split(whereSeparator: \.isWhitespace).joined(separator: " ").components(separatedBy: "keep taking").count - 1
        }
        #expect(sentences(reported.output) == min(2, sentences(checked.output)), "seed \(seed): \(checked.output)\(reported.output)")
    }

    static let limits: [(limit: String, code: ExitCode)] = [
        ("lossy>0", .limitExceeded), ("lossy>1", .success), ("lossy>=1", .limitExceeded), ("lossyPerThousandWrites>1", .limitExceeded),
        ("lossyPerThousandWrites > 334", .success), ("lossyPerThousandWrites>333.3", .limitExceeded), ("destructive>0", .success),
        ("conflicts!=1", .success), ("findings>0", .success), ("conflicts==1", .limitExceeded), ("unresolved<1", .limitExceeded),
        ("losy>0", .usage), ("lossy>", .usage),
        ("lossy>-1", .usage), ("lossy", .limitExceeded), ("lostEdits", .limitExceeded), ("clock", .success),
        ("clock, destructive,lossy>0", .limitExceeded), ("clock,", .usage), (">0", .usage), ("lossy>0x1", .usage),
        ("hoursWithoutSync", .usage),
    ]

    @Test(arguments: limits)
    func limitsFailTheCheck(limit: (limit: String, code: ExitCode)) async throws {
        let story = try Story(directory)
        let outcome = await run(["check", "--fail-on", limit.limit, story.log, story.trace])
        #expect(outcome.code == limit.code, Comment(rawValue: outcome.errors))
        let last = limit.limit.split(separator: ",").last.map { $0.filter { $0 != " " } } ?? ""
        if limit.code == .limitExceeded { #expect(outcome.errors.contains("--fail-on '\(last)' holds")) }
    }

    @Test func whatIfTheClocksWereRight() async throws {
        // The iPhone is 30 s ahead: by the right time its edit was the earlier one.
        let clock = #"{"event":"clock","ts":"2026-01-15T14:00:00.000Z","device":"iPhone","offsetMs":30000,"uncertaintyMs":40}"# + "\n"
        let story = try Story(directory)
        let path = try directory.path((directory.content("log.jsonl") ?? "") + clock, as: "log.jsonl")
        _ = story
        let checked = await run(["check", path])
        let sentence =
            "Clock what-if: 1 of the 1 winner that the clocks decided would lose with the\nlatest measured offsets of 1 clock corrected (1 discarded an edit): iPhone 1\n"
        #expect(checked.code == .success)
        #expect(checked.output.contains(sentence), Comment(rawValue: checked.output))
        let reported = await run(["report", "--clock-what-if", path])
        #expect(reported.output.hasSuffix("\n\n" + sentence), Comment(rawValue: reported.output))
        let json = await run(["report", "--clock-what-if", "--format", "json", path])
        let answer = try JSONParser.parse(json.output).object?["clockWhatIf"]?.object
        #expect(answer?["flipped"] == 1)
        #expect(answer?["byWinner"] == [["device": "iPhone", "flipped": 1]])
        let filtered = await run(["report", "--clock-what-if", "--device", "nobody", path])
        #expect(filtered.output.contains("none decided a conflict"))
        #expect(!(await run(["report", path])).output.contains("what-if"))
    }

    @Test func anyBytesGiveFindingsAndNoCrash() async throws {
        var generator = SystemRandomNumberGenerator()
        let story = try Story(directory)
        let seed = Array((directory.content("log.jsonl") ?? "").utf8) + Array(Story.writes.utf8)
        for _ in 0..<60 {
            var bytes = seed
            for _ in 0..<8 { bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator) }
            let path = directory.file("bytes.jsonl")
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            for verb in [["check"], ["lost", "--lenient"], ["show", "--lenient", "0"], ["restore", "--lenient", "0"]] {
                let outcome = await run(verb + [path, story.log])
                let text = outcome.output + outcome.errors
                #expect(text.unicodeScalars.allSatisfy { $0.isHarmlessOnTerminal || $0 == "\n" }, "\(bytes)")
            }
        }
    }

    /// A configuration is as good as the same rules in options, also where it states what would hold without it.
    @Test(arguments: [
        (#"{"policy":"maximum"}"#, ["--policy", "maximum"]), (#"{"policy":"last-writer-wins"}"#, ["--policy", "last-writer-wins"]),
        (#"{"types":{"Card":{"policy":"record-last-writer-wins"}}}"#, ["--policy-for", "Card=record-last-writer-wins"]),
        (#"{"types":{"Card":{"fields":{"phone":{"policy":"minimum"}}}}}"#, ["--policy-for", "Card.phone=minimum"]),
    ])
    func rulesOfAConfigurationAreDeclaredAsThoseOfOptionsAre(configuration: String, options: [String]) async throws {
        let story = try Story(directory, ["--policy", "first-writer-wins"])
        let log = try String(contentsOfFile: story.log, encoding: .utf8).split(separator: "\n").filter { !$0.contains(#""rules""#) }
        let path = try directory.path(log.joined(separator: "\n") + "\n", as: "log.jsonl")
        let file = try directory.path(configuration, as: "rules.json")
        let stated = try await findings(options + [path])
        #expect(stated.contains { $0.contains("is declared") }, "\(stated)")
        #expect(try await findings(["--config", file, path]) == stated)
    }

    @Test func rulesOfDeletesInAConfigurationAreDeclared() async throws {
        let trace = Story.writes.replacing(#""op":"put","fields":{"phone":"+1-555-9876"}"#, with: #""op":"delete""#)
        let story = try Story(directory, trace: trace, ["--deletes", "edit-wins"])
        let log = try String(contentsOfFile: story.log, encoding: .utf8).split(separator: "\n").filter { !$0.contains(#""rules""#) }
        let path = try directory.path(log.joined(separator: "\n") + "\n", as: "log.jsonl")
        let stated = try await findings(["--deletes", "delete-wins", path])
        #expect(stated.contains { $0.contains("is declared") }, "\(stated)")
        let file = try directory.path(#"{"deletes":"delete-wins"}"#, as: "rules.json")
        #expect(try await findings(["--config", file, path]) == stated)
    }

    /// What a configuration says of privacy and names is no rule about winners, and what it says is looked for replaces what a log states.
    @Test func aConfigurationDeclaresNoMoreThanItStates() async throws {
        let story = try Story(directory, ["--policy", "first-writer-wins"])
        for (name, text) in [("a", #"{"types":{"Card":{"name":"phone"}},"values":"omitted"}"#), ("b", #"{"window":"5m"}"#)] {
            #expect(try await findings(["--config", try directory.path(text, as: name + ".json"), story.log]) == [], "\(text)")
        }
        let cards = try TemporaryDirectory()
        let trace = try String(contentsOfFile: sample("traces/business-cards.jsonl"), encoding: .utf8)
        let others = try Story(cards, trace: trace)
        let stated = try await findings(["--unique", "Card.company", others.trace, others.log])
        #expect(stated.count > 10)
        let file = try directory.path(#"{"types":{"Card":{"fields":{"company":{"unique":true}}}}}"#, as: "unique.json")
        #expect(try await findings(["--config", file, others.trace, others.log]) == stated)
        let anyType = try directory.path(#"{"fields":{"company":{"unique":true}}}"#, as: "any.json")
        #expect(try await findings(["--config", anyType, others.trace, others.log]) == stated)
    }
}
