import AuditAnalysis
import Foundation
import SyncAuditCommands
import SyncBytes
import SyncModel
import Testing

/// On what `check` fails, and what it passes over.
@Suite struct CheckGateTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// What a run of `check` came to.
    private struct Outcome {
        let code: ExitCode
        let output: String
        let errors: String

        var json: FieldMap { (try? JSONParser.parse(output).object) ?? [:] }
        var kinds: [String] { json["findings"]?.array?.compactMap { $0.object?["kind"]?.string } ?? [] }
    }

    private func check(_ arguments: [String], _ configuration: String? = nil) throws -> Outcome {
        let world = TestWorld()
        if let configuration { world.configurationFile = try directory.create(".syncaudit.json", configuration) }
        let code = world.run(["check"] + arguments)
        return Outcome(code: code, output: world.output.text, errors: world.errorText)
    }

    private static func clock(_ device: String, offset: Int = 900_000, at minute: Int = 0) -> String {
        let time = "2026-01-15T14:\(minute < 10 ? "0" : "")\(minute):00.000Z"
        return #"{"event":"clock","ts":"\#(time)","device":"\#(device)","offsetMs":\#(offset),"uncertaintyMs":40}"# + "\n"
    }

    // MARK: Limits

    @Test func onlyWhatWasAskedForFails() throws {
        let story = try Story(directory)
        let clock = try directory.create("clock.jsonl", Self.clock("iPad"))
        #expect(try check([story.log, story.trace, clock]).code == .limitExceeded)
        let losses = try check(["--fail-on", "destructive", story.log, story.trace, clock])
        #expect(losses.code == .success)
        #expect(losses.output.hasPrefix("1 finding\nfails on destructive alone, which does not hold\n"), "\(losses.output)")
        #expect(losses.output.contains("the clock of iPad was 15 min ahead"))
        let both = try check(["--fail-on", "destructive,lossy", story.log, story.trace, clock])
        #expect(both.code == .limitExceeded && both.output.contains("\nfails on lossy\n"))
        let files = "\(story.log) \(story.trace) \(clock)"
        let id = try TestWorld.id(in: story.log)
        #expect(
            both.errors == """
                syncaudit: lossy is 1, and --fail-on 'lossy' holds; look at it: syncaudit show \(id) \(files)
                syncaudit: 1 limit exceeded

                """)
    }

    @Test func whoBreaksALimitIsNamed() throws {
        let line = { (device: String, day: Int) in
            #"{"v":1,"ts":"2026-01-\#(day)T14:00:00.000Z","seq":1,"source":"\#(device)","event":"sync","phase":"import","state":"succeeded","#
                + #""writes":1,"bytes":1,"durationMs":1}"#
                + "\n"
        }
        let log = try directory.create("log.jsonl", line("a", 30) + line("b", 11) + line("c", 29) + line("d\\u001b[2J", 10))
        let silent = try check(["--fail-on", "silentDevices", log])
        #expect(silent.code == .limitExceeded)
        #expect(silent.errors.contains(#"silentDevices is 2 (b, d\u{1b}[2J), and --fail-on 'silentDevices' holds"#), "\(silent.errors)")
        let hours = try check(["--fail-on", "hoursWithoutSync>20", "--format", "json", log])
        #expect(hours.errors.contains(#"hoursWithoutSync is 480 (d\u{1b}[2J, b, c), and"#), "\(hours.errors)")
        let limit = try #require(hours.json["limits"]?.array?.first?.object)
        #expect(limit["limit"] == "hoursWithoutSync>20" && limit["holds"] == true && limit["value"] == 480)
        #expect(limit["devices"]?.array?.compactMap(\.string) == ["d\u{1b}[2J", "b", "c"])
        #expect(try check(["--fail-on", "silentDevices>2", log]).code == .success)
    }

    /// A log of which nothing is known has no losses, and is no good news.
    @Test func whatCannotBeKnownIsNoAllClear() throws {
        let foreign = try directory.create("foreign.jsonl", "a;b\n1;2\n")
        let unread = try check(["--fail-on", "lossy", foreign])
        #expect(unread.code == .badData && unread.errors.contains("foreign.jsonl: this is CSV, not JSON Lines"), "\(unread.errors)")
        let others = try check(["--fail-on", "lossy", try directory.create("others.jsonl", "{\"event\":\"write\"}\n")])
        #expect(others.code == .badData && others.errors.contains("no line of it could be understood"), "\(others.errors)")
        #expect(try check(["--fail-on", "schema", foreign]).code == .badData)
        let torn = try check(["--fail-on", "lossy", try directory.create("half.jsonl", Self.clock("iPad", offset: 1) + "no line\n")])
        #expect(torn.code == .success)
        let trace = try directory.create("trace.jsonl", Trace.clash())
        let unaudited = try check(["--fail-on", "lossy,clock,conflicts>5", "--format", "github", trace])
        #expect(unaudited.code == .success)
        #expect(
            unaudited.errors.hasPrefix("syncaudit: --fail-on 'lossy,conflicts>5' proves nothing: Nobody has audited these "),
            "\(unaudited.errors)")
        #expect(try check(["--fail-on", "clock", trace]).errors.isEmpty)
    }

    @Test func limitsAreKeptInTheConfigurationAndOptionsComeBefore() throws {
        let story = try Story(directory)
        let kept = #"{"check": {"failOn": ["destructive", "lossy>5"]}}"#
        #expect(try check([story.log, story.trace], kept).code == .success)
        #expect(try check(["--fail-on", "lossy", story.log, story.trace], kept).code == .limitExceeded)
        let unknown = try check([story.log], #"{"check": {"failOn": ["lossyy"]}}"#)
        #expect(unknown.code == .badData)
        #expect(
            unknown.errors.contains(
                #".syncaudit.json: "check.failOn": there is no measure and no kind of finding "lossyy"; did you mean lossy?"#),
            "\(unknown.errors)")
        // Another verb does not know the kinds, and has no use for them.
        let report = TestWorld()
        report.configurationFile = directory.path + "/.syncaudit.json"
        #expect(report.run("report", story.log) == .success)
    }

    // MARK: What is ignored

    @Test func findingsAreIgnoredForAReasonUntilADay() throws {
        let log = try directory.create("clock.jsonl", Self.clock("iPad") + Self.clock("Mac"))
        let one = #"{"check": {"ignore": [{"kind": "clock", "about": "iPad", "reason": "off\u001b[2J", "until": "2026-01-15"}]}}"#
        let ignored = try check(["--format", "json", log], one)
        #expect(ignored.code == .limitExceeded && ignored.json["totals"]?.object?["clock"] == 1)
        let entry = try #require(ignored.json["ignored"]?.array?.first?.object)
        #expect(entry["count"] == 1 && entry["until"] == "2026-01-15" && entry["isExpired"] == false && entry["about"] == "iPad")
        let page = try check([log], one)
        #expect(
            page.output.hasPrefix(
                #"1 finding"# + "\n" + #"besides 1 that is ignored: clock about iPad, until 2026-01-15: off\u{1b}[2J"#),
            "\(page.output)")
        // The day after, which the clock of the test has not reached, and the day before, which it has.
        let expired = try check([log], one.replacing("2026-01-15", with: "2026-01-14"))
        #expect(expired.output.hasPrefix("2 findings\n") && expired.code == .limitExceeded)
        #expect(
            expired.errors.contains(
                #"clock about iPad was ignored until 2026-01-14, and 1 finding counts again: off\u{1b}[2J"#), "\(expired.errors)")
        let all = try check([log], #"{"check": {"ignore": [{"kind": "clock", "reason": "a test"}]}}"#)
        #expect(all.code == .success && all.output.hasPrefix("No findings\nbesides 2 that are ignored: clock: a test\n"))
    }

    @Test(arguments: [
        (#"{"kind": "clock"}"#, #""check.ignore.0.reason": it is missing"#),
        (#"{"kind": "clock", "reason": "  "}"#, #""check.ignore.0.reason": it is missing"#),
        (#"{"kind": "clok", "reason": "x"}"#, #""check.ignore.0.kind": there is no kind of finding "clok"; did you mean clock?"#),
        (#"{"reason": "x"}"#, #""check.ignore.0.kind": it is missing"#),
        (#"{"kind": "clock", "reason": "x", "until": "2026-02-30"}"#, #""check.ignore.0.until": "2026-02-30" is no day that exists"#),
        (#"{"kind": "clock", "reason": "x", "expires": "2026-02-03"}"#, #""check.ignore.0.expires": that means nothing here"#),
        (#""clock""#, #""check.ignore.0": it is no object"#),
    ])
    func anEntryThatIsIncompleteIsRefused(entry: String, sentence: String) throws {
        let log = try directory.create("clock.jsonl", Self.clock("iPad"))
        let outcome = try check([log], #"{"check": {"ignore": [\#(entry)]}}"#)
        #expect(outcome.code == .badData && outcome.errors.contains(sentence), "\(outcome.errors)")
    }

    @Test(arguments: ["clock", "clock=", "clock= "]) func anOptionWithoutAReasonIsRefused(value: String) throws {
        let outcome = try check(["--ignore", value, try directory.create("clock.jsonl", Self.clock("iPad"))])
        #expect(outcome.code == .usage && outcome.errors.contains("lacks a reason"), "\(outcome.errors)")
    }

    @Test func anEntryThatMatchesNothingIsTold() throws {
        let log = try directory.create("clock.jsonl", Self.clock("iPad"))
        let outcome = try check([log], #"{"check": {"ignore": [{"kind": "clock", "about": "ipad", "reason": "a test"}]}}"#)
        #expect(outcome.code == .limitExceeded)
        #expect(outcome.errors.contains("syncaudit: nothing is found of clock about ipad, which is ignored: a test\n"))
    }

    @Test func ofAbsentLogsEachDeviceIsKnownByItself() throws {
        func log(_ devices: [String]) throws -> String {
            let lines = (["Mac"] + devices).enumerated().map { index, device in
                #"{"v":1,"ts":"2026-01-15T14:0\#(index):00Z","seq":\#(index + 1),"source":"Mac","event":"write","device":"\#(device)","n":1,"#
                    + #""recordType":"Card","recordID":"\#(index)","op":"put","fields":{"a":1},"seen":{}}"# + "\n"
            }
            return try directory.create("mac.jsonl", lines.joined())
        }
        let baseline = directory.file("baseline.json")
        let entry = #"{"check": {"ignore": [{"kind": "absent_log", "about": "TV", "reason": "it has no disk"}]}}"#
        #expect(try check(["--write-baseline", baseline, try log(["Pad", "TV"])], entry).output.contains("writes of Pad, and no log"))
        let more = try check(["--baseline", baseline, "--fail-on", "absent_log", try log(["Pad", "TV", "Watch"])], entry)
        #expect(more.code == .limitExceeded && more.output.contains("writes of Watch, and no log of that device"), "\(more.output)")
        #expect(try check(["--baseline", baseline, "--fail-on", "absent_log", try log(["TV", "Pad"])], entry).code == .success)
    }

    @Test func ofManyEntriesAFewAreTold() throws {
        let log = try directory.create("clock.jsonl", Self.clock("iPad"))
        let entries = (0..<500).map { #"{"kind": "clock", "about": "d\#($0)", "reason": "a test"}"# }.joined(separator: ",")
        let outcome = try check([log], #"{"check": {"ignore": [\#(entries)]}}"#)
        let rest = "\nsyncaudit: 480 entries more of what is ignored are over or about nothing\n"
        #expect(outcome.errors.contains(rest), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 23)
    }

    // MARK: Baselines

    @Test func aBaselineKnowsFindingsWhereverTheyAre() throws {
        let baseline = directory.file("baseline.json")
        let (ipad, mac) = (Self.clock("iPad"), Self.clock("Mac"))
        let first = try directory.create("a.jsonl", ipad + "no line\n" + Self.clock("x", offset: 1))
        let second = try directory.create("b.jsonl", mac)
        // Who writes down what there is does not fail on it, but where a limit is asked for.
        let written = try check(["--write-baseline", baseline, first, second])
        #expect(written.code == .success, "\(written.errors)")
        #expect(written.errors.contains("\(baseline.quoted) has 3 findings and 0 conflicts"), "\(written.errors)")
        #expect(try check(["--write-baseline", baseline, "--fail-on", "clock", first, second]).code == .limitExceeded)
        #expect(try check(["--baseline", baseline, first, second]).code == .success)
        // In another folder, in another order, further below, and measured once more.
        let elsewhere = try TemporaryDirectory()
        let moved = try elsewhere.create("a.jsonl", Self.clock("x", offset: 1) + ipad + Self.clock("iPad", at: 3) + "no line\n")
        let same = try check(["--baseline", baseline, second, moved])
        #expect(same.code == .success, "\(same.output)")
        #expect(same.output.hasPrefix("No new findings\nbesides 3 findings that are in the baseline\n"), "\(same.output)")
        // A second line that is none is one more, and so is a device.
        let more = try elsewhere.create("a.jsonl", ipad + "no line\nno line\n" + Self.clock("TV"))
        let new = try check(["--baseline", baseline, "--format", "json", second, more])
        #expect(new.code == .limitExceeded && new.kinds == ["schema", "clock"], "\(new.output)")
        #expect(new.json["known"]?.object?["clock"] == 2 && new.json["known"]?.object?["schema"] == 1 && new.json["gone"] == 0)
        let fewer = try check(["--baseline", baseline, second])
        #expect(
            fewer.output.hasPrefix("No new findings\nbesides 1 finding that is in the baseline; 2 more of it are gone\n"), "\(fewer.output)"
        )
    }

    @Test func measuresCountNewConflictsAlone() throws {
        let story = try Story(directory)
        let baseline = directory.file("baseline.json")
        #expect(try check(["--fail-on", "lossy", story.log, story.trace]).code == .limitExceeded)
        #expect(try check(["--write-baseline", baseline, story.log, story.trace]).code == .success)
        for limit in ["lossy", "lostEdits", "conflicts", "lossyPerThousandWrites>0"] {
            #expect(try check(["--baseline", baseline, "--fail-on", limit, story.log, story.trace]).code == .success, "\(limit)")
        }
        let elsewhere = try TemporaryDirectory()
        let other = try Story(elsewhere, trace: Trace.clash())
        let grown = try check(["--baseline", baseline, "--fail-on", "lostEdits", story.log, story.trace, other.log, other.trace])
        #expect(grown.code == .limitExceeded && grown.errors.contains("lostEdits is 1, and"), "\(grown.errors)")
        // Of the losses it names one that is new.
        let id = try TestWorld.id(in: other.log)
        #expect(grown.errors.contains("holds; look at it: syncaudit show \(id) "), "\(grown.errors)")
    }

    @Test func whatIsIgnoredIsInNoBaseline() throws {
        let log = try directory.create("clock.jsonl", Self.clock("iPad") + Self.clock("Mac"))
        let baseline = directory.file("baseline.json")
        let entry = #"{"check": {"ignore": [{"kind": "clock", "about": "iPad", "reason": "a test", "until": "2026-01-15"}]}}"#
        #expect(try check(["--write-baseline", baseline, log], entry).code == .success)
        #expect(try check(["--baseline", baseline, log], entry).code == .success)
        // Once the day is over it fails again.
        #expect(try check(["--baseline", baseline, log], entry.replacing("2026-01-15", with: "2026-01-01")).code == .limitExceeded)
    }

    @Test func aBaselineOfAnotherFleetIsTold() throws {
        let baseline = directory.file("baseline.json")
        _ = try check(["--write-baseline", baseline, try directory.create("a.jsonl", Self.clock("iPad"))])
        let outcome = try check(["--baseline", baseline, try directory.create("b.jsonl", Self.clock("Mac"))])
        #expect(outcome.code == .limitExceeded)
        #expect(outcome.errors.contains("nothing of the baseline \(baseline.quoted) is found any more: is it one of these logs?"))
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"findings": 1}"#, #"{"findings": [{"kind": "clock"}]}"#, #"{"findings": [], "conflicts": ["x"]}"#,
        #"{"findings": [{"kind": "clock", "about": "iPad", "count": 0}]}"#, #"{"findings": [{"rule": "a", "path": "b", "message": "c"}]}"#,
    ])
    func whatIsNoBaselineIsRefused(text: String) throws {
        let log = try directory.create("a.jsonl", Self.clock("iPad"))
        let outcome = try check(["--baseline", try directory.create("none.json", text), log])
        #expect(outcome.code == .badData && outcome.errors.contains("is no baseline: make one with --write-baseline"), "\(outcome.errors)")
        #expect(try check(["--baseline", directory.file("missing.json"), log]).code == .noInput)
    }

    @Test func aBaselineWithHugeCountsKnowsAll() throws {
        let log = try directory.create("a.jsonl", Self.clock("iPad"))
        let entry = #"{"kind": "clock", "about": "iPad", "count": 9223372036854775807}"#
        let baseline = try directory.create("huge.json", #"{"findings": [\#(entry), \#(entry), {"kind": "later", "about": "x"}]}"#)
        #expect(try check(["--baseline", baseline, log]).code == .success)
    }

    /// More findings than are kept of a kind: which are new is asked of each.
    @Test func moreFindingsThanAreKeptAreComparedOneByOne() throws {
        func log(_ numbers: Range<Int>, _ name: String) throws -> String {
            try directory.create(name, numbers.map { "{\"event\":\"write\",\"\($0)\":1}\n" }.joined() + Self.clock("iPad"))
        }
        let baseline = directory.file("baseline.json")
        let lines = 2_000
        let old = try log(0..<lines, "log.jsonl")
        #expect(try check(["--write-baseline", baseline, old]).code == .success)
        let same = try check(["--baseline", baseline, "--format", "json", old])
        #expect(same.code == .success && same.json["known"]?.object?["schema"] == .number(JSONNumber(lines)), "\(same.errors)")
        let more = try check(["--baseline", baseline, "--format", "json", try log(0..<lines + 1, "log.jsonl")])
        #expect(more.kinds == ["schema"] && more.json["totals"]?.object?["schema"] == 1)
    }

    // MARK: Code hosts

    @Test(arguments: ["text", "json", "html", "sarif", "github", "gitlab"]) func namesDoNoHarm(format: String) throws {
        let device = #"<b>c%0A[d](https://e)\n::error::,\u001b[2J"#
        let name = "log [x](y)\u{1b}[2J,line=1::\u{202e}.jsonl"
        let path = try directory.create(name, Self.clock(device) + "no line\n")
        let outcome = try check(["--format", format, "--fail-on", "clock", "--ignore", "torn=\u{1b}[2J", path])
        #expect(outcome.code == .limitExceeded)
        for text in [outcome.output, outcome.errors] {
            #expect(text.unicodeScalars.allSatisfy { $0.isHarmlessOnTerminal || $0 == "\n" }, "\(text)")
        }
        switch format {
        case "github":
            #expect(outcome.output.split(separator: "\n").allSatisfy { $0.hasPrefix("::error file=") || $0.hasPrefix("::warning file=") })
            #expect(outcome.output.split(separator: "\n").count == 2)
            #expect(outcome.output.contains("%2Cline=1%3A%3A") && outcome.output.contains("c%250A"))
        case "sarif":
            let results = try #require(try JSONParser.parse(outcome.output).object?["runs"]?.array?.first?.object?["results"]?.array)
            let texts = results.compactMap { $0.object?["message"]?.object?["text"]?.string }
            #expect(texts.count == 2 && texts.contains { $0.contains(#"\[d\](https"#) }, "\(texts)")
            #expect(!outcome.output.contains("\"uri\":\"/") && outcome.output.contains("\"uri\":\"file:///"))
        case "html": #expect(!outcome.output.contains("<b>"))
        default: break
        }
    }

    @Test func aCodeHostIsToldOfEachFindingUpToAThousandOfAKind() throws {
        let text = (0..<1_005).map { "{\"event\":\"write\",\"\($0)\":1}\n" }.joined()
        let log = try directory.create("log.jsonl", text)
        let sarif = try check(["--format", "sarif", log])
        let results = try #require(try JSONParser.parse(sarif.output).object?["runs"]?.array?.first?.object?["results"]?.array)
        #expect(results.count == 1_001)
        #expect(results.last?.object?["message"]?.object?["text"] == "and 5 more of schema")
        let prints = results.compactMap { $0.object?["partialFingerprints"]?.object?["syncaudit/v1"]?.string }
        #expect(Set(prints).count == results.count)
        let json = try check(["--format", "json", log])
        #expect(json.kinds.count == 20 && json.json["totals"]?.object?["schema"] == 1_005)
        let github = try check(["--format", "github", log])
        #expect(github.output.split(separator: "\n").count == 21)
    }

    @Test func aLimitThatHoldsWithoutAFindingIsToldAsOne() throws {
        let log = try directory.create("log.jsonl", Self.clock("iPad", offset: 1))
        let github = try check(["--format", "github", "--fail-on", "clock<1", log])
        #expect(github.output == "::error title=clock::clock is 0, and --fail-on 'clock<1' holds\n")
        let gitlab = try check(["--format", "gitlab", "--fail-on", "clock<1", log])
        #expect(try JSONParser.parse(gitlab.output).array?.first?.object?["severity"] == "major")
    }
}
