import CompressedData
import SyncHTTP
import SyncLayer
import SyncModel
import SyncSystem
import Testing

/// What a server answers whom.
@Suite struct HubServiceTests {
    private let hub = InMemoryHub()
    private var service: HubService { HubService { [hub] in $0 == "team" ? hub : nil } }

    private func get(_ path: String, _ service: HubService? = nil) async -> WireResponse {
        await (service ?? self.service).respond(to: WireRequest(method: "GET", path: path))
    }

    private func text(_ response: WireResponse) -> String { String(decoding: response.body, as: UTF8.self) }

    @Test(arguments: [
        ("/", 404), ("/v1/spaces/team/time", 200), ("/v1/spaces/other/time", 404), ("/v1/spaces/../time", 404),
        ("/v1/spaces/..%2f..%2fetc/time", 404), ("/v1/spaces/Team/time", 404), ("/v1/spaces//time", 404), ("/v1/spaces/team/time/", 404),
        ("/v1/spaces/team%00/time", 404), ("/v2/spaces/team/time", 404), ("/v1/spaces/team/passwords", 404),
        ("/v1/spaces/team/writes", 400), ("/v1/spaces/team/writes?device=a&after=-1", 422), ("/v1/spaces/team/writes?device=%zz", 422),
        ("/v1/spaces/team/writes?device=%ff", 422), ("/v1/spaces/team/writes?device=a&position=9", 400),
        ("/v1/spaces/team/writes?device=a&after=18446744073709551615", 409), ("/v1/spaces/team/writes?device=a&limit=0", 200),
        ("/v1/spaces/team/writes?device=a&limit=18446744073709551615&wait=0", 200), ("/v1/spaces/team/given-back", 405),
    ])
    func paths(_ path: String, status: Int) async {
        let response = await get(path)
        #expect(response.status == status, "\(text(response))")
    }

    @Test func everyLineGetsAnOutcome() async {
        let lines = """
            {"event":"write","ts":"2026-01-15T14:00:00.000Z","device":"a","n":1,"recordType":"note","recordID":"1","op":"put","fields":{"x":1},"seen":{}}
            no JSON

            {"event":"write","ts":"2026-01-15T14:00:00.000Z","device":"a","recordType":"note","recordID":"1","op":"delete","seen":{}}
            {"event":"write","ts":"2026-01-15T14:00:02.000Z","device":"a","n":2,"recordType":"note","recordID":"1","op":"delete","seen":{}}
            """
        let response = await service.respond(
            to: WireRequest(method: "POST", path: "/v1/spaces/team/writes?device=a", body: Array(lines.utf8)))
        let outcomes = text(response).split(separator: "\n")
        #expect(response.status == 200)
        #expect(outcomes.map { $0.contains("accepted") } == [true, false, false, true])
        #expect(outcomes[1].contains("no object of JSON") && outcomes[2].contains("\\\"n\\\" is missing"))
        #expect(hub.writes.map(\.dot.sequence) == [1, 2])
        let page = text(await get("/v1/spaces/team/writes?device=b"))
        #expect(page.split(separator: "\n").count == 3 && page.contains("\"hubSequence\":2") && page.hasSuffix("\"isWhole\":true}\n"))
    }

    @Test func aBombIsRefused() async {
        var configuration = HubServiceConfiguration()
        configuration.maximumBytes = 1 << 20
        let service = HubService(configuration: configuration) { [hub] _ in hub }
        for count in [1 << 20, (1 << 20) + 1, 20 << 20] {
            let bomb = compressed([UInt8](repeating: UInt8(ascii: "\n"), count: count))
            let request = WireRequest(method: "POST", path: "/v1/spaces/team/writes?device=a", body: bomb)
            #expect(await service.respond(to: request).status == (count > 1 << 20 ? 413 : 200))
        }
        for body in [[0x1f, 0x8b], [0x1f, 0x8b, 8, 0, 0, 0], compressed([1, 2, 3]).dropLast() + [9], compressed([10]) + [0]] as [[UInt8]] {
            let request = WireRequest(method: "POST", path: "/v1/spaces/team/writes?device=a", body: body)
            #expect(await service.respond(to: request).status == 400)
        }
    }

