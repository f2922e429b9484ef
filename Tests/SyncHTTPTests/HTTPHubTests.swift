import SyncHTTP
import SyncLayer
import SyncModel
import SyncSystem
import Testing

/// What a client makes of a server's answers.
@Suite struct HTTPHubTests {
    private let time = HubAnswer.time(WallTime(millisecondsSince1970: 1_768_482_000_000)).response

    private func hub(
        _ transport: some WireTransport, pauses: Pauses = Pauses(),
        token: @escaping @Sendable (String?) async throws -> String? = { _ in nil }
    ) -> HTTPHub {
        var configuration = HTTPHubConfiguration()
        configuration.random = { 0 }
        configuration.sleep = { pauses.add($0) }
        return HTTPHub(space: "team", transport: transport, configuration: configuration, token: token)
    }

    @Test func aServerThatIsBusyIsAskedAgainWhenItSaysSo() async throws {
        let pauses = Pauses()
        let transport = Scripted([WireResponse(status: 503, headers: ["retry-after": "7"]), WireResponse(status: 502), time])
        #expect(try await hub(transport, pauses: pauses).now().millisecondsSince1970 == 1_768_482_000_000)
        #expect(pauses.all == [.seconds(7), .seconds(1)])
    }

    @Test func aServerThatWantsALongPauseIsLeftToTheEngine() async throws {
        let transport = Scripted([WireResponse(status: 429, headers: ["Retry-After": "3600"]), time])
        await #expect { _ = try await hub(transport).now() } throws: { ($0 as? SyncLayerError)?.code == .hubUnavailable }
        #expect(transport.requests.count == 1)
    }

    @Test func anAttemptLimitEndsIt() async throws {
        let transport = Scripted([WireResponse](repeating: WireResponse(status: 503), count: 9))
        await #expect { _ = try await hub(transport).now() } throws: { ($0 as? SyncLayerError)?.code == .hubUnavailable }
        #expect(transport.requests.count == HTTPHubConfiguration().attempts)
    }

    @Test func aTokenIsAskedForAnewOnceWhereItIsNotTaken() async throws {
        let asked = Asked()
        let transport = Scripted([WireResponse(status: 401), time, time])
        let hub = hub(transport) { refused in asked.next(refused) }
        _ = try await hub.now()
        _ = try await hub.now()
        #expect(transport.requests.map { $0.headers["authorization"] } == ["Bearer token 1", "Bearer token 2", "Bearer token 2"])
        #expect(asked.refused == [nil, "token 1"])
        let hopeless = Scripted([WireResponse](repeating: WireResponse(status: 401), count: 9))
        await #expect { _ = try await self.hub(hopeless).now() } throws: { ($0 as? SyncLayerError)?.code == .notAllowed }
        #expect(hopeless.requests.count == 2)
    }

    @Test(arguments: [
        (413, SyncLayerError.Code.batchTooLarge), (404, .hubUnavailable), (500, .hubUnavailable), (403, .notAllowed),
        (301, .hubUnavailable),
    ])
    func anAnswerThatIsNotOurs(status: Int, code: SyncLayerError.Code) async throws {
        let transport = Scripted([WireResponse(status: status, body: Array("<html>nginx</html>".utf8))])
        var configuration = HTTPHubConfiguration()
        configuration.attempts = 1
        let hub = HTTPHub(space: "team", transport: transport, configuration: configuration)
        await #expect {
            _ = try await hub.push(PushRequest(device: "a", writes: []))
        } throws: { error in
            (error as? SyncLayerError)?.code == code
        }
    }

    @Test func everyCodeHasItsName() {
        for code in [SyncLayerError.Code.damaged, .hubReplaced, .deviceForgotten, .notAllowed, .batchTooLarge] {
            #expect(SyncLayerError.Code(name: code.description) == code)
        }
        #expect(SyncLayerError.Code(name: "none of ours") == nil)
    }

    @Test func anAnswerWithWordsOfALaterVersionIsUnderstood() async throws {
        let lines = """
            {"event":"write","ts":"2026-01-15T14:00:00.000Z","device":"b","n":1,"counter":0,"received":"2026-01-15T14:00:01.000Z",\
            "hubSequence":1,"recordType":"note","recordID":"1","op":"put","fields":{"x":1.50},"seen":{},"mood":"new"}
            {"event":"weather","rain":true}
            {"event":"page","cursor":1,"hasMore":false,"bytes":9,"rulesVersion":0,"isWhole":true,"later":[1]}

            """
        let transport = Scripted([WireResponse(status: 200, body: Array(lines.utf8))])
        let page = try await hub(transport).pull(PullRequest(device: "a", cursor: 0))
        #expect(page.cursor == 1 && page.writes.count == 1)
    }

    @Test func aPageWithoutItsEndIsAskedForAgain() async throws {
        let whole = HubAnswer.page(PullPage(writes: [], bytes: 0, cursor: 0, hasMore: false)).response
        let transport = Scripted([WireResponse(status: 200), whole])
        #expect(try await hub(transport).pull(PullRequest(device: "a", cursor: 0)).cursor == 0)
        #expect(transport.requests.count == 2)
    }
}

/// The pauses that were made.
final class Pauses: Sendable {
    private let list = Locked<[Duration]>([])
    var all: [Duration] { list.withLock { $0 } }
    func add(_ duration: Duration) { list.withLock { $0.append(duration) } }
}

/// What was asked for a token.
private final class Asked: Sendable {
    private let list = Locked<[String?]>([])
    var refused: [String?] { list.withLock { $0 } }
    func next(_ refused: String?) -> String {
        list.withLock { list in
            list.append(refused)
            return "token \(list.count)"
        }
    }
}
