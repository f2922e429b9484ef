import Foundation
import SyncAuditCommands
import SyncModel
import Testing

/// Logs of several observers, audited together.
@Suite
struct JoinedAuditTests {
    private let directory: TemporaryDirectory
    private let world = TestWorld()

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func log(_ device: String, _ value: String, number: Int, arrived: Int) throws -> String {
        let start = #"{"v":1,"ts":"2026-01-15T14:0\#(number):00.000Z","#
        let record = #""device":"\#(device)","n":1,"recordType":"Card","recordID":"1","#
        return try directory.path(
            start + #""seq":1,"source":"\#(device)","event":"write",\#(record)"counter":0,"op":"put","fields":{"title":\#(value)}}"# + "\n"
                + start + #""seq":2,"source":"\#(device)","event":"acknowledgement",\#(record)"fields":["title"],"hubSequence":\#(number),"#
                + #""earliest":\#(number),"arrived":\#(arrived)}"# + "\n", as: device + ".jsonl")
    }

    @Test func twoLogsProveWhatNeitherCan() throws {
        let (phone, tablet) = (try log("phone", #""Plan""#, number: 1, arrived: 0), try log("tablet", #""Draft""#, number: 2, arrived: 0))
        #expect(world.run("audit", "--joined", phone, tablet) == .success, Comment(rawValue: world.errorText))
        let lines = try world.lines
        #expect(lines.map { $0["basis"] } == ["causal"])
        #expect(lines.first?["loser"]?.object?["value"] == "Plan" && lines.first?["winner"]?.object?["device"] == "tablet")
        #expect(lines.first?["policy"] == "lastArrivalWins")
        #expect(world.errorText == "syncaudit: 2 writes that the server took, of 2 logs, 1 conflict; 1 edit lost\n")
        for alone in [phone, tablet] {
            let world = TestWorld()
            #expect(world.run("audit", "--joined", alone) == .success)
            #expect(world.found.isEmpty && world.output.text.hasPrefix(#"{"v":1,"ts":"20"#), "the rules are dated by the first write")
        }
    }

    @Test func valuesThatLogsLeaveOutAreNotNeeded() throws {
        let phone = try log("phone", #"{"$omitted":"phone:1"}"#, number: 1, arrived: 0)
        let tablet = try log("tablet", #"{"$omitted":"tablet:1"}"#, number: 2, arrived: 0)
        #expect(world.run("audit", "--joined", "--statistics", phone, tablet) == .success)
        #expect(try world.lines.map { $0["event"] } == ["conflict", "statistics"])
    }

    @Test func whatHadArrivedIsNoConflict() throws {
        let (phone, tablet) = (try log("phone", "1", number: 1, arrived: 0), try log("tablet", "2", number: 2, arrived: 1))
        #expect(world.run("audit", "--joined", phone, tablet) == .success)
        #expect(world.found.isEmpty)
        #expect(world.errorText.contains("no conflict is proven"))
    }

    @Test func whatAnExportReplacesIsSaid() throws {
        let phone = try log("phone", #""Plan""#, number: 3, arrived: 0)
        let shown =
            #"{"v":1,"ts":"2026-01-15T14:06:00.000Z","seq":3,"source":"phone","event":"acknowledgement","device":"phone","n":1,"#
            + #""recordType":"Card","recordID":"1","fields":["title"],"hubSequence":5,"earliest":5,"arrived":0,"stillShown":true}"# + "\n"
        let lines = try String(contentsOfFile: phone, encoding: .utf8) + shown
        let phoneLater = try directory.path(lines, as: "phone-later.jsonl")
        let tablet = try log("tablet", "1", number: 5, arrived: 0)
        let note = try String(contentsOfFile: tablet, encoding: .utf8).replacing("title", with: "note")
            .replacing(#""arrived":0"#, with: #""arrived":0,"recordArrived":0"#)
        let tabletNote = try directory.path(note, as: "tablet-note.jsonl")
        #expect(world.run("audit", "--joined", phoneLater, tabletNote) == .success)
        #expect(
            world.errorText.hasSuffix(
                "syncaudit: an export replaces the fields that were edited, not the whole record: 1 edit outlived exports of other fields by devices that had not seen them\n"
            ), Comment(rawValue: world.errorText))
    }

    @Test func logWithoutNumbersIsRefused() throws {
        let trace = try directory.path(
            #"{"event":"write","ts":"2026-01-15T14:00:00.000Z","device":"a","recordType":"Card","recordID":"1","op":"put","fields":{"x":1}}"#
                + "\n")
        #expect(world.run("audit", "--joined", trace) == .badData)
        #expect(world.errorText.contains("server's numbers"))
    }

    @Test(arguments: [["--state", "x"], ["--edited"]]) func stateIsNotKnown(options: [String]) throws {
        #expect(world.run(["audit", "--joined"] + options + [try log("phone", "1", number: 1, arrived: 0)]) == .usage)
    }
}
