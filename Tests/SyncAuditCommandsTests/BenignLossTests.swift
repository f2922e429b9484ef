import Foundation
import SyncAuditCommands
import SyncBytes
import SyncModel
import Testing

/// Losses that replicas tell of and that took nothing from anybody, by the writes of all logs.
@Suite struct BenignLossTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// A write's line: its device, number and minute, what it gives the note, and what its writer had seen.
    private static func write(
        _ log: String, _ device: String, _ number: Int, _ minute: Int, _ fields: String, seen: String = "{}", record: String = "1"
    ) -> String {
        #"{"v":1,"ts":"2026-01-15T14:0\#(minute):00.000Z","source":"\#(log)","event":"write","device":"\#(device)","n":\#(number),"#
            + #""counter":0,"recordType":"Task","recordID":"\#(record)","op":"put","fields":\#(fields),"seen":\#(seen)}"# + "\n"
    }

    /// The line of a conflict over the note that the tablet's first write lost.
    private static func conflict(to device: String, _ number: Int, _ minute: Int, winner: String, loser: String) -> String {
        #"{"v":1,"ts":"2026-01-15T14:09:00.000Z","source":"phone","event":"conflict","id":"00000000000000aa","kind":"update_update","#
            + #""severity":"lossy","basis":"causal","recordType":"Task","recordID":"1","field":"note","winner":{"device":"\#(device)","#
            + #""n":\#(number),"ts":"2026-01-15T14:0\#(minute):00.000Z","counter":0,"op":"put","value":\#(winner)},"loser":{"#
            + #""device":"tablet","n":1,"ts":"2026-01-15T14:02:00.000Z","counter":0,"op":"put","value":\#(loser)},"gapMs":60000,"#
            + #""withinWindow":true,"windowMs":300000,"policy":"lastWriterWins","resolution":"apply_remote","reason":"newer","#
            + #""auto":true,"clockSuspect":false}"# + "\n"
    }

    /// How many edits `lost` lists, and how many losses it calls none.
    private func lost(_ lines: String...) throws -> [Int?] {
        var answers: [[Int?]] = []
        // In whichever order files come.
        for order in [lines, lines.reversed()] {
            let world = TestWorld()
            let files = try order.enumerated().map { try directory.create("\($0.offset).jsonl", $0.element) }
            #expect(world.run(["lost", "--format", "json"] + files) == .success, Comment(rawValue: world.errorText))
            let answer = try world.lines.first
            answers.append([answer?["losses"]?.array?.count, answer?["benign"]?.integer.map { Int($0) }])
        }
        #expect(answers[0] == answers[1])
        return answers[0]
    }

    private let first = Self.write("phone", "phone", 1, 0, #"{"title":"a"}"#)
    private let winner = Self.write("phone", "phone", 2, 3, #"{"note":"x"}"#, seen: #"{"phone":1}"#)
    private let removal = Self.write("tablet", "tablet", 1, 2, #"{"note":null}"#, seen: #"{"phone":1}"#)
    private let told = Self.conflict(to: "phone", 2, 3, winner: #""x""#, loser: "null")

    @Test func theRemovalOfWhatWasNotThereTakesNothing() throws {
        #expect(try lost(first + winner + told, removal) == [0, 1])
        let (text, story) = (TestWorld(), TestWorld())
        let files = [try directory.create("phone.jsonl", first + winner + told), try directory.create("tablet.jsonl", removal)]
        #expect(text.run(["lost"] + files) == .success)
        #expect(
            text.output.text == """
                Nothing was lost
                1 that lines call lost took nothing from anybody: by all writes, its device
                showed the same before

                """)
        #expect(story.run(["story", "--format", "json", "Task/1"] + files) == .success)
        #expect(try story.lines.first?["losses"] == .array([]))
    }

    @Test func aRecordThatADeleteTakesIsLostWhateverIsInIt() throws {
        let deleted = told.replacing(#""op":"put","value":"x""#, with: #""op":"delete""#)
        let delete = winner.replacing(#""op":"put","fields":{"note":"x"}"#, with: #""op":"delete""#)
        let made = Self.write("tablet", "tablet", 1, 2, #"{"note":null}"#)
        #expect(try lost(first + delete + deleted, made) == [1, 0])
        // Its other values are lost by conflicts of their own.
        let named = Self.write("tablet", "tablet", 1, 2, #"{"note":null,"title":"b"}"#)
        #expect(try lost(first + delete + deleted, named) == [0, 1])
        #expect(try lost(first + delete + deleted, removal) == [0, 1])
    }

    @Test func whatAMissingWriteMayHaveShownIsNotCalledBenign() throws {
        // Nobody's log has the phone's first write, or that of a watch which the tablet had seen.
        #expect(try lost(winner + told, removal) == [1, 0])
        let other = Self.write("tablet", "tablet", 1, 2, #"{"note":null}"#, seen: #"{"phone":1,"watch":1}"#)
        #expect(try lost(first + winner + told, other) == [1, 0])
        // The watch's write is there, and is another record's; or gave the note that was removed.
        let elsewhere = Self.write("tablet", "watch", 1, 0, #"{"note":"y"}"#, record: "2")
        #expect(try lost(first + winner + told, elsewhere + other) == [0, 1])
        #expect(try lost(first + winner + told, Self.write("tablet", "watch", 1, 0, #"{"note":"y"}"#) + other) == [1, 0])
    }

    @Test func whatAnOlderStoreMayHaveTakenIsNotCalledBenign() throws {
        // A number was given twice: to the write that lost, or to one that its writer may have seen instead of another.
        let again = Self.write("tablet", "tablet", 1, 5, #"{"title":"b"}"#, record: "2")
        #expect(try lost(first + winner + told, removal + again) == [1, 0])
        let earlier = Self.write("phone", "phone", 1, 1, #"{"title":"b"}"#, record: "2")
        #expect(try lost(first + earlier + winner + told, removal) == [1, 0])
    }

    @Test func aRepeatedValueIsLostWithTheEditThatItCarries() throws {
        let edit = Self.write("phone", "phone", 1, 0, #"{"note":"a"}"#)
        let repeated = Self.write("tablet", "tablet", 1, 2, #"{"note":"a"}"#, seen: #"{"phone":1}"#)
        func told(_ seen: String) -> String {
            Self.write("watch", "watch", 1, 3, #"{"note":"b"}"#, seen: seen)
                + Self.conflict(to: "watch", 1, 3, winner: #""b""#, loser: #""a""#)
        }
        #expect(try lost(edit, repeated, told("{}")) == [1, 0])
        let seen = told(#"{"phone":1}"#)
        #expect(try lost(edit, repeated, seen) == [0, 1])
        // A number that was given twice, in whichever record, and a cut log: what the tablet showed may have been another value.
        #expect(try lost(edit + Self.write("phone", "phone", 1, 1, #"{"note":"a"}"#), repeated, seen) == [1, 0])
        #expect(try lost(edit + Self.write("phone", "phone", 1, 1, #"{"title":"a"}"#, record: "2"), repeated, seen) == [1, 0])
        let later = Self.write("tablet", "tablet", 5, 2, #"{"note":"a"}"#, seen: #"{"phone":1}"#)
        let lossOfLater = seen.replacing(#""tablet","n":1"#, with: #""tablet","n":5"#)
        #expect(try lost(edit, later, lossOfLater) == [1, 0])
        // Of two concurrent values the policy chose, which lines of a conflict alone name.
        let other = Self.write("watch", "pad", 1, 1, #"{"note":"c"}"#)
        let both = Self.write("tablet", "tablet", 1, 2, #"{"note":"a"}"#, seen: #"{"pad":1,"phone":1}"#)
        #expect(try lost(edit + other, both, told(#"{"pad":1,"phone":1}"#)) == [1, 0])
    }

    /// The phone's first number went with its store, and came again for a write to another record that only its own log tells of.
    @Test func aNumberOfAStoreThatWasPutBackProvesNothing() throws {
        let again = Self.write("phone", "phone", 1, 0, #"{"title":"a"}"#, record: "2")
        let renamed = Self.write("phone", "phone~0123abcd", 1, 1, #"{"title":"c"}"#, record: "3")
        let win = Self.write("watch", "watch", 1, 3, #"{"note":"x"}"#)
        let told = Self.conflict(to: "watch", 1, 3, winner: #""x""#, loser: "null")
        #expect(try lost(again, removal, win + told) == [0, 1])
        #expect(try lost(again + renamed, removal, win + told) == [1, 0])
        let copy = Self.write("watch", "phone", 1, 0, #"{"title":"a"}"#, record: "2")
        #expect(try lost(again + renamed, removal, win + told + copy) == [0, 1])
    }

    @Test func aConflictThatItsWritesContradictIsNotCalledBenign() throws {
        #expect(try lost(first + winner + Self.conflict(to: "phone", 2, 3, winner: #""x""#, loser: #""y""#), removal) == [1, 0])
        #expect(try lost(first + winner + told.replacing(#""counter":0"#, with: #""counter":1"#), removal) == [1, 0])
    }

    /// An edit that two writers won over is lost where one of them had not seen what it repeats, whatever the filter shows.
    @Test func aFilterHidesNoOtherLossOfAnEdit() throws {
        let edit = Self.write("phone", "phone", 1, 0, #"{"note":"a"}"#)
        let repeated = Self.write("tablet", "tablet", 1, 2, #"{"note":"a"}"#, seen: #"{"phone":1}"#)
        let watch =
            Self.write("watch", "watch", 1, 3, #"{"note":"b"}"#, seen: #"{"phone":1}"#)
            + Self.conflict(to: "watch", 1, 3, winner: #""b""#, loser: #""a""#)
        let pad =
            Self.write("pad", "pad", 1, 4, #"{"note":"c"}"#)
            + Self.conflict(to: "pad", 1, 4, winner: #""c""#, loser: #""a""#).replacing("00aa", with: "00bb")
        #expect(try lost(edit, repeated, watch, pad) == [1, 0])
        let world = TestWorld()
        let files = try [edit, repeated, watch, pad].enumerated().map { try directory.create("f\($0.offset).jsonl", $0.element) }
        #expect(world.run(["lost", "--format", "json", "--device", "watch"] + files) == .success, Comment(rawValue: world.errorText))
        #expect(try world.lines.first?["benign"] == 0)
    }

    @Test func whatLinesTellInTwoWaysIsNotCalledBenign() throws {
        let away = Self.conflict(to: "watch", 1, 4, winner: #""b""#, loser: "null")
        let watch = Self.write("watch", "watch", 1, 4, #"{"note":"b"}"#)
        #expect(try lost(first + winner + told, removal, watch + away) == [1, 0])
    }

    /// Of a simulated fleet what was dropped is held against a reading of the writes that shares nothing with the product.
    @Test(arguments: [(3, []), (2, ["--store-restores", "0.02"]), (5, ["--store-copies", "0.01"])])
    func whatIsDroppedIsWhatItsDeviceShowed(seed: Int, faults: [String]) async throws {
        let fleet = directory.file("fleet")
        let simulated = await TestWorld.onThread(
            ["simulate", "--seed", "\(seed)", "--devices", "4", "--steps", "400", "--records", "8", "-o", fleet] + faults)
        try #require(simulated.code == .success)
        let logs = try FileManager.default.contentsOfDirectory(atPath: fleet).filter { $0 != "trace.jsonl" }.map { fleet + "/" + $0 }
        let answer = await TestWorld.onThread(["lost", "--format", "json"] + logs)
        let document = try #require(try JSONParser.parse(answer.output).object)
        let listed = Set(
            (document["losses"]?.array ?? []).compactMap(\.object).flatMap {
                [$0["id"]?.string ?? ""] + ($0["otherConflicts"]?.array ?? []).compactMap(\.string)
            })
        var writes: [ShownWrite: ShownWrite] = [:]
        var conflicts: [String: [FieldMap]] = [:]
        for line in try logs.flatMap({ try String(contentsOfFile: $0, encoding: .utf8).split(separator: "\n") }) {
            guard let object = try JSONParser.parse(String(line)).object else { continue }
            if let write = ShownWrite(object) { writes[write] = write }
            if object["event"] == "conflict" { conflicts[object["id"]?.string ?? "", default: []].append(object) }
        }
        var dropped = 0
        for (id, told) in conflicts where !listed.contains(id) {
            let severities = told.compactMap { $0["severity"]?.string }
            guard severities.contains(where: ["lossy", "destructive"].contains), !severities.contains("benign") else { continue }
            dropped += 1
            guard let field = told[0]["field"]?.string, let policy = Self.policies[told[0]["recordType"]?.string ?? ""],
                let loser = told[0]["loser"]?.object.flatMap({ side in writes.keys.first { $0.isSide(side, of: told[0]) } })
            else { continue }
            let shown = ShownWrite.value(of: field, shownTo: loser, among: Array(writes.keys), policy)
            #expect(shown == loser.fields?[FieldName(field)] ?? .null, "\(id)")
        }
        #expect(dropped > 0)
    }

    /// By which of the concurrent values a device shows, for the types whose fields the simulator decides by one rule.
    private static let policies: [String: ShownWrite.Choice] = [
        "FieldLastWriter": .latest, "Manual": .latest, "FieldFirstWriter": .earliest, "Maximum": .largest, "Minimum": .smallest,
    ]
}

/// A write as its line tells it.
private struct ShownWrite: Hashable {
    enum Choice { case latest, earliest, largest, smallest }

    let record: String
    let device: String
    let number: Int64
    let time: String
    let counter: Int64
    /// Nil for a delete.
    let fields: FieldMap?
    let seen: FieldMap

    init?(_ line: FieldMap) {
        guard line["event"] == "write" else { return nil }
        record = "\(line["recordType"]?.string ?? "")/\(line["recordID"]?.string ?? "")"
        (device, number) = (line["device"]?.string ?? "", line["n"]?.integer ?? 0)
        (time, counter) = (line["ts"]?.string ?? "", line["counter"]?.integer ?? 0)
        (fields, seen) = (line["fields"]?.object, line["seen"]?.object ?? FieldMap())
    }

    func isSide(_ side: FieldMap, of conflict: FieldMap) -> Bool {
        record == "\(conflict["recordType"]?.string ?? "")/\(conflict["recordID"]?.string ?? "")" && device == side["device"]?.string
            && number == side["n"]?.integer && time == side["ts"]?.string
    }

    func hasSeen(_ other: ShownWrite) -> Bool {
        device == other.device ? other.number < number : seen[FieldName(other.device)]?.integer ?? 0 >= other.number
    }

    static func value(of field: String, shownTo writer: ShownWrite, among all: [ShownWrite], _ choice: Choice) -> FieldValue {
        let seen = all.filter {
            $0.record == writer.record && writer.hasSeen($0) && $0.fields.map { $0[FieldName(field)] != nil } ?? true
        }
        let latest = seen.filter { one in !seen.contains { $0 != one && $0.hasSeen(one) } }
        // A delete wins over what its writer had not seen.
        if latest.isEmpty || latest.contains(where: { $0.fields == nil }) { return .null }
        let byTime = latest.sorted { ($0.time, $0.counter, $0.device) < ($1.time, $1.counter, $1.device) }
        let numbers = latest.compactMap { $0.fields?[FieldName(field)]?.integer }
        let write = choice == .earliest ? byTime.first : byTime.last
        switch choice {
        case .largest: if let largest = numbers.max() { return .number(JSONNumber(largest)) }
        case .smallest: if let smallest = numbers.min() { return .number(JSONNumber(smallest)) }
        default: break
        }
        return write?.fields?[FieldName(field)] ?? .null
    }
}
