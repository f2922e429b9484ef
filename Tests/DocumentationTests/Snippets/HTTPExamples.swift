import SyncHTTP
import SyncLayer
import SyncModel
import SyncURLSession
import Testing

/// The examples in the documentation of the public types of SyncHTTP and SyncURLSession.
@Suite struct HTTPExamples {
    struct InProcess: WireTransport {
        let service: HubService
        func send(_ request: WireRequest, timeout: Duration) async throws -> WireResponse { await service.respond(to: request) }
    }

    @Test func hubServiceExample() async {
        let hub = InMemoryHub()
        let service = HubService { space in space == "team" ? hub : nil }
        let response = await service.respond(to: WireRequest(method: "GET", path: "/v1/spaces/team/time"))
        #expect(response.status == 200)
    }

    @Test func messageExamples() async {
        let hub = InMemoryHub()
        let service = HubService { space in space == "team" ? hub : nil }
        do {
            let request = WireRequest(method: "GET", path: "/v1/spaces/team/devices")
            let response = await service.respond(to: request)
            #expect(response.status == 200)
        }
        let response = WireResponse(status: 503, headers: ["Retry-After": "5"])
        #expect(response.headers["retry-after"] == "5")
        var headers: WireHeaders = ["Content-Type": "application/json"]
        headers["authorization"] = "Bearer 1f0c"
        #expect(headers["Authorization"] == "Bearer 1f0c" && Array(headers).count == 2)
        var configuration = HubServiceConfiguration()
        configuration.maximumBytes = 1 << 20
        let access = HubAccess.forbidden("the token is that of another device")
        #expect(access != .allowed && configuration.maximumBytes == 1_048_576)
    }

    @Test func wireExamples() throws {
        let call = HubCall.pull(PullRequest(device: "iPad", cursor: 40), wait: .seconds(25))
        let request = call.request(space: "team")  // GET /v1/spaces/team/writes?device=iPad&after=40&limit=500&wait=25
        #expect("\(request.method) \(request.path)" == "GET /v1/spaces/team/writes?device=iPad&after=40&limit=500&wait=25")
        let answer = HubAnswer.time(WallTime(millisecondsSince1970: 1_768_485_600_000))
        print(answer.response.status)  // 200
        #expect(try HubAnswer(answer.response, to: .time) == answer)
        let space = SpaceName(named: "team-7")  // nil for "../team", "Team" and ""
        #expect(space != nil && ["../team", "Team", ""].allSatisfy { SpaceName(named: $0) == nil })
        var configuration = HTTPHubConfiguration()
        configuration.attempts = 1  // the loop tries again by itself
        #expect(configuration.attempts == 1)
    }

    @Test func urlSessionTransportExample() throws {
        let transport = try URLSessionTransport(server: "https://sync.example.com")
        let hub = HTTPHub(space: "team", transport: transport)
        #expect(throws: URLSessionTransport.Failure.self) { try URLSessionTransport(server: "sync.example.com") }
        _ = hub
    }

    private struct Account: Sendable {
        func token() async throws -> String? { nil }
    }

    // Compiled, and not run: there is no such server.
    func httpHubExample(_ replica: Replica) async throws {
        let account = Account()
        let transport = try URLSessionTransport(server: "https://sync.example.com")  // of SyncURLSession, or one of your own
        let hub = HTTPHub(space: "team", transport: transport) { _ in try await account.token() }
        let engine = SyncEngine(replica: replica, hub: hub)
        try await engine.sync()
    }

    func waitingHubExample(_ loop: SyncLoop, _ hub: HTTPHub) async throws {
        let following = Task { try await loop.follow(hub) }
        following.cancel()
    }
}
