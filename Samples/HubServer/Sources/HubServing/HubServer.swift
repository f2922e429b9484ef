import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import SyncHTTP
import Synchronization

/// A server for hubs: `/v1/spaces/…` by a ``HubService``, `/health` and `/metrics`.
public struct HubServer: Sendable {
    private let service: HubService
    private let metrics = RequestCounts()

    /// The most bytes of a request as it comes, before it is decompressed.
    private static let maximumBytes = 64 << 20
    /// How long a request may take to come in: who sends slowly holds a connection and nothing else.
    private static let deadline = Duration.seconds(60)

    /// A server.
    public init(service: HubService) { self.service = service }

    /// The application that serves at an address.
    ///
    /// - Parameter onRunning: Called with the port once it serves.
    public func application(host: String, port: Int, onRunning: @escaping @Sendable (Int) async -> Void = { _ in })
        -> some ApplicationProtocol
    {
        Application(
            responder: CallbackResponder<BasicRequestContext> { request, _ in try await respond(to: request) },
            server: .http1(configuration: .init(idleTimeout: .seconds(90))),
            configuration: ApplicationConfiguration(address: .hostname(host, port: port), serverName: "HubServer", backlog: 1024),
            onServerRunning: { await onRunning($0.localAddress?.port ?? port) })
    }

    private func respond(to request: Request) async throws -> Response {
        switch (request.method, request.uri.path) {
        case (.get, "/health"): return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: "ok\n")))
        case (.get, "/metrics"):
            return Response(
                status: .ok, headers: [.contentType: "text/plain; version=0.0.4"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text)))
        default: break
        }
        let start = ContinuousClock.now
        var wire = WireRequest(method: request.method.rawValue, path: request.uri.string)
        for field in request.headers { wire.headers[field.name.rawName] = field.value }
        let answer: WireResponse
        do {
            wire.body = try await Self.body(of: request)
            // A server that is to stop lets nobody wait.
            answer = await cancelWhenGracefulShutdown { [wire] in await service.respond(to: wire) }
        } catch is NIOTooManyBytesError {
            answer = WireResponse(status: 413)
        } catch is Late {
            answer = WireResponse(status: 408)
        }
        metrics.count(wire, answer.status, ContinuousClock.now - start)
        var headers = HTTPFields()
        for (name, value) in answer.headers {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return Response(
            status: HTTPResponse.Status(code: answer.status), headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
    }

    private struct Late: Error {}

    private static func body(of request: Request) async throws -> [UInt8] {
        try await withThrowingTaskGroup(of: [UInt8].self) { group in
            group.addTask {
                let buffer = try await request.body.collect(upTo: maximumBytes)
                return Array(buffer.readableBytesView)
            }
            group.addTask {
                try await Task.sleep(for: deadline)
                throw Late()
            }
            defer { group.cancelAll() }
            return try await group.next() ?? []
        }
    }
}

/// What was asked and answered, for Prometheus.
private final class RequestCounts: Sendable {
    private struct Key: Hashable {
        let method: String
        let call: String
        let status: Int
    }

    private let counts = Mutex<[Key: (count: Int, seconds: Double)]>([:])

    func count(_ request: WireRequest, _ status: Int, _ time: Duration) {
        // Paths are the callers': only what is a call gets a series.
        let name = request.path.split(separator: "?", maxSplits: 1).first?.split(separator: "/").last.map(String.init) ?? ""
        let call = ["writes", "devices", "settled", "time", "given-back"].contains(name) ? name : "other"
        let method = ["GET", "PUT", "POST", "DELETE"].contains(request.method) ? request.method : "other"
        let seconds = time / .seconds(1)
        counts.withLock { counts in
            let known = counts[Key(method: method, call: call, status: status)] ?? (0, 0)
            counts[Key(method: method, call: call, status: status)] = (known.count + 1, known.seconds + seconds)
        }
    }

    var text: String {
        let counts = counts.withLock { $0 }.sorted {
            ($0.key.call, $0.key.method, $0.key.status) < ($1.key.call, $1.key.method, $1.key.status)
        }
        func family(_ name: String, _ help: String, _ value: (Int, Double) -> String) -> String {
            "# HELP \(name) \(help)\n# TYPE \(name) counter\n"
                + counts.map { key, count in
                    "\(name){call=\"\(key.call)\",method=\"\(key.method)\",status=\"\(key.status)\"} \(value(count.count, count.seconds))\n"
                }.joined()
        }
        return family("hub_requests_total", "Requests answered.") { count, _ in String(count) }
            + family("hub_request_seconds_total", "Time that answering took, waiting for writes included.") { _, seconds in String(seconds)
            }
    }
}
