import Foundation
import SyncAuditCommands
import SyncBytes
import SyncModel
import Testing

@Suite struct LostVerbTests {
    private let directory: TemporaryDirectory
    private let world = TestWorld()

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func rows(_ arguments: String...) throws -> [FieldMap] {
        let world = TestWorld()
        #expect(world.run(["lost", "--format", "json"] + arguments) == .success, Comment(rawValue: world.errorText))
        return try world.lines.first?["losses"]?.array?.compactMap(\.object) ?? []
    }

    /// A resolver keeps its own old title, with the merged context: no conflict, and told all the same.
    @Test func whatWasPutBackIsListed() throws {
        let trace = try directory.path(
            #"""
            {"event":"write","ts":"2026-01-15T14:00:00Z","device":"phone","n":1,"recordType":"Task","recordID":"1","op":"put","fields":{"title":"Buy","done":false},"seen":{}}
            {"event":"write","ts":"2026-01-15T14:01:00Z","device":"phone","n":2,"recordType":"Task","recordID":"1","op":"put","fields":{"title":"=Buy milk"},"seen":{"phone":1}}
            {"event":"write","ts":"2026-01-15T14:02:00Z","device":"tablet","n":1,"recordType":"Task","recordID":"1","op":"put","fields":{"title":"Buy","done":true},"seen":{"phone":2}}

            """#)
        #expect(world.run("audit", "--statistics", trace) == .success)
        #expect(
            world.errorText == """
                syncaudit: 3 writes, no conflict; no edit lost
                syncaudit: 1 edit was put back by writers who had seen it: a resolver that merges by itself looks like this; 'syncaudit lost --reverts FILES' lists them

                """)
        #expect(try world.lines.last?["reverts"] == 1)
        let log = try directory.path(world.output.text, as: "log.jsonl")
        for format in ["markdown", "html", "json"] {
            let (report, part) = (TestWorld(), TestWorld())
            #expect(report.run("report", "--format", format, log, trace) == .success)
            #expect(report.output.text.contains("1 edit was put back by writers who had seen it"), "\(format)")
            #expect(part.run("report", "--format", format, "--device", "phone", log, trace) == .success)
            #expect(!part.output.text.contains("put back"), "\(format)")
        }
        let (summary, table) = (TestWorld(), TestWorld())
        #expect(summary.run("report", "--format", "summary", log, trace) == .success)
        #expect(table.run("report", try directory.path(summary.output.text, as: "summary.json")) == .success)
        #expect(
            table.output.text == """
                No conflicts in 3 writes: nothing was lost
                All 3 writes say what their writer had seen
                1 edit was put back by writers who had seen it: a resolver that merges by itself
                looks like this; 'syncaudit lost --reverts FILES' lists them

                """)
        let (list, json, csv, filtered) = (TestWorld(), TestWorld(), TestWorld(), TestWorld())
        #expect(list.run("lost", "--reverts", trace) == .success)
        #expect(list.output.text.contains("phone's \"=Buy milk\" in Task/1.title was put back to \"Buy\" by"))
        #expect(json.run("lost", "--reverts", "-f", "json", trace) == .success)
        let revert = try json.lines.first?["reverts"]?.array?.first?.object
        #expect(revert?["edit"]?.object?["value"] == "=Buy milk" && revert?["write"]?.object?["device"] == "tablet")
        #expect(csv.run("lost", "--reverts", "-f", "csv", trace) == .success)
        #expect(csv.output.text.contains("Task,1,title,phone,2026-01-15T14:01:00.000Z"))
        #expect(filtered.run("lost", "--reverts", "--field", "done", trace) == .success)
        #expect(filtered.output.text.hasPrefix("No edit is known to have been put back"))
    }

    @Test func theLedgerForAPerson() throws {
        let story = try Story(directory)
        let id = try TestWorld.id(in: story.log)
        #expect(world.run("lost", story.log, story.trace) == .success)
        #expect(
            world.output.text == """
                1 value was lost
                this log can restore all of them; 4 characters of text

                Latest losses
                \(id.prefix(10))  iPad's phone "+1-555-«1234»" on Card/42 of 2026-01-15 was replaced
                            by iPhone's, 19 s newer
                Get one back: syncaudit restore ID FILES

                Lost by field  values  restorable  restored  characters
                  Card.phone        1           1         0           4

                Lost by device  values  restorable  restored  characters
                  iPad               1           1         0           4

                Lost by age        values  restorable  restored  characters
                  less than a day       1           1         0           4

                Lost by week (UTC)    values  restorable  restored  characters
                  week of 2026-01-12       1           1         0           4  ██████████

                """)
    }

    @Test func whatWasLostComesFirstAndWhatBecameOfIt() throws {
        let again = Trace.put("Mac", 2, at: 99, "42", #"{"phone":"+1-555-1234"}"#, type: "Card", saw: #"{"Mac":1,"iPad":1,"iPhone":1}"#)
        let story = try Story(directory, trace: Story.writes + again)
        #expect(world.run("lost", story.log, story.trace) == .success)
        let text = world.output.text
        #expect(text.contains("iPhone's, 19 s newer; restored since\n\nLost by field"), "\(text)")
        #expect(!text.contains("Get one back"))
    }

    @Test(arguments: [50, 60, 80, 120]) func valueTimeAndWinnerAreToldInEveryWidth(_ columns: Int) throws {
        let story = try Story(directory)
        world.reportedWidth = columns
        #expect(world.run("lost", story.log, story.trace) == .success)
        let words = world.output.text.components(separatedBy: .whitespacesAndNewlines).filter { !$0.isEmpty }.joined(separator: " ")
        let sentence = #"iPad's phone "+1-555-«1234»" on Card/42 of 2026-01-15 was replaced by iPhone's, 19 s newer"#
        #expect(words.contains(sentence), "\(world.output.text)")
        #expect(world.output.text.components(separatedBy: "\n").prefix(8).allSatisfy { $0.count <= columns })
    }

    @Test func aConflictThatSeveralDevicesLoggedIsOneLoss() throws {
        let story = try Story(directory)
        let copy = try directory.path(directory.content("log.jsonl") ?? "", as: "copy.jsonl")
        #expect(try rows(story.log, copy).count == 1)
    }

    @Test func aValueLeftOutOrCutCannotBeRestored() throws {
        let story = try Story(directory, trace: Story.writes, ["--privacy", "omitted"])
        #expect(try rows(story.log).map { $0["recoverability"] } == ["omitted"])
        #expect(try rows(story.log).map { $0["characters"] } == [0])
        let cut = (directory.content("log.jsonl") ?? "").replacingOccurrences(
            of: #""op":"put"}"#, with: #""op":"put","value":{"$truncated":500,"start":"+1-555"}}"#)
        #expect(try rows(directory.path(cut, as: "cut.jsonl")).map { $0["recoverability"] } == ["truncated"])
        // Another log of the same conflict may hold what one leaves out.
        let whole = try Story(directory)
        let bare = try directory.path(cut, as: "cut.jsonl")
        #expect(try rows(bare, whole.log).map { $0["recoverability"] } == ["available"])
        #expect(try rows(whole.log, bare).map { $0["value"] } == ["+1-555-1234"])
    }

    static let later: [(write: String, status: String)] = [
        // Had seen both sides and wrote the value again.
        (Trace.put("Mac", 2, at: 99, "42", #"{"phone":"+1-555-1234"}"#, type: "Card", saw: #"{"Mac":1,"iPad":1,"iPhone":1}"#), "restored"),
        // Had not seen the winner.
        (Trace.put("iPad", 2, at: 99, "42", #"{"phone":"+1-555-1234"}"#, type: "Card", saw: #"{"Mac":1,"iPad":1}"#), "lost"),
        // Wrote something else.
        (Trace.put("Mac", 2, at: 99, "42", #"{"phone":"+1-555-1235"}"#, type: "Card", saw: #"{"Mac":1,"iPad":1,"iPhone":1}"#), "lost"),
        // Wrote it to another record.
        (Trace.put("Mac", 2, at: 99, "43", #"{"phone":"+1-555-1234"}"#, type: "Card", saw: #"{"Mac":1,"iPad":1,"iPhone":1}"#), "lost"),
    ]

    @Test(arguments: later, [false, true])
    func aValueWrittenAgainByWhoHadSeenBothIsRestored(later: (write: String, status: String), isTraceFirst: Bool) throws {
        let story = try Story(directory)
        let trace = try directory.path(Story.writes + later.write, as: "trace.jsonl")
        let rows = isTraceFirst ? try rows(trace, story.log) : try rows(story.log, trace)
        #expect(rows.first { $0["device"] == "iPad" && $0["recordID"] == "42" }?["status"]?.string == later.status)
    }

    @Test func withoutWritesItSaysThatRestoringIsNotKnown() throws {
        let story = try Story(directory)
        #expect(world.run("lost", story.log) == .success)
        #expect(world.output.text.contains("Whether a value was written again is not known"))
        let json = TestWorld()
        #expect(json.run("lost", "-f", "json", story.log) == .success)
        #expect(try json.only("restoredIsKnown") == false)
    }

    @Test func whatIsOnlySuspectedIsNeverCalledLost() throws {
        let story = try Story(directory, trace: Trace.clash(saw: nil))
        #expect(world.run("lost", story.log) == .success)
        #expect(world.output.text.hasPrefix("1 value may have been lost\n"))
        #expect(world.output.text.contains("  perhaps: a's v 5 on Note/1 of 2026-01-15"), "\(world.output.text)")
    }

    static let filters: [(options: [String], count: Int)] = [
        ([], 1), (["--device", "iPad"], 1), (["--device", "Mac"], 0), (["--field", "phone"], 1), (["--record-type", "Note"], 0),
        (["--since", "1h"], 0), (["--since", "2026-01-15"], 1), (["--severity", "destructive"], 0),
    ]

    @Test(arguments: filters)
    func filtersAreThoseOfTheReport(options: [String], count: Int) throws {
        let story = try Story(directory)
        #expect(world.run(["lost", "-f", "csv", story.log] + options) == .success)
        #expect(world.output.text.split(separator: "\r\n").count == 1 + count)
    }

    /// Who calls a conflict harmless knows more, in whichever order the logs come; but not where another wins.
    @Test func whatALogCallsBenignIsNoLoss() throws {
        func line(_ severity: String, winner: String, loser: String) -> String {
            func side(_ device: String, _ time: String) -> String {
                #"{"device":"\#(device)","n":1,"ts":"2026-01-15T14:0\#(time):00.000Z","counter":0,"op":"put","value":"\#(device)"}"#
            }
            return #"{"v":1,"ts":"2026-01-15T14:01:00.000Z","event":"conflict","id":"4806505146189f5a","kind":"update_update","severity":"#
                + #""\#(severity)","basis":"causal","recordType":"Card","recordID":"42","field":"phone","winner":"#
                + "\(side(winner, winner == "B" ? "1" : "0")),\"loser\":\(side(loser, loser == "B" ? "1" : "0")),"
                + #""gapMs":60000,"withinWindow":true,"windowMs":300000,"policy":"lastWriterWins","resolution":"apply_remote","#
                + #""reason":"newer","auto":true,"clockSuspect":false}"# + "\n"
        }
        let lossy = try directory.create("lossy.jsonl", line("lossy", winner: "B", loser: "A"))
        let benign = try directory.create("benign.jsonl", line("benign", winner: "B", loser: "A"))
        let other = try directory.create("other.jsonl", line("benign", winner: "A", loser: "B"))
        #expect(try rows(lossy).count == 1)
        #expect(try rows(lossy, benign) == [] && rows(benign, lossy) == [])
        #expect(try rows(lossy, other).count == 1 && rows(other, lossy).count == 1)
    }

    /// A length of time was counted from the machine's clock, which nobody sees who reads the table.
    @Test func aPeriodIsTold() throws {
        let story = try Story(directory)
        #expect(world.run("lost", "--since", "2026-01-15", "--until", "2026-01-16T12:30:00Z", story.log) == .success)
        let text = world.output.text
        #expect(text.contains("\nOf conflicts since 2026-01-15 00:00:00 UTC before 2026-01-16 12:30:00 UTC\n"), "\(text)")
        #expect(world.run("lost", "--since", "1h", story.log) == .success)
        #expect(world.output.text.contains("Nothing was lost that passes the filter since "), "\(world.output.text)")
    }

    @Test func commaSeparatedValuesHoldNoFormula() throws {
        let hostile = ["=1+1", "+1", "-1+cmd|' /C calc'!A0", "@SUM(A1)", "\\t=1", "\\r=1", " =1", "a,b\\\"c\\nd", "\u{ff1d}1", "%x"]
        let trace = hostile.enumerated().map { index, text in
            Trace.put(text, index + 1, at: 0, text, #"{"\#(text)":"\#(text)"}"#, type: text)
                + Trace.put("b", index + 1, at: 9, text, #"{"\#(text)":1}"#, type: text)
        }
        let story = try Story(directory, trace: trace.joined())
        #expect(world.run("lost", "-f", "csv", story.log) == .success)
        #expect(world.output.text.unicodeScalars.allSatisfy { $0.isHarmlessOnTerminal || $0 == "\r" || $0 == "\n" })
        let cells = Self.cells(world.output.text)
        #expect(cells.count == 1 + hostile.count)
        #expect(Set(cells.map(\.count)) == [17])
        for cell in cells.joined() {
            #expect(!["=", "+", "-", "@", "%", "|", "\t", "\r", "\u{ff1d}"].contains(String(cell.drop { $0 == " " }.prefix(1))), "\(cell)")
        }
    }

    /// Reads what RFC 4180 writes.
    private static func cells(_ text: String) -> [[String]] {
        var rows: [[String]] = [[""]]
        var isQuoted = false
        var characters = Array(text.unicodeScalars)[...]
        while let next = characters.popFirst() {
            switch (next, isQuoted) {
            case ("\"", true) where characters.first == "\"":
                rows[rows.count - 1][rows[rows.count - 1].count - 1].unicodeScalars.append("\"")
                characters.removeFirst()
            case ("\"", _): isQuoted.toggle()
            case (",", false): rows[rows.count - 1].append("")
            case ("\r", false): break
            case ("\n", false): rows.append([""])
            default: rows[rows.count - 1][rows[rows.count - 1].count - 1].unicodeScalars.append(next)
            }
        }
        return rows.dropLast()
    }

    @Test func aClosedPipeIsSilentSuccess() throws {
        let story = try Story(directory)
        world.output.failure = .outputClosed
        for verb in [["lost"], ["show", try TestWorld.id(in: story.log)], ["restore", try TestWorld.id(in: story.log)]] {
            #expect(world.run(verb + [story.log]) == .success)
        }
        #expect(!world.errorText.contains("closed"))
    }

    /// A write that is decoded for its number alone counts once.
    @Test func writesWithoutNumbersCountOnce() throws {
        let lines = ["A", "B"].enumerated().map { index, device in
            #"{"event":"write","recordType":"Card","recordID":"1","device":"\#(device)","ts":"2026-01-01T00:00:0\#(index).000Z","op":"put","#
                + #""fields":{"title":"x"}}"# + "\n"
        }
        let world = TestWorld()
        #expect(world.run("lost", try directory.path(lines.joined(), as: "bare.jsonl")) == .success)
        #expect(world.output.text.contains("Nobody has audited these 2 writes"), "\(world.output.text)")
    }

    /// What a record is called may be told by a conflict that lost nothing.
    @Test func aNameThatAnotherConflictStates() throws {
        func conflict(_ id: String, _ severity: String, _ more: String) -> String {
            #"{"v":1,"ts":"2026-01-15T14:00:09.000Z","event":"conflict","id":"\#(id)","kind":"update_update","severity":"\#(severity)","#
                + #""basis":"causal","recordType":"Card","recordID":"1",\#(more)"field":"title","winner":{"device":"B","n":1,"#
                + #""ts":"2026-01-15T14:00:05.000Z","counter":0,"op":"put","value":"y"},"loser":{"device":"A","n":1,"#
                + #""ts":"2026-01-15T14:00:04.000Z","counter":0,"op":"put","value":"x"},"gapMs":1000,"withinWindow":true,"#
                + #""windowMs":300000,"policy":"lastWriterWins","resolution":"keep_local","reason":"newer","auto":true,"clockSuspect":false}"#
                + "\n"
        }
        let log =
            conflict("00000000000000a1", "lossy", "")
            + conflict("00000000000000a2", "benign", #""name":{"field":"name","value":"Anna"},"#)
        let world = TestWorld()
        #expect(world.run("lost", try directory.path(log, as: "named.jsonl")) == .success)
        #expect(world.output.text.contains("on Card \"Anna\""), "\(world.output.text)")
    }
}
