public import SyncHTTP
import SyncSystem

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Carries the requests of an ``/SyncHTTP/HTTPHub`` by `URLSession`.
///
/// ```swift
/// let transport = try URLSessionTransport(server: "https://sync.example.com")
/// let hub = HTTPHub(space: "team", transport: transport)
/// ```
///
/// It keeps no cache and no cookies and follows no redirects, so that a token goes to its server alone. Thread-safe.
public final class URLSessionTransport: WireTransport {
    /// Why a transport cannot be made, or an answer cannot be used.
    public struct Failure: Error, CustomStringConvertible {
        /// A sentence without its full stop.
        public let description: String
    }

    private let server: String
    private let session: URLSession
    private let exchanges: Exchanges

    /// A transport to a server.
    ///
    /// - Parameters:
    ///   - server: Its address, such as `https://sync.example.com` or `http://localhost:8080/sync`, before the paths of requests.
    ///   - configuration: The session's; an ephemeral one without a cache and cookies unless given.
    ///   - maximumBytes: The most bytes of an answer; 256 MiB unless given.
    /// - Throws: ``Failure`` where the address is none.
    public init(
        server: String, configuration: URLSessionConfiguration = URLSessionTransport.configuration, maximumBytes: Int = 256 << 20
    ) throws(Failure) {
        let server = server.hasSuffix("/") ? String(server.dropLast()) : server
        guard let url = URL(string: server), ["http", "https"].contains(url.scheme), url.host?.isEmpty == false, url.query == nil else {
            throw Failure(description: "the server's address is \(server.debugDescription); one like https://sync.example.com is expected")
        }
        self.server = server
        exchanges = Exchanges(maximumBytes: maximumBytes)
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    /// A session's configuration without a cache and cookies.
    public static var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        return configuration
    }

    /// Sends a request.
    public func send(_ request: WireRequest, timeout: Duration) async throws -> WireResponse {
        try Task.checkCancellation()
        guard let url = URL(string: server + request.path) else {
            throw Failure(description: "the path \(request.path.debugDescription) cannot come behind \(server)")
        }
        var message = URLRequest(url: url)
        message.httpMethod = request.method
        message.timeoutInterval = timeout / .seconds(1)
        // The session says by itself what it can decompress.
        for (name, value) in request.headers where name != "accept-encoding" { message.setValue(value, forHTTPHeaderField: name) }
        if !request.body.isEmpty || request.method != "GET" { message.httpBody = Data(request.body) }
        let task = session.dataTask(with: message)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchanges.begin(task, continuation)
                // Nobody else tells of a task that was cancelled before it began.
                if Task.isCancelled { exchanges.cancel(task) } else { task.resume() }
            }
        } onCancel: {
            exchanges.cancel(task)
        }
    }
}

/// The answers that are under way, by the numbers of their tasks.
private final class Exchanges: NSObject, URLSessionDataDelegate {
    private struct Exchange {
        let continuation: CheckedContinuation<WireResponse, any Error>
        var body: [UInt8] = []
    }

    private let maximumBytes: Int
    private let state = Locked([Int: Exchange]())

    init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    func begin(_ task: URLSessionTask, _ continuation: CheckedContinuation<WireResponse, any Error>) {
        state.withLock { $0[task.taskIdentifier] = Exchange(continuation: continuation) }
    }

    /// Ends an exchange at once; what comes of it later is nobody's any more.
    func cancel(_ task: URLSessionTask) {
        state.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.continuation.resume(throwing: CancellationError())
        task.cancel()
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let tooLarge = state.withLock { state -> Exchange? in
            guard var exchange = state.removeValue(forKey: dataTask.taskIdentifier) else { return nil }
            if data.count > maximumBytes - exchange.body.count { return exchange }
            exchange.body += data
            state[dataTask.taskIdentifier] = exchange
            return nil
        }
        guard let tooLarge else { return }
        dataTask.cancel()
        tooLarge.continuation.resume(
            throwing: URLSessionTransport.Failure(description: "the answer has more than \(maximumBytes) bytes"))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let exchange = state.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        guard error == nil, let answer = task.response as? HTTPURLResponse else {
            return exchange.continuation.resume(throwing: error ?? URLSessionTransport.Failure(description: "there was no answer"))
        }
        var response = WireResponse(status: answer.statusCode, body: exchange.body)
        for (name, value) in answer.allHeaderFields {
            if let name = name as? String, let value = value as? String { response.headers[name] = value }
        }
        exchange.continuation.resume(returning: response)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { completionHandler(nil) }
}
