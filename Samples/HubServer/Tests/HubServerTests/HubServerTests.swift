import Foundation
import HubServing
import Hummingbird
import Logging
import ServiceLifecycle
import SyncHTTP
import SyncLayer
import SyncLayerTesting
import SyncModel
import SyncURLSession
import Testing

/// The server over real sockets.
@Suite struct HubServerTests {
    /// Runs a body with the address of a server of its own.
    private func withServer(
        tokens: Tokens? = nil, quotas: Quotas = Quotas(), _ body: @escaping @Sendable (String) async throws -> Void
    ) async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("hub-\(UUID())").path
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let spaces = Spaces(directory: directory, quotas: quotas) { tokens?.spaces.contains($0) ?? true }
        let service = HubService(
            authorize: { token, space, call in tokens?.access(token, space, call) ?? .allowed }, hub: { try spaces.hub(of: $0) })
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = HubServer(service: service).application(host: "127.0.0.1", port: 0) { port.yield($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            for await number in ports {
                try await body("http://127.0.0.1:\(number)")
                break
            }
            group.cancelAll()
        }
    }

    /// Runs a body with an audited server whose files are in a directory, and stops it.
    private func withAuditedServer(
        _ directory: String, compactionInterval: Duration? = nil,
        _ body: (URLSessionTransport, PrometheusMetrics) async throws -> Void
    ) async throws {
        let metrics = PrometheusMetrics()
        let audits = SpaceAudits(
            directory: directory + "/audit", metrics: metrics, logger: Logger(label: "test"), compactionInterval: compactionInterval)
        let spaces = Spaces(directory: directory, onOpen: audits.begin, isKnown: { _ in true })
        let server = HubServer(
            service: HubService(hub: { try spaces.hub(of: $0) }), metrics: metrics, services: [audits], onWrites: audits.look)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let group = ServiceGroup(
            services: [server.application(host: "127.0.0.1", port: 0) { port.yield($0) }], logger: Logger(label: "test"))
        let running = Task { try await group.run() }
        var numbers = ports.makeAsyncIterator()
        let number = try #require(await numbers.next())
        try await body(URLSessionTransport(server: "http://127.0.0.1:\(number)"), metrics)
        await group.triggerGracefulShutdown()
        try await running.value
    }

    private func makeDirectory() throws -> String {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("audit-\(UUID())").path
        try FileManager.default.createDirectory(atPath: directory + "/audit", withIntermediateDirectories: true)
        return directory
    }

    /// The lines of an event in the log of a space.
    private func lines(of event: String, in directory: String) throws -> [String] {
        let files = try FileManager.default.contentsOfDirectory(atPath: directory + "/audit/team").filter { $0.hasSuffix(".jsonl") }
        return try files.flatMap { try String(contentsOfFile: directory + "/audit/team/" + $0, encoding: .utf8).split(separator: "\n") }
            .map(String.init).filter { $0.contains("\"event\":\"\(event)\"") }
    }

