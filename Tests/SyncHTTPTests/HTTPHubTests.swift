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
        let hub = hub(transport)
        await #expect {
            _ = try await hub.push(PushRequest(device: "a", writes: []))
        } throws: { error in
            (error as? SyncLayerError)?.code == code
        }
        #expect(transport.requests.count == 1)
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
            {"event":"page","writes":1,"cursor":1,"hasMore":false,"bytes":9,"rulesVersion":0,"isWhole":true,"later":[1]}

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

extension HTTPHubTests {
    /// What a hub at fault, or who stands before it, may answer to a pull: nothing of it is taken, and nothing ends the process.
    @Test(arguments: [
        (
            #"{"event":"page","writes":1,"cursor":1,"hasMore":false,"bytes":9,"rulesVersion":0,"isWhole":true}"#,
            SyncLayerError.Code.hubUnavailable
        ),
        (#"{"event":"page","writes":0,"cursor":1,"hasMore":false,"bytes":9,"rulesVersion":0,"isW"#, .hubUnavailable),
        ("<html>", .hubAtFault), ("[]", .hubAtFault), (#"{"event":7}"#, .hubAtFault),
        (#"{"event":"page","writes":-1,"cursor":1,"hasMore":false,"bytes":9,"rulesVersion":0,"isWhole":true}"#, .hubAtFault),
        (
            #"{"event":"page","writes":0,"cursor":1,"hasMore":false,"bytes":9,"rulesVersion":0,"isWhole":true,"#
                + #""skipped":[{"hubSequence":1,"device":"b","n":0,"reason":""}]}"#, .hubAtFault
        ),
        (
            #"{"event":"page","writes":0,"cursor":0.01e-9223372036854775808,"hasMore":false,"bytes":9,"rulesVersion":0,"isWhole":true}"#,
            .hubAtFault
        ),
    ])
    func aPageThatIsNone(_ body: String, code: SyncLayerError.Code) async throws {
        let transport = Scripted([WireResponse](repeating: WireResponse(status: 200, body: Array(body.utf8)), count: 9))
        await #expect {
            _ = try await hub(transport).pull(PullRequest(device: "a", cursor: 0))
        } throws: { error in
            (error as? SyncLayerError)?.code == code
        }
        #expect(transport.requests.count == (code == .hubUnavailable ? HTTPHubConfiguration().attempts : 1))
    }

    /// Sizes that a hub makes up add up to no trap.
    @Test func sizesThatNobodyBelieves() async throws {
        func page(_ cursor: Int, _ hasMore: Bool) -> WireResponse {
            let line =
                #"{"event":"page","writes":0,"cursor":\#(cursor),"hasMore":\#(hasMore),"bytes":9223372036854775807,"rulesVersion":0,"#
                + #""leftOut":1,"isWhole":true}"#
            return WireResponse(status: 200, body: Array(line.utf8))
        }
        let empty = HubAnswer.settled([:]).response
        let transport = Scripted([
            time, empty, WireResponse(status: 204), HubAnswer.devices([]).response, page(1, true), page(2, true), page(3, false),
            WireResponse(status: 204),
        ])
        let replica = try Replica(device: "a", store: InMemoryStore())
        let report = try await SyncEngine(replica: replica, hub: hub(transport)).sync()
        #expect(report.pulled == 0)
    }

    @Test func moreOutcomesThanWritesAreAnothersAnswer() async {
        let transport = Scripted([HubAnswer.outcomes([.numberTaken]).response])
        await #expect {
            _ = try await hub(transport).push(PushRequest(device: "a", writes: []))
        } throws: { error in
            (error as? SyncLayerError)?.code == .hubAtFault
        }
    }

    @Test func aPageOfSomebodyBetweenIsNoReceipt() async {
        let transport = Scripted([WireResponse](repeating: WireResponse(status: 200, body: Array("<html>Welcome</html>".utf8)), count: 9))
        await #expect {
            try await hub(transport).report(DeviceReport(device: "a", cursor: 0))
        } throws: { error in
            (error as? SyncLayerError)?.code == .hubUnavailable
        }
    }

    @Test func whoWaitsForATokenCanBeCancelled() async throws {
        let hub = hub(Scripted([time])) { _ in
            try await Task.sleep(for: .seconds(600))
            return nil
        }
        let call = Task { try await hub.now() }
        try await Task.sleep(for: .milliseconds(20))
        call.cancel()
        await #expect(throws: CancellationError.self) { _ = try await call.value }
    }

    /// However many calls find a token refused, one other is asked for.
    @Test func oneTokenIsAskedForWhereManyAreRefused() async throws {
        struct Strict: WireTransport {
            let answer: WireResponse
            func send(_ request: WireRequest, timeout: Duration) async throws -> WireResponse {
                await Task.yield()
                return request.headers["Authorization"] == "Bearer token 2" ? answer : WireResponse(status: 401)
            }
        }
        let asked = Asked()
        let hub = hub(Strict(answer: time)) { refused in
            await Task.yield()
            return asked.next(refused)
        }
        try await withThrowingTaskGroup { group in
            for _ in 0..<50 { group.addTask { _ = try await hub.now() } }
            try await group.waitForAll()
        }
        #expect(asked.refused == [nil, "token 1"])
    }

    /// A hub that does not wait is not asked again and again at once.
    @Test func followingAHubThatAnswersAtOnce() async throws {
        final class Hasty: WaitingHub {
            let hub = InMemoryHub()
            let calls = Locked(0)
            func waitForWrites(_ request: PullRequest, for time: Duration) async throws -> Bool {
                calls.withLock { $0 += 1 }
                return true
            }
            func now() async throws -> WallTime { await hub.now() }
            func push(_ request: PushRequest) async throws -> [PushOutcome] { try await hub.push(request) }
            func pull(_ request: PullRequest) async throws -> PullPage { try await hub.pull(request) }
            func giveBack(_ given: GivenBackWrites) async throws -> HubPlace { try await hub.giveBack(given) }
            func report(_ report: DeviceReport) async throws { try await hub.report(report) }
            func devices() async throws -> [DeviceReport] { await hub.devices() }
            func settled() async throws -> VersionVector { await hub.settled() }
            func forget(_ device: DeviceID) async throws { await hub.forget(device) }
        }
        let (hub, pauses) = (Hasty(), Pauses())
        let replica = try Replica(device: "a", store: InMemoryStore())
        var configuration = SyncLoopConfiguration()
        configuration.random = { 0 }
        configuration.sleep = { pause in
            pauses.add(pause)
            if pauses.all.count == 4 { throw CancellationError() }
        }
        let loop = SyncLoop(replica: replica, engine: SyncEngine(replica: replica, hub: hub), configuration: configuration)
        await #expect(throws: CancellationError.self) { try await loop.follow(hub) }
        #expect(pauses.all == [.seconds(1), .seconds(2), .seconds(4), .seconds(8)] && hub.calls.withLock { $0 } == 4)
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
