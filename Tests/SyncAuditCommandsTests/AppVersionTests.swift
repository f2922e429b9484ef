import AuditLog
import ConflictAudit
import SyncAuditCommands
import SyncLayer
import SyncModel
import Testing

/// Which release loses edits, and which overwrites them: writes carry the version of the app that made them.
@Suite struct AppVersionTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private static func put(_ device: String, at minute: Int, _ app: String?) -> String {
        #"{"event":"write","ts":"2026-01-15T10:\#(10 + minute):00.000Z","device":"\#(device)","n":1,"recordType":"Card","recordID":"1","#
            + #""op":"put","fields":{"name":"\#(device)"},"seen":{}\#(app.map { #","app":"\#($0)""# } ?? "")}"# + "\n"
    }

    private func run(_ arguments: [String]) -> String {
        let world = TestWorld()
        _ = world.run(arguments)
        return world.output.text
    }

    /// The conflicts of four devices: 1.0 loses to 2.0, 2.0 to one that does not say, that one to 2.1.
    private func log() throws -> String {
        let trace =
            Self.put("a", at: 1, "1.0") + Self.put("b", at: 2, "2.0") + Self.put("c", at: 3, nil) + Self.put("d", at: 4, "2.1 (\\\"x\\\")")
        return try directory.path(run(["audit", try directory.path(trace)]), as: "log.jsonl")
    }

    @Test func conflictsCarryTheVersionsOfBothSides() throws {
        let world = TestWorld()
        _ = world.run(["audit", try directory.path(Self.put("a", at: 1, "1.0") + Self.put("b", at: 2, nil))])
        let line = try #require(try world.lines.first)
        #expect(line["loser"]?.object?["app"] == "1.0" && line["winner"]?.object?["app"] == nil)
    }

    @Test(arguments: [["report", "--all"], ["report", "--format", "markdown"], ["report", "--format", "html"]])
    func reportsCountByVersion(arguments: [String]) throws {
        let text = run(arguments + [try log()])
        for part in ["By winning version of the app", "By losing version of the app", "not told", "2.0"] {
            #expect(text.contains(part), "\(part)")
        }
    }

    @Test func numbersAreThoseOfTheLines() throws {
        let log = try log()
        let json = run(["report", "--format", "json", log])
        #expect(json.contains(#""byLosingApp":{"rows":["#) && json.contains(#"{"app":"1.0","proven":{"conflicts":1,"editsLost":1}"#))
        let summary = run(["report", "--format", "summary", log])
        #expect(summary.contains(#""byAppPair":[{"winner":"","loser":"2.0","conflicts":1,"editsLost":1}"#), "\(summary)")
        // A summary is read again, and put together with another.
        let again = try directory.path(summary, as: "summary.json")
        #expect(run(["report", "--format", "json", again]).contains(#"{"app":"1.0","proven":{"conflicts":1,"editsLost":1}"#))
        #expect(
            run(["report", "--all-copies", "--format", "json", again, log]).contains(
                #"{"app":"1.0","proven":{"conflicts":2,"editsLost":2}"#))
        let metrics = run(["export", log])
        #expect(metrics.contains(#"syncaudit_app_edits_lost_total{certainty="proven",winning_app="2.0",losing_app="1.0"} 1"#), "\(metrics)")
        #expect(run(["report", "--format", "csv", log]).contains("syncaudit_app_conflicts"))
    }

    @Test func logsWithoutVersionsAreNotAskedForThem() throws {
        let trace = try directory.path(Self.put("a", at: 1, nil) + Self.put("b", at: 2, nil))
        let log = try directory.path(run(["audit", trace]), as: "log.jsonl")
        #expect(!run(["report", "--all", log]).contains("version of the app"))
    }

    @Test func aReplicaTagsItsWritesWithIt() throws {
        let events = CollectedLines()
        var configuration = ReplicaConfiguration()
        configuration.app = "3.0"
        configuration.sink = events
        configuration.reportsWrites = true
        let replica = try Replica(device: "phone", store: InMemoryStore(), configuration: configuration)
        try replica.put(["name": "Ann"], to: RecordKey(type: "Card", id: "1"))
        #expect(events.text("phone").contains(#""app":"3.0""#))
        configuration.app = ""
        let nameless = try Replica(device: "tablet", store: InMemoryStore(), configuration: configuration)
        #expect(throws: SyncLayerError.self) { try nameless.put(["name": "Ann"], to: RecordKey(type: "Card", id: "1")) }
    }
}