    /// Two devices that contend for one field, the log of the server's audit, and a server that goes on where that one stopped.
    @Test func theServerCountsAndLogsConflictsOnce() async throws {
        let directory = try makeDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        for round in 1...2 {
            try await withAuditedServer(directory) { transport, metrics in
                for name in ["a\(round)", "b\(round)"] {
                    let replica = try Replica(device: DeviceID(name), store: InMemoryStore())
                    try replica.put(["name": FieldValue(name)], to: RecordKey(type: "note", id: RecordID("\(round)")))
                    let hub = HTTPHub(space: "team", transport: transport)
                    // Neither has seen the other's when it writes.
                    try await SyncEngine(replica: replica, hub: hub).sync()
                }
                for _ in 0..<200 where !metrics.text.contains("severity=\"lossy\"} 1\n") { try await Task.sleep(for: .milliseconds(50)) }
                #expect(
                    metrics.text.contains("hub_conflicts_total{space=\"team\",severity=\"lossy\"} 1\n"), "round \(round): \(metrics.text)")
            }
            #expect(try lines(of: "conflict", in: directory).count == round)
        }
    }

    /// What the hub lets go of is in the log, with its values, also where the server began to let go of writes after it had audited them; a
    /// new device fetches what is kept, and shows the same.
    @Test func theServerLetsGoOfWhatItHasLogged() async throws {
        let directory = try makeDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let phone = try Replica(device: "phone", store: InMemoryStore())
        func write(_ numbers: ClosedRange<Int>, _ engine: SyncEngine) async throws {
            for number in numbers { try phone.put(["text": "draft \(number)"], to: RecordKey(type: "note", id: RecordID("\(number % 3)"))) }
            // What it has of them it says when it syncs again.
            for _ in 0..<2 { try await engine.sync() }
        }
        try await withAuditedServer(directory) { transport, _ in
            try await write(1...20, SyncEngine(replica: phone, hub: HTTPHub(space: "team", transport: transport)))
        }
        #expect(try lines(of: "write", in: directory) == [])
        var compacted = 0
        try await withAuditedServer(directory, compactionInterval: .zero) { transport, metrics in
            let hub = HTTPHub(space: "team", transport: transport)
            try await write(21...30, SyncEngine(replica: phone, hub: hub))
            func page() async throws -> PullPage { try await hub.pull(PullRequest(device: "nobody", cursor: 0)) }
            // All that the phone had said to have before it wrote the last ten; those too, where it says so before the audit looks.
            for _ in 0..<200 where try await page().compacted.count < 20 { try await Task.sleep(for: .milliseconds(50)) }
            let kept = try await page()
            compacted = kept.compacted.count
            #expect([20, 27].contains(compacted) && kept.compacted.latest == ["phone": UInt64(compacted)], "\(kept)")
            #expect(kept.writes.map(\.dot.sequence) == Array(UInt64(compacted) + 1...30))
            let tablet = try Replica(device: "tablet", store: InMemoryStore())
            #expect(try await SyncEngine(replica: tablet, hub: hub).sync().pulled == kept.writes.count)
            for id in ["0", "1", "2"] as [RecordID] {
                let key = RecordKey(type: "note", id: id)
                #expect(try tablet.get(key) == phone.get(key))
            }
            for _ in 0..<100 where !metrics.text.contains("hub_compacted_total{space=\"team\"} \(compacted)\n") {
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(metrics.text.contains("hub_compacted_total{space=\"team\"} \(compacted)\n"), "\(metrics.text)")
        }
        let writes = try lines(of: "write", in: directory)
        #expect(writes.count >= compacted)
        for number in 1...compacted { #expect(writes.contains { $0.contains("\"draft \(number)\"") }) }
    }

    @Test(arguments: HubConformance.checks)
    func conforms(_ check: ConformanceCheck<any Hub>) async throws {
        try await withServer { server in
            try await check.run(HTTPHub(space: "space-1", transport: try URLSessionTransport(server: server)))
        }
    }

    @Test func aTokenIsOfOneSpaceAndOneDevice() async throws {
        let tokens = try Tokens(
            """
            # token of       space  device
            aaaaaaaaaaaaaaaa team   iPhone
            bbbbbbbbbbbbbbbb other  iPhone
            cccccccccccccccc team   *
            """)
        try await withServer(tokens: tokens) { server in
            let transport = try URLSessionTransport(server: server)
            func hub(_ token: String?) -> HTTPHub { HTTPHub(space: "team", transport: transport) { _ in token } }
            func code(_ body: () async throws -> Void) async -> SyncLayerError.Code? {
                do { try await body() } catch { return (error as? SyncLayerError)?.code }
                return nil
            }
            let phone = hub("aaaaaaaaaaaaaaaa")
            #expect(await code { try await phone.report(DeviceReport(device: "iPhone", cursor: 0)) } == nil)
            #expect(await code { try await phone.report(DeviceReport(device: "iPhone~00ff00ff", cursor: 0)) } == nil)
            #expect(await code { try await phone.report(DeviceReport(device: "iPhone2", cursor: 0)) } == .notAllowed)
            #expect(await code { try await phone.forget("iPad") } == .notAllowed)
            #expect(await code { _ = try await hub("bbbbbbbbbbbbbbbb").now() } == .notAllowed)
            #expect(await code { _ = try await hub(nil).now() } == .notAllowed)
            #expect(await code { try await hub("cccccccccccccccc").forget("iPad") } == nil)
        }
    }

    @Test(arguments: [
        "short team iPhone", "aaaaaaaaaaaaaaaa team", "aaaaaaaaaaaaaaaa ../x iPhone", "aaaaaaaaaaaaaaaa t a\naaaaaaaaaaaaaaaa t b",
    ])
    func aFileOfTokensIsRefused(_ text: String) { #expect(throws: Tokens.Failure.self) { try Tokens(text) } }

    /// Whoever is beyond a quota is told to come again, keeps what it has written, and keeps nobody else from writing.
    @Test func quotasAreKeptAndLoseNothing() async throws {
        var quotas = Quotas()
        (quotas.writesPerMinute, quotas.devicesPerSpace, quotas.bytesPerSpace) = (100, 2, 400_000)
        try await withServer(quotas: quotas) { server in
            var configuration = HTTPHubConfiguration()
            configuration.attempts = 1
            let transport = try URLSessionTransport(server: server)
            let hub = HTTPHub(space: "team", transport: transport, configuration: configuration)
            func device(_ name: DeviceID, _ space: SpaceName = "team") throws -> (Replica, SyncEngine) {
                let replica = try Replica(device: name, store: InMemoryStore())
                return (
                    replica, SyncEngine(replica: replica, hub: HTTPHub(space: space, transport: transport, configuration: configuration))
                )
            }
            func write(_ count: Int, _ replica: Replica, bytes: Int = 1) throws {
                for number in 0..<count {
                    try replica.put(
                        ["x": .string(String(repeating: "x", count: bytes))], to: RecordKey(type: "note", id: RecordID("\(number)")))
                }
            }
            func failure(_ body: () async throws -> Void) async -> String {
                do { try await body() } catch { return "\(error)" }
                return "none"
            }
            let (greedy, greedyEngine) = try device("greedy")
            try write(90, greedy)
            try await greedyEngine.sync()
            try write(90, greedy)
            #expect(await failure { try await greedyEngine.sync() }.contains("sends more than 100 writes a minute"))
            #expect(try greedy.outboxStatus().writes == 90)
            let (modest, modestEngine) = try device("modest")
            try write(1, modest)
            try await modestEngine.sync()
            let (_, third) = try device("third")
            #expect(await failure { try await third.sync() }.contains("2 are allowed: have lost ones forgotten"))
            for _ in 0..<6 {
                try write(1, modest, bytes: 100_000)
                _ = try? await modestEngine.sync()
            }
            #expect(await failure { try await modestEngine.sync() }.contains("400000 are allowed: what is written waits on its device"))
            #expect(try modest.outboxStatus().setAside == 0)
            // It can still fetch, and another space is another matter.
            #expect(try await hub.pull(PullRequest(device: "modest", cursor: 0)).writes.count >= 92)
            let (other, otherEngine) = try device("greedy", "other")
            try write(50, other)
            #expect(try await otherEngine.sync().pushed == 50)
        }
    }

    @Test func whoWaitsHearsOfWritesAndStopsWhenCancelled() async throws {
        try await withServer { server in
            let hub = HTTPHub(space: "team", transport: try URLSessionTransport(server: server))
            let start = ContinuousClock.now
            async let found = hub.waitForWrites(PullRequest(device: "b", cursor: 0), for: .seconds(25))
            try await Task.sleep(for: .milliseconds(200))
            let write = TaggedWrite(
                dot: Dot(device: "a", sequence: 1), timestamp: HybridTimestamp(milliseconds: 1, counter: 0),
                key: RecordKey(type: "note", id: "1"), operation: .put(["x": .string(String(repeating: "long ", count: 1000))]), seen: [:])
            _ = try await hub.push([write], from: "a")
            #expect(try await found)
            let waiting = Task { try await hub.waitForWrites(PullRequest(device: "b", cursor: 1), for: .seconds(25)) }
            try await Task.sleep(for: .milliseconds(200))
            waiting.cancel()
            await #expect(throws: CancellationError.self) { _ = try await waiting.value }
            #expect(ContinuousClock.now - start < .seconds(15))
        }
    }

    /// An answer larger than is taken is no answer, however many pieces it comes in.
    @Test func anAnswerThatIsTooLarge() async throws {
        try await withServer { server in
            let hub = HTTPHub(space: "team", transport: try URLSessionTransport(server: server))
            for number in 1...3 as ClosedRange<UInt64> {
                var letters = SystemRandomNumberGenerator()
                let text = String((0..<3_000_000).map { _ in Character(Unicode.Scalar(UInt8.random(in: 97...122, using: &letters))) })
                let write = TaggedWrite(
                    dot: Dot(device: "a", sequence: number), timestamp: HybridTimestamp(milliseconds: 1, counter: 0),
                    key: RecordKey(type: "note", id: "1"), operation: .put(["x": .string(text)]), seen: [:])
                _ = try await hub.push([write], from: "a")
            }
            var configuration = HTTPHubConfiguration()
            configuration.attempts = 1
            let small = HTTPHub(
                space: "team", transport: try URLSessionTransport(server: server, maximumBytes: 4_000_000), configuration: configuration)
            await #expect(throws: SyncLayerError.self) { _ = try await small.pull(PullRequest(device: "b", cursor: 0)) }
            let page = try await hub.pull(PullRequest(device: "b", cursor: 0))
            #expect(page.writes.count == 3)
        }
    }

    @Test func whoIsCancelledBeforeItBeginsIsToldSo() async throws {
        try await withServer { server in
            let transport = try URLSessionTransport(server: server)
            for _ in 0..<100 {
                let call = Task { try await transport.send(WireRequest(method: "GET", path: "/health"), timeout: .seconds(20)) }
                call.cancel()
                _ = try? await call.value
            }
        }
    }

    @Test func nobodyNamesAnothersNameItsOwn() async throws {
        let tokens = try Tokens("aaaaaaaaaaaaaaaa team iPhone")
        try await withServer(tokens: tokens) { server in
            let hub = HTTPHub(space: "team", transport: try URLSessionTransport(server: server)) { _ in "aaaaaaaaaaaaaaaa" }
            await #expect(throws: SyncLayerError.self) {
                try await hub.report(DeviceReport(device: "iPhone", cursor: 0, predecessor: "iPad"))
            }
            try await hub.report(DeviceReport(device: "iPhone~00ff00ff", cursor: 0, predecessor: "iPhone"))
        }
    }

    @Test func healthAndMetrics() async throws {
        try await withServer { server in
            let transport = try URLSessionTransport(server: server)
            let health = try await transport.send(WireRequest(method: "GET", path: "/health"), timeout: .seconds(10))
            #expect(String(decoding: health.body, as: UTF8.self) == "ok\n")
            _ = try await HTTPHub(space: "team", transport: transport).now()
            let metrics = try await transport.send(WireRequest(method: "GET", path: "/metrics"), timeout: .seconds(10))
            #expect(
                String(decoding: metrics.body, as: UTF8.self).contains(
                    "hub_requests_total{call=\"time\",method=\"GET\",status=\"200\"} 1\n"))
        }
    }
}
