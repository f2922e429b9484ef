import ConflictAudit
import SyncBytes
public import SyncLayer
import SyncLines
import SyncSystem

/// The server's side of the wire: answers requests of HTTP from hubs, one for each space.
///
/// A server hands it every request whose path begins with `/v1/spaces/`, whatever it is made of, and sends what it returns:
///
/// ```swift
/// let hub = InMemoryHub()
/// let service = HubService { space in space == "team" ? hub : nil }
/// let response = await service.respond(to: WireRequest(method: "GET", path: "/v1/spaces/team/time"))
/// ```
///
/// Thread-safe.
public final class HubService: Sendable {
    private let hub: @Sendable (SpaceName) async throws -> (any Hub)?
    private let authorize: HubAuthorization
    private let configuration: HubServiceConfiguration
    private let arrivals = Arrivals()

    /// A service.
    ///
    /// - Parameters:
    ///   - configuration: Its limits.
    ///   - authorize: Decides who may make which call; everybody may make all unless given.
    ///   - hub: Gives the hub of a space, nil where there is no such space: a caller cannot tell one that it may not see.
    public init(
        configuration: HubServiceConfiguration = HubServiceConfiguration(),
        authorize: @escaping HubAuthorization = { _, _, _ in .allowed },
        hub: @escaping @Sendable (SpaceName) async throws -> (any Hub)?
    ) {
        self.hub = hub
        self.authorize = authorize
        self.configuration = configuration
    }

    /// Answers a request.
    ///
    /// Where the request asks to wait for writes, so does this call, until there are some or the task is cancelled.
    public func respond(to request: WireRequest) async -> WireResponse {
        do {
            return try await answer(request).compressed(request.headers["Accept-Encoding"])
        } catch {
            return WireFailure(any: error).response
        }
    }

    private func answer(_ request: WireRequest) async throws -> WireResponse {
        var parsed = try ParsedCall(request)
        let token = request.headers["Authorization"].flatMap(Self.bearer)
        switch try await authorize(token, parsed.space, parsed.call) {
        case .allowed: break
        case .unknown: throw WireFailure(401, "the server does not know this token: ask for another one")
        case .forbidden(let reason): throw WireFailure(403, reason)
        }
        guard let hub = try await hub(parsed.space) else { throw WireFailure(404, "there is no space \(parsed.space)") }
        // Not before: what it takes to read a body is done for nobody who may not call.
        try parsed.read(request.body, configuration)
        return try await perform(parsed, hub).response
    }

    private func perform(_ parsed: ParsedCall, _ hub: any Hub) async throws -> HubAnswer {
        switch parsed.call {
        case .time: return .time(try await hub.now())
        case .devices: return .devices(try await hub.devices())
        case .settled: return .settled(try await hub.settled())
        case .push(let push):
            let outcomes = try await hub.push(push)
            if outcomes.contains(where: { if case .accepted = $0 { true } else { false } }) { arrivals.announce(in: parsed.space) }
            return .outcomes(parsed.outcomes(outcomes))
        case .giveBack(let given):
            let end = try await hub.giveBack(given)
            arrivals.announce(in: parsed.space)
            return .end(end)
        case .report(let report):
            try await hub.report(report)
            return .done
        case .forget(let device):
            try await hub.forget(device)
            return .done
        case .pull(var request, let wait):
            request.limit = min(request.limit, configuration.writesPerPage)
            return .page(try await pull(request, wait: min(wait, configuration.longestWait), hub, parsed.space))
        }
    }

    /// The next page, waited for where it holds nothing.
    private func pull(_ request: PullRequest, wait: Duration, _ hub: any Hub, _ space: SpaceName) async throws -> PullPage {
        let end = ContinuousClock.now + wait
        while true {
            // Before it is looked, so that what comes meanwhile is not missed.
            let count = arrivals.count(in: space)
            let page = try await hub.pull(request)
            let left = end - ContinuousClock.now
            if !page.writes.isEmpty || !page.skipped.isEmpty || page.hasMore || left <= .zero { return page }
            // Another server may have taken them.
            await arrivals.wait(beyond: count, in: space, atMost: min(left, max(.milliseconds(100), configuration.longestSilence)))
            try Task.checkCancellation()
        }
    }