    @Test func whoMayNotIsTurnedAway() async {
        let authorize: HubAuthorization = { token, _, call in
            guard let token else { return .unknown }
            if let device = call.device, device.rawValue != token { return .forbidden("the token is not that of \(device)") }
            return .allowed
        }
        let service = HubService(authorize: authorize) { [hub] _ in hub }
        func status(_ token: String?, _ path: String) async -> Int {
            var request = WireRequest(method: "GET", path: path)
            request.headers["authorization"] = token
            return await service.respond(to: request).status
        }
        #expect(await status(nil, "/v1/spaces/team/time") == 401)
        #expect(await status("Basic a", "/v1/spaces/team/time") == 401)
        #expect(await status("Bearer a", "/v1/spaces/team/writes?device=a") == 200)
        #expect(await status("bearer a", "/v1/spaces/team/writes?device=b") == 403)
        #expect(await status("bearer a", "/v1/spaces/team/writes?device=b&device=a") == 200)
    }

    /// What a body holds is looked at for nobody who may not call.
    @Test func aBodyIsReadForThoseAloneWhoMayCall() async {
        let service = HubService(authorize: { _, _, _ in .unknown }, hub: { [hub] _ in hub })
        for body in ["no JSON", #"{"cursor":0.01e-9223372036854775808}"#] {
            let request = WireRequest(method: "PUT", path: "/v1/spaces/team/devices?device=a", body: Array(body.utf8))
            #expect(await service.respond(to: request).status == 401)
            #expect(await self.service.respond(to: request).status == 400)
        }
    }

    @Test func linesAreCountedAlsoWhereTheyAreNoWrites() async {
        var configuration = HubServiceConfiguration()
        configuration.linesPerRequest = 3
        let service = HubService(configuration: configuration) { [hub] _ in hub }
        for (count, status) in [(3, 200), (4, 413)] {
            let body = Array(String(repeating: "1\n", count: count).utf8)
            let request = WireRequest(method: "POST", path: "/v1/spaces/team/writes?device=a", body: body)
            #expect(await service.respond(to: request).status == status)
        }
    }

    /// A fault of the server's own says nothing of its inside.
    @Test func aFaultInsideIsNotToldOutside() async {
        struct Secret: Error {}
        let service = HubService { _ in throw Secret() }
        let response = await get("/v1/spaces/team/time", service)
        #expect(response.status == 500 && !text(response).contains("Secret"))
        #expect(response.headers["cache-control"] == "no-store")
    }

    @Test func whoWaitsIsToldWhenWritesCome() async throws {
        let client = HTTPHub(space: "team", transport: InProcess(service: service))
        let start = ContinuousClock.now
        async let found = client.waitForWrites(PullRequest(device: "b", cursor: 0), for: .seconds(25))
        try await Task.sleep(for: .milliseconds(50))
        _ = try await client.push([write(1)], from: "a")
        #expect(try await found)
        #expect(ContinuousClock.now - start < .seconds(15))
        // Its own writes are none to wait for.
        let own = PullRequest(device: "a", cursor: 0, ownSequence: 1)
        #expect(try await !client.waitForWrites(own, for: .seconds(1)))
    }

    @Test func whoIsCancelledStopsWaiting() async throws {
        let client = HTTPHub(space: "team", transport: InProcess(service: service))
        let start = ContinuousClock.now
        let waiting = Task { try await client.waitForWrites(PullRequest(device: "b", cursor: 0), for: .seconds(25)) }
        try await Task.sleep(for: .milliseconds(50))
        waiting.cancel()
        await #expect(throws: CancellationError.self) { _ = try await waiting.value }
        #expect(ContinuousClock.now - start < .seconds(15))
    }

    private func write(_ number: UInt64) -> TaggedWrite {
        TaggedWrite(
            dot: Dot(device: "a", sequence: number), timestamp: HybridTimestamp(milliseconds: 1, counter: 0),
            key: RecordKey(type: "note", id: "1"), operation: .put(["x": 1]), seen: [:])
    }
}
