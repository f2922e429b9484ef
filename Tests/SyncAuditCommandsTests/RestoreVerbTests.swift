import ConflictAudit
import Foundation
import SyncAuditCommands
import SyncBytes
import SyncLayer
import SyncModel
import Testing

@Suite struct RestoreVerbTests {
    private let directory: TemporaryDirectory
    private let world = TestWorld()

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func theLineIsAWriteThatHasSeenBothSidesAndWins() throws {
        let story = try Story(directory)
        let id = try TestWorld.id(in: story.log)
        #expect(world.run("restore", id, story.log, story.trace) == .success, Comment(rawValue: world.errorText))
        let line = world.output.text
        #expect(
            line == #"{"event":"write","ts":"2026-01-15T18:00:00.000Z","device":"restore-\#(id)","n":1,"counter":0,"recordType":"Card","#
                + #""recordID":"42","op":"put","fields":{"phone":"+1-555-1234"},"seen":{"Mac":1,"iPad":1,"iPhone":1}}"# + "\n")

        let audited = TestWorld()
        try audited.pipe(Story.writes + line)
        #expect(audited.run("audit", "--state", directory.file("state")) == .success)
        #expect(directory.content("state")?.contains(#""phone":"+1-555-1234""#) == true)
        #expect(try audited.lines.count == 1)

        let trace = try directory.path(Story.writes + line, as: "trace.jsonl")
        let ledger = TestWorld()
        #expect(ledger.run("lost", story.log, trace) == .success)
        #expect(ledger.output.text.hasPrefix("1 value was lost; 1 of them restored since\n"))
        let shown = TestWorld()
        #expect(shown.run("show", id, story.log, trace) == .success)
        #expect(shown.output.text.contains("Restored by write 1 of restore-\(id)."))

        // Doing it twice is refused, and forced it is a later write of the same device.
        let again = TestWorld()
        #expect(again.run("restore", id, story.log, trace) == .limitExceeded)
        #expect(again.errorText.contains("was written again already"))
        #expect(again.run("restore", "--force", id, story.log, trace) == .success)
        #expect(again.output.text.contains(#""n":2,"#))
    }

    @Test func withoutTheTraceItHasSeenTheTwoSides() throws {
        let story = try Story(directory)
        #expect(world.run("restore", try TestWorld.id(in: story.log), story.log) == .success)
        #expect(try world.only("seen") == ["iPad": 1, "iPhone": 1])
    }