    private static func bearer(_ header: String) -> String? {
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }
}

/// Decides whether whoever has a token may make a call.
///
/// - Parameters:
///   - token: What the request brought as `Authorization: Bearer`, nil where it brought nothing.
///   - space: The space that the call is about.
///   - call: The call, without the writes of its body, and of a report without all but the names; ``HubCall/device`` is the device in whose
///     name it is made. A report with a predecessor makes the hub wait for that name no more; who may give back writes can bring those of
///     any device, and one who forgets makes a device start under a new name.
public typealias HubAuthorization = @Sendable (_ token: String?, _ space: SpaceName, _ call: HubCall) async throws -> HubAccess

/// The decision of a ``HubAuthorization``.
///
/// ```swift
/// let access = HubAccess.forbidden("the token is that of another device")
/// ```
public enum HubAccess: Hashable, Sendable {
    /// The call may be made.
    case allowed
    /// The token is missing, has run out or is not known: another one may do.
    case unknown
    /// The call may not be made; a sentence says why.
    case forbidden(String)
}

/// The limits of a ``HubService``.
///
/// ```swift
/// var configuration = HubServiceConfiguration()
/// configuration.maximumBytes = 1 << 20
/// ```
public struct HubServiceConfiguration: Sendable {
    /// The most bytes of a request's body, decompressed.
    public var maximumBytes = 64 << 20
    /// The most lines of a request.
    public var linesPerRequest = 10_000
    /// The most writes of a page.
    public var writesPerPage = 1000
    /// How long a request for writes waits at most.
    public var longestWait = Duration.seconds(60)
    /// After what time without a push here the hub is looked at again, since another process may have taken one.
    public var longestSilence = Duration.seconds(2)

    /// The defaults.
    public init() {}
}

extension WireResponse {
    /// The response with its content compressed, where that makes it smaller and the other side takes it.
    fileprivate func compressed(_ accepted: String?) -> WireResponse {
        guard body.count >= WireBody.compressibleLength, accepted?.lowercased().contains("gzip") == true,
            let smaller = try? Gzip.compressed(body), smaller.count < body.count
        else { return self }
        var response = self
        response.body = smaller
        response.headers["Content-Encoding"] = "gzip"
        return response
    }
}

/// Tells those who wait in a space that there are writes.
private final class Arrivals: Sendable {
    private struct Waiting {
        let continuation: CheckedContinuation<Void, Never>
        let timer: Task<Void, Never>

        func end() {
            timer.cancel()
            continuation.resume()
        }
    }

    private struct Space {
        /// How often writes were announced.
        var count = 0
        var waiting: [Int: Waiting] = [:]
    }

    private struct State {
        var spaces: [SpaceName: Space] = [:]
        var lastNumber = 0
    }

    private let state = Locked(State())

    /// How often writes were announced in a space so far.
    func count(in space: SpaceName) -> Int { state.withLock { $0.spaces[space]?.count ?? 0 } }

    func announce(in space: SpaceName) {
        let waiting = state.withLock { state in
            let waiting = state.spaces[space]?.waiting ?? [:]
            state.spaces[space] = Space(count: (state.spaces[space]?.count ?? 0) + 1)
            return waiting
        }
        for one in waiting.values { one.end() }
    }

    /// Waits until writes were announced more often than a count, at most for a time, and not where the task is cancelled.
    func wait(beyond count: Int, in space: SpaceName, atMost time: Duration) async {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.spaces[space]?.count ?? 0 == count, !Task.isCancelled else { return true }
                    let timer = Task { [weak self] in
                        try? await Task.sleep(for: time)
                        self?.end(number, in: space)
                    }
                    state.spaces[space, default: Space()].waiting[number] = Waiting(continuation: continuation, timer: timer)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            end(number, in: space)
        }
    }

    private func end(_ number: Int, in space: SpaceName) {
        state.withLock { $0.spaces[space]?.waiting.removeValue(forKey: number) }?.end()
    }
}
