/// A request of HTTP, as plain values: what a client's transport sends and a server's route hands on.
///
/// ```swift
/// let request = WireRequest(method: "GET", path: "/v1/spaces/team/devices")
/// let response = await service.respond(to: request)
/// ```
public struct WireRequest: Hashable, Sendable {
    /// The method, in capital letters.
    public var method: String
    /// The path and, behind a question mark, the query; percent-encoded as it is on the wire.
    public var path: String
    /// The header fields.
    public var headers: WireHeaders
    /// The content, empty where there is none.
    public var body: [UInt8]

    /// A request.
    public init(method: String, path: String, headers: WireHeaders = WireHeaders(), body: [UInt8] = []) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
    }
}

/// The answer to a ``WireRequest``.
///
/// ```swift
/// let response = WireResponse(status: 503, headers: ["Retry-After": "5"])
/// ```
public struct WireResponse: Hashable, Sendable {
    /// The status; see <doc:TheWire> for what each means.
    public var status: Int
    /// The header fields.
    public var headers: WireHeaders
    /// The content, empty where there is none.
    public var body: [UInt8]

    /// A response.
    public init(status: Int, headers: WireHeaders = WireHeaders(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// The header fields of a message, whose names are the same in small and capital letters.
///
/// ```swift
/// var headers: WireHeaders = ["Content-Type": "application/json"]
/// headers["authorization"] = "Bearer 1f0c"
/// ```
///
/// Of a field that comes twice the last counts: no field of this wire is a list.
public struct WireHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral, Sequence {
    private var values: [String: String] = [:]

    /// No fields.
    public init() {}

    /// Some fields.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { self[name] = value }
    }

    /// The value of a field.
    public subscript(name: String) -> String? {
        get { values[name.lowercased()] }
        set { values[name.lowercased()] = newValue }
    }

    /// The fields, names in small letters, in no order.
    public func makeIterator() -> Dictionary<String, String>.Iterator { values.makeIterator() }
}

/// Carries requests to a server: the one thing that ``HTTPHub`` asks of an HTTP client.
///
/// ```swift
/// struct InProcess: WireTransport {
///     let service: HubService
///     func send(_ request: WireRequest, timeout: Duration) async throws -> WireResponse { await service.respond(to: request) }
/// }
/// ```
///
/// A transport follows no redirects to another host and keeps no cache. What it throws means that the request may or may not have been
/// carried out; ``HTTPHub`` makes it again.
public protocol WireTransport: Sendable {
    /// Sends a request to the server and returns its answer, whatever the status.
    ///
    /// - Parameters:
    ///   - request: The request, whose path begins with a slash and comes behind the server's address.
    ///   - timeout: How long to wait for the answer.
    /// - Throws: Any error where there was no answer, and `CancellationError` where the task was cancelled.
    func send(_ request: WireRequest, timeout: Duration) async throws -> WireResponse
}