    @Test func aDeviceOfOnesOwnGoesOnWithItsNumbers() throws {
        let story = try Story(directory, trace: Story.writes + Trace.put("server", 7, at: 1, "9", #"{"phone":"1"}"#, type: "Card"))
        #expect(world.run("restore", "--device", "server", try TestWorld.id(in: story.log), story.log, story.trace) == .success)
        #expect(try world.only("n") == 8)
        #expect(try world.only("device") == "server")
    }

    @Test func theTimeIsLaterThanEveryOtherOfTheRecord() throws {
        let future = Trace.put("iPhone", 2, at: 9_999_999, "42", #"{"name":"x"}"#, type: "Card", saw: #"{"Mac":1,"iPhone":1}"#)
        let story = try Story(directory, trace: Story.writes + future)
        let id = try #require(try lossyID(story))
        #expect(world.run("restore", id, story.log, story.trace) == .success, Comment(rawValue: world.errorText))
        #expect(try world.only("ts") == "2026-05-11T07:46:39.000Z")
        #expect(try world.only("counter") == 1)
    }

    private func lossyID(_ story: Story) throws -> String? {
        let world = TestWorld()
        #expect(world.run("tail", "--format", "json", "--severity", "lossy", "--severity", "destructive", story.log) == .success)
        return try world.lines.first?["id"]?.string
    }

    @Test func aFieldThatHasMovedOnIsLeftAloneUnlessForced() throws {
        let story = try Story(directory)
        let id = try TestWorld.id(in: story.log)
        let later = Trace.put("Mac", 2, at: 99, "42", #"{"phone":"new"}"#, type: "Card", saw: #"{"Mac":1,"iPad":1,"iPhone":1}"#)
        let trace = try directory.path(Story.writes + later, as: "trace.jsonl")
        #expect(world.run("restore", id, story.log, trace) == .limitExceeded)
        #expect(world.output.text == "")
        #expect(world.errorText.contains("has moved on since"))
        #expect(world.errorText.contains("write 2 of Mac, \"new\", is shown now; --force"))
        #expect(world.run("restore", "--force", id, story.log, trace) == .success)
        #expect(try world.only("seen") == ["Mac": 2, "iPad": 1, "iPhone": 1])
        // Another field of the record is another matter.
        let aside = Trace.put("Mac", 2, at: 99, "42", #"{"name":"new"}"#, type: "Card", saw: #"{"Mac":1,"iPad":1,"iPhone":1}"#)
        #expect(TestWorld().run("restore", id, story.log, try directory.path(Story.writes + aside, as: "trace.jsonl")) == .success)
    }

    @Test func whatTheLogLeavesOutIsNeverMadeUp() throws {
        let story = try Story(directory, trace: Story.writes, ["--privacy", "omitted"])
        for options in [[], ["--force"]] {
            #expect(world.run(["restore", try TestWorld.id(in: story.log), story.log] + options) == .badData)
        }
        #expect(world.output.text == "")
        #expect(world.errorText.contains("was left out of this log"))
    }

    @Test func whereNothingWasLostThereIsNothingToRestore() throws {
        let story = try Story(directory, trace: Trace.put("a", at: 0, #"{"v":1}"#) + Trace.put("b", at: 9, #"{"v":1}"#))
        #expect(world.run("restore", try TestWorld.id(in: story.log), story.log) == .badData)
        #expect(world.errorText.contains("nothing was lost"))
    }

    @Test func aDeleteThatLostToAnEditDeletes() throws {
        let trace =
            Trace.put("o", at: -99, #"{"v":0}"#) + Trace.delete("b", at: 0, saw: #"{"o":1}"#)
            + Trace.put("e", at: 1, #"{"v":1}"#, saw: #"{"o":1}"#)
        let story = try Story(directory, trace: trace, ["--deletes", "edit-wins"])
        #expect(
            world.run("restore", try TestWorld.id(in: story.log), story.log, story.trace) == .success, Comment(rawValue: world.errorText))
        #expect(try world.only("op") == "delete")
    }

    // MARK: Into an app

    private static let card = RecordKey(type: "Card", id: "42")

    /// Two apps on SQLite whose phone numbers clash; returns the log of both.
    private func clash(_ hub: SQLiteHub) async throws -> (log: String, id: String) {
        let log = directory.file("apps.jsonl")
        let stores = ["iPad", "iPhone"]
        var text = ""
        for round in 0..<3 {
            for (index, name) in stores.enumerated() {
                let sink = CollectedLines()
                var configuration = ReplicaConfiguration()
                configuration.sink = sink
                configuration.wallClock = { WallTime(millisecondsSince1970: 1_768_485_600_000 + Int64(round * 10_000 + index * 1000)) }
                let replica = try Replica(
                    device: DeviceID(name), store: SQLiteStore(path: directory.file(name)), configuration: configuration)
                if round == 0 { try replica.put(["phone": .string(name)], to: Self.card) }
                // Both have written before either syncs.
                if round > 0 { _ = try await SyncEngine(replica: replica, hub: hub).sync() }
                try replica.close()
                text += sink.text(name)
            }
        }
        try directory.create("apps.jsonl", text)
        return (log, try #require(try TestWorld.conflictID(in: text)))
    }

    @Test func intoTheOutboxOfAnAppAndFromThereToEveryDevice() async throws {
        let hub = try SQLiteHub(path: directory.file("hub"))
        let (log, id) = try await clash(hub)
        let code = world.run("restore", "--app", directory.file("iPhone"), id, log)
        #expect(code == .success, Comment(rawValue: world.errorText))
        #expect(try world.only("device") == "iPhone")
        #expect(try world.only("fields") == ["phone": "iPad"])

        let sink = CollectedLines()
        for name in ["iPhone", "iPad", "iPhone"] {
            var configuration = ReplicaConfiguration()
            configuration.sink = sink
            let replica = try Replica(device: DeviceID(name), store: SQLiteStore(path: directory.file(name)), configuration: configuration)
            _ = try await SyncEngine(replica: replica, hub: hub).sync()
            #expect(try replica.get(Self.card) == ["phone": "iPad"])
            #expect(replica.statistics.totalConflicts == 0)
        }
        // The app's own log tells of the write, and the ledger of the restoration.
        let text = (directory.content("apps.jsonl") ?? "") + sink.text("iPhone")
        try directory.create("apps.jsonl", text)
        let ledger = TestWorld()
        #expect(ledger.run("lost", log) == .success)
        #expect(ledger.output.text.hasPrefix("1 value was lost; 1 of them restored since\n"))
    }

    @Test func whatDoesNotFitChangesNothing() async throws {
        let hub = try SQLiteHub(path: directory.file("hub"))
        let (log, id) = try await clash(hub)
        let store = directory.file("iPhone")
        for (options, complaint, code) in [
            (["--policy", "maximum"], "the store was merged by last-writer-wins, the app says maximum", ExitCode.limitExceeded),
            (["--app", directory.file("nothing")], "cannot be opened", .noInput),
            (["--app", log], "not a database", .limitExceeded),
            (["--device", "x"], "leave it out", .usage),
        ] {
            let world = TestWorld()
            let app = options.contains("--app") ? [] : ["--app", store]
            #expect(world.run(["restore", id, log] + options + app) == code, Comment(rawValue: world.errorText))
            #expect(world.errorText.contains(complaint), Comment(rawValue: world.errorText))
            #expect(world.output.text == "")
        }
        #expect(!FileManager.default.fileExists(atPath: directory.file("nothing")))
        try directory.create("empty")
        for force in [[], ["--force"]] {
            #expect(world.run(["restore", id, log, "--app", directory.file("empty")] + force) == .limitExceeded)
        }
        #expect(world.errorText.contains("holds no tables of this package; nothing was changed"))
        // SQLite removes the log of a file that has no page.
        try directory.create("tiny", "x")
        try directory.create("tiny-wal", "log")
        #expect(world.run(["restore", id, log, "--app", directory.file("tiny")]) == .limitExceeded)
        #expect(directory.content("tiny-wal") == "log" && directory.content("tiny-shm") == nil)
        let words = try #require(world.errorText.split(separator: "\n").last)
        #expect(words.components(separatedBy: directory.file("tiny")).count == 2, "the store is named once: \(words)")
        #expect(directory.content("empty") == "")
        let replica = try Replica(device: "iPhone", store: SQLiteStore(path: store))
        #expect(try replica.get(Self.card) == ["phone": "iPhone"])
        #expect(try replica.outboxStatus().writes == 0)
        try replica.put(["phone": "later"], to: Self.card)
        #expect(world.run("restore", id, log, "--app", store) == .limitExceeded)
        #expect(world.errorText.contains("has moved on since"))
        #expect(world.run("restore", id, log, "--app", store, "--force") == .success)
    }

    // MARK: What the logs know of it

    /// The person has typed it again: no line says that it was given back.
    @Test(arguments: [([], 1), (["--record", "Card/42"], 1), (["--record-type", "Note"], nil)])
    func aReportCountsWhatCameBack(options: [String], restored: Int?) throws {
        let story = try Story(directory)
        let again = Trace.put("Mac", 2, at: 99, "42", #"{"phone":"+1-555-1234"}"#, type: "Card", saw: #"{"Mac":1,"iPad":1,"iPhone":1}"#)
        let trace = try directory.path(Story.writes + again, as: "again.jsonl")
        #expect(world.run(["report"] + options + [story.log, trace]) == .success, Comment(rawValue: world.errorText))
        #expect(world.output.text.contains("\(restored ?? 0) of them written again since") == (restored != nil))
        let before = TestWorld()
        #expect(before.run(["report"] + options + [story.log, story.trace]) == .success)
        #expect(before.output.text.contains("none of them is known to have been written again") == (restored != nil))
    }

    /// Somebody else's count of one is no count of one given back.
    @Test func anEqualCountIsAnotherCount() throws {
        func put(_ device: String, _ number: Int = 1, at time: Int, _ fields: String, saw seen: String) -> String {
            Trace.put(device, number, at: time, "1", fields, type: "Card", saw: seen)
        }
        let trace =
            put("lena", at: 0, #"{"likes":{"$counter":1}}"#, saw: "{}")
            + Trace.delete("omar", at: 30, "1", type: "Card", saw: "{}")
            + put("omar", 2, at: 60, #"{"name":"Ada"}"#, saw: #"{"lena":1,"omar":1}"#)
            + put("omar", 3, at: 90, #"{"likes":{"$counter":1}}"#, saw: #"{"lena":1,"omar":2}"#)
        let story = try Story(directory, trace: trace, ["--policy", "counter"])
        let line = try #require(directory.content("log.jsonl")?.split(separator: "\n").first { $0.contains("likes") })
        let id = try #require(try JSONParser.parse(String(line)).object?["id"]?.string)
        #expect(world.run("report", story.log, story.trace) == .success)
        #expect(world.output.text.contains("none of them is known to have been written again"), Comment(rawValue: world.output.text))
        let restoring = TestWorld()
        #expect(restoring.run("restore", "--force", id, story.log, story.trace) == .success, Comment(rawValue: restoring.errorText))
        let back = try directory.path(restoring.output.text, as: "back.jsonl")
        let after = TestWorld()
        #expect(after.run("report", story.log, story.trace, back) == .success)
        #expect(after.output.text.contains("1 of them written again since"), Comment(rawValue: after.output.text))
    }
}
