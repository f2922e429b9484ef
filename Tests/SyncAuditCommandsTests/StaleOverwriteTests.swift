import SyncAuditCommands
import SyncModel
import Testing

/// Apps that save a whole form write fields that nobody touched: what such a put loses is nothing, and what it wins over is an edit.
@Suite struct StaleOverwriteTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private static func put(_ device: String, _ time: String, _ seen: String, _ fields: String) -> String {
        #"{"event":"write","ts":"2026-01-15T\#(time):00.000Z","device":"\#(device)","n":1,"recordType":"Card","recordID":"42","op":"put","#
            + #""fields":{\#(fields)},"seen":\#(seen)}"# + "\n"
    }

    private static let created = put("Mac", "09:00", "{}", #""city":"Rome","name":"Ann","phone":"0000""#)
    private static let phone = put("iPhone", "10:00", #"{"Mac":1}"#, #""city":"Rome","name":"Ann","phone":"1234""#)
    private static let name = put("iPad", "10:05", #"{"Mac":1}"#, #""city":"Rome","name":"Anna","phone":"0000""#)
    private static let delete =
        #"{"event":"write","ts":"2026-01-15T10:05:00.000Z","device":"iPad","n":1,"recordType":"Card","recordID":"42","op":"delete","#
        + #""seen":{"Mac":1}}"# + "\n"

    private func run(_ arguments: String...) throws -> TestWorld {
        let world = TestWorld()
        _ = world.run(arguments)
        return world
    }

    private func audited(_ trace: String, _ options: String...) throws -> [FieldMap] {
        let world = TestWorld()
        try #require(world.run(["audit", try directory.path(trace)] + options) == .success)
        return try world.lines
    }

    @Test func theOldValuePutBackIsALossAndTheFieldLeftAloneIsNone() throws {
        let lines = try audited(Self.created + Self.phone + Self.name)
        #expect(lines.map { $0["field"] } == ["city", "name", "phone"])
        #expect(lines.map { $0["severity"] } == ["benign", "benign", "lossy"])
        #expect(lines.map { $0["stale"] } == [nil, nil, true])
        #expect(lines.last?["loser"]?.object?["value"] == "1234")
    }

    @Test func aFieldEmptiedOverAnEditIsCleared() throws {
        let emptied = Self.name.replacing(#""0000""#, with: "null")
        let lines = try audited(Self.created + Self.phone + emptied)
        #expect(lines.map { $0["cleared"] } == [nil, nil, true] && lines.map { $0["stale"] } == [nil, nil, nil])
        let edited = try audited(Self.created + Self.phone.replacing(#""1234""#, with: "null") + Self.name.replacing("0000", with: "5678"))
        #expect(edited.last?["severity"] == "lossy" && edited.last?["cleared"] == nil)
        let old = try audited(Self.created.replacing(#""0000""#, with: "null") + Self.phone + emptied)
        #expect(old.last?["stale"] == true && old.last?["cleared"] == true)
    }

    @Test func aDeleteDiscardsOnlyWhatWasEdited() throws {
        let lines = try audited(Self.created + Self.phone + Self.delete)
        #expect(lines.map { $0["field"] } == ["city", "name", "phone"])
        #expect(lines.map { $0["severity"] } == ["benign", "benign", "destructive"])
        #expect(lines.allSatisfy { $0["stale"] == nil })
    }

    @Test func aWholeRecordThatOnlyRepeatsIsStaleToo() throws {
        let lines = try audited(
            Self.created + Self.phone + Self.name.replacing("Anna", with: "Ann"), "--policy", "record-last-writer-wins")
        #expect(lines.map { $0["severity"] } == ["lossy"] && lines.map { $0["stale"] } == [true])
        let other = try audited(
            Self.created + Self.phone.replacing("1234", with: "0000") + Self.name, "--policy", "record-last-writer-wins")
        #expect(other.map { $0["severity"] } == ["benign"])
    }

    @Test func whatOnlyOneSideHadSeenIsNoAncestor() throws {
        // The iPhone put back what it had seen, over a value that the iPad does not know.
        let back = Self.phone.replacing("1234", with: "0000").replacing(#""n":1"#, with: #""n":2"#)
            .replacing(#"{"Mac":1}"#, with: #"{"Mac":1,"iPhone":1}"#).replacing("10:00:00", with: "10:01:00")
        let lines = try audited(Self.created + Self.phone + back + Self.name.replacing("0000", with: "5678"))
        #expect(lines.filter { $0["field"] == "phone" }.map { $0["severity"] } == ["lossy"])
    }

    private static let tags = #"{"$add":["x"],"$remove":[]}"#

    @Test(arguments: [#"{"$counter":2}"#, tags]) func aChangeMadeTwiceIsTwoChangesThatADeleteDiscards(change: String) throws {
        let first = Self.put("Mac", "09:00", "{}", #""n":\#(change)"#)
        let second = Self.put("iPhone", "10:00", #"{"Mac":1}"#, #""n":\#(change)"#)
        let lines = try audited(first + second + Self.delete)
        #expect(lines.map { $0["severity"] } == ["destructive"])
    }

    private static func name(_ device: String, _ time: String, _ seen: String, _ name: String) -> String {
        put(device, time, seen, #""name":"\#(name)""#)
    }

    @Test(arguments: [([], "Anne"), (["--policy", "first-writer-wins"], "Anna")])
    func anEditBackToOneOfSeveralValuesIsAnEdit(options: [String], shown: String) throws {
        // Two had met; one of them was shown, and its value or the other's is put.
        let met =
            Self.name("Mac", "09:00", "{}", "Ann") + Self.name("iMac", "09:30", #"{"Mac":1}"#, "Anna")
            + Self.name("Watch", "09:31", #"{"Mac":1}"#, "Anne")
        let seen = #"{"Mac":1,"Watch":1,"iMac":1}"#
        for value in ["Anna", "Anne"] {
            let world = TestWorld()
            let trace = met + Self.name("iPhone", "10:00", seen, value) + Self.name("iPad", "10:05", seen, "Annie")
            try #require(world.run(["audit", try directory.path(trace)] + options) == .success)
            let lines = try world.lines
            let isLost = lines.last?["loser"]?.object?["device"] == "iPhone"
            #expect(isLost == options.isEmpty)
            #expect(lines.last?["severity"] == (isLost && value == shown ? "benign" : "lossy"), "\(value)")
            #expect(lines.last?["stale"] == (!isLost && value == shown ? .bool(true) : nil), "\(value)")
        }
    }

    @Test func anEditBackToAValueIsAnEditThoughTheLineBetweenIsMissing() throws {
        let created = Self.name("Mac", "09:00", "{}", "Ann")
        let between = Self.name("Watch", "09:30", #"{"Mac":1}"#, "Anne")
        let back = Self.name("iPhone", "10:00", #"{"Mac":1,"Watch":1}"#, "Ann")
        let other = Self.name("iPad", "10:05", #"{"Mac":1}"#, "Anna")
        for trace in [created + back + other, created + back + other + between, created + between + back + other] {
            let lines = try audited(trace)
            #expect(lines.contains { $0["loser"]?.object?["device"] == "iPhone" && $0["severity"] == "lossy" }, "\(trace)")
        }
        // Nor has the put that had seen more than what it repeats overwritten anything unknowingly.
        let late = try audited(created + other.replacing("10:05", with: "09:40") + back)
        #expect(late.last?["severity"] == "lossy" && late.last?["stale"] == nil)
    }

    @Test func reportsCountAndExplainIt() throws {
        let trace = try directory.path(Self.created + Self.phone + Self.name, as: "writes.jsonl")
        let log = try directory.path(try run("audit", trace).output.text, as: "conflicts.jsonl")
        #expect(try run("report", "--all", log).output.text.contains("Stale overwrites"))
        #expect(try run("report", "--format", "json", log).output.text.contains(#""staleOverwrites":1"#))
        // What one line says is not said of those that come after.
        let reversed = directory.content("conflicts.jsonl")?.split(separator: "\n").reversed().joined(separator: "\n")
        let other = try directory.path((reversed ?? "") + "\n", as: "reversed.jsonl")
        #expect(try run("report", "--format", "json", other).output.text.contains(#""staleOverwrites":1"#))
        #expect(try run("export", log).output.text.contains(#"syncaudit_stale_overwrites_total{certainty="proven"} 1"#))
        let id = try #require(try run("audit", trace).lines.last?["id"]?.string)
        #expect(try run("show", id, log).output.text.replacing("\n", with: " ").contains("A stale overwrite: iPad edited nothing there"))
        #expect(try run("tail", log).output.text.contains("(newer, stale): lost \"1234\""))
        #expect(try run("check", log, trace).output.text.hasPrefix("No findings"))
        let statistics = try directory.path(try run("audit", "--statistics", trace).output.text, as: "statistics.jsonl")
        #expect(try run("report", "--all", statistics).output.text.contains("Stale overwrites"))
    }

    @Test func checkNamesALineThatSaysOtherwise() throws {
        let trace = try directory.path(Self.created + Self.phone + Self.name, as: "writes.jsonl")
        let text = try run("audit", trace).output.text
        for (told, forged) in [(#","stale":true"#, ""), (#""clockSuspect":false}"#, #""clockSuspect":false,"stale":true}"#)] {
            let log = try directory.path(text.replacing(told, with: forged), as: "forged.jsonl")
            #expect(try run("check", log, trace).output.text.contains("stale overwrite, and is"), "\(told)")
        }
        let costly = try directory.path(text.replacing("benign", with: "lossy"), as: "costly.jsonl")
        #expect(try run("check", costly, trace).output.text.contains("the severity is told as lossy, and is benign"))
    }
}
