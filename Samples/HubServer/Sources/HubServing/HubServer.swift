import CoreMetrics
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import SyncHTTP

/// A server for hubs: `/v1/spaces/…` by a ``HubService``, `/health` and, where it has metrics of its own, `/metrics`.
public struct HubServer: Sendable {
    private let service: HubService
    private let metrics: any MetricsFactory
    private let onWrites: @Sendable (SpaceName) -> Void
    private let services: [any Service]

    /// The most bytes of a request as it comes, before it is decompressed.
    private static let maximumBytes = 64 << 20
    /// How long a request may take to come in: who sends slowly holds a connection and nothing else.
    private static let deadline = Duration.seconds(60)

    /// A server.
    ///
    /// - Parameters:
    ///   - service: What answers.
    ///   - metrics: What counts: `hub_requests_total` and `hub_request_seconds`, by call, method and status.
    ///   - services: What runs as long as the server does.
    ///   - onWrites: Called when a space was sent writes.
    public init(
        service: HubService, metrics: any MetricsFactory = PrometheusMetrics(), services: [any Service] = [],
        onWrites: @escaping @Sendable (SpaceName) -> Void = { _ in }
    ) {
        (self.service, self.metrics, self.services, self.onWrites) = (service, metrics, services, onWrites)
    }

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
            services: services,
            onServerRunning: { await onRunning($0.localAddress?.port ?? port) })
    }

    private func respond(to request: Request) async throws -> Response {
        switch (request.method, request.uri.path) {
        case (.get, "/health"): return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: "ok\n")))
        case (.get, "/metrics"):
            guard let metrics = metrics as? PrometheusMetrics else { return Response(status: .notFound) }
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
        count(wire, answer.status, ContinuousClock.now - start)
        if request.method == .post, answer.status == 200, let space = Self.space(of: request.uri.path) { onWrites(space) }
        var headers = HTTPFields()
        for (name, value) in answer.headers {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return Response(
            status: HTTPResponse.Status(code: answer.status), headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
    }

    private static func space(of path: String) -> SpaceName? {
        let parts = path.split(separator: "/", maxSplits: 3)
        return parts.count == 4 ? SpaceName(named: String(parts[2])) : nil
    }

    private func count(_ request: WireRequest, _ status: Int, _ time: Duration) {
        // Paths are the callers': only what is a call gets a series.
        let name = request.path.split(separator: "?", maxSplits: 1).first?.split(separator: "/").last.map(String.init) ?? ""
        let call = ["writes", "devices", "settled", "time", "given-back"].contains(name) ? name : "other"
        let method = ["GET", "PUT", "POST", "DELETE"].contains(request.method) ? request.method : "other"
        let dimensions = [("call", call), ("method", method), ("status", "\(status)")]
        Counter(label: "hub_requests_total", dimensions: dimensions, factory: metrics).increment()
        metrics.makeTimer(label: "hub_request_seconds", dimensions: dimensions)
            .recordNanoseconds(Int64(clamping: Int(time / .nanoseconds(1))))
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
