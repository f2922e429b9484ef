import ConflictAudit
import DocumentationPages
import SyncBytes
import SyncHTTP
import SyncLayer
import SyncModel
import Testing

/// What crosses the wire, and what the page of the wire shows, held against its schema.
@Suite struct WireSchemaTests {
    private var schema: JSONSchema

    init() throws {
        schema = try JSONSchema(try Repository.text("Sources/App/SyncHTTP/SyncHTTP.docc/Resources/syncaudit-wire-1.schema.json"))
    }

    private mutating func expectValid(_ text: String) throws {
        for line in text.split(separator: "\n") where !line.contains(#""event":"write""#) {
            let problems = schema.problems(with: try JSONParser.parse(String(line)))
            #expect(problems == [], "\(line)")
        }
    }

    @Test mutating func answersAndErrors() async throws {
        let hub = InMemoryHub()
        let service = HubService { space in space == "team" ? hub : nil }
        let write = TaggedWrite(
            dot: Dot(device: "a", sequence: 1), timestamp: HybridTimestamp(milliseconds: 1, counter: 0),
            key: RecordKey(type: "note", id: "1"), operation: .put(["x": 1]), seen: [:])
        var report = DeviceReport(device: "a", cursor: 1, predecessor: "b", rulesVersion: 1, rulesFingerprint: 7)
        report.clock = ClockMeasurement(device: "a", offset: .milliseconds(-3), uncertainty: .milliseconds(2))
        let calls: [HubCall] = [
            .time, .push(PushRequest(device: "a", writes: [write, write])), .pull(PullRequest(device: "b", cursor: 0)),
            .pull(PullRequest(device: "a", cursor: 0, ownSequence: 1)), .pull(PullRequest(device: "b", cursor: 9)), .report(report),
            .devices, .settled, .giveBack(GivenBackWrites(device: "a", writes: [write], acknowledged: 1, isLast: true)), .forget("a"),
            .push(PushRequest(device: "a", writes: [write])),
        ]
        var statuses: [Int] = []
        for call in calls {
            let response = await service.respond(to: call.request(space: "team"))
            statuses.append(response.status)
            try expectValid(String(decoding: response.body, as: UTF8.self))
        }
        #expect(statuses == [200, 200, 200, 200, 409, 204, 200, 200, 200, 204, 410])
        let skipped = SkippedWrite(hubSequence: 4, dot: Dot(device: "a", sequence: 2), reason: "it is damaged")
        let page = PullPage(
            writes: [], bytes: 0, cursor: 4, hasMore: true, leftOut: 1, skipped: [skipped],
            compacted: CompactedWrites(
                count: 2, latest: ["a": 2],
                own: [
                    OwnCompactedWrite(
                        dot: Dot(device: "a", sequence: 2), fingerprint: 5, receipt: TaggedWrite.Receipt(milliseconds: 0, hubSequence: 3))
                ]))
        try expectValid(String(decoding: HubAnswer.page(page).response.body, as: UTF8.self))
        let refused = HubAnswer.outcomes([.refused("too large"), .numberTaken])
        try expectValid(String(decoding: refused.response.body, as: UTF8.self))
        // Each property has occurred in one of the answers.
        let body = String(decoding: HubCall.report(report).request(space: "team").body, as: UTF8.self)
        try expectValid(body)
        #expect(schema.properties.subtracting(schema.metProperties).isEmpty, "\(schema.properties.subtracting(schema.metProperties))")
    }

    @Test mutating func thePage() throws {
        let page = try Repository.text("Sources/App/SyncHTTP/SyncHTTP.docc/TheWire.md")
        let lines = page.split(separator: "\n").filter { $0.hasPrefix("{") }
        #expect(lines.count == 7)
        try expectValid(lines.joined(separator: "\n"))
    }

    @Test(arguments: [
        #"{"outcome":"lost"}"#, #"{"event":"page","cursor":1}"#, #"{"time":"yesterday"}"#, #"{"error":{"code":"busy"}}"#, #"{"cursor":-1}"#,
        #"{"cursor":1,"position":"9"}"#, #"{"outcome":"accepted","number":1}"#, "{}",
    ]) mutating func whatIsNoAnswer(_ line: String) throws {
        #expect(schema.problems(with: try JSONParser.parse(line)) != [])
    }
}
