import ConflictAudit
public import SyncLayer
import SyncLines
public import SyncModel
import SyncSystem

/// A hub at a server, over HTTP.
///
/// ```swift
/// let transport = try URLSessionTransport(server: "https://sync.example.com")  // of SyncURLSession, or one of your own
/// let hub = HTTPHub(space: "team", transport: transport) { _ in try await account.token() }
/// let engine = SyncEngine(replica: replica, hub: hub)
/// ```
///
/// Requests that get no answer, and those that a server turns away for now, are made again a few times, after a wait that grows and that
/// `Retry-After` may lengthen; every call of a hub can be made again, so nothing is lost or doubled when an answer is. What fails for
/// longer is ``/SyncLayer/SyncLayerError/Code/hubUnavailable``, and the engine's or the loop's own to wait for. A token that is not taken
/// is asked for anew, once. A batch too large for the server, or for a proxy before it, is
/// ``/SyncLayer/SyncLayerError/Code/batchTooLarge``, which a ``/SyncLayer/SyncEngine`` answers with half of it. Writes that no line can
/// hold never leave the device: they are refused here, as a hub would.
///
/// Thread-safe.
public final class HTTPHub: WaitingHub {
    private let space: SpaceName
    private let transport: any WireTransport
    private let tokens: TokenKeeper
    private let configuration: HTTPHubConfiguration

    /// A hub for the data of a space.
    ///
    /// - Parameters:
    ///   - space: The space.
    ///   - transport: Carries requests to the server.
    ///   - configuration: How long to try.
    ///   - token: Gives the token that the server knows this device by, nil where it asks for none. It is called before the first request,
    ///     and when the server takes the last one no more, with that one.
    public init(
        space: SpaceName, transport: some WireTransport, configuration: HTTPHubConfiguration = HTTPHubConfiguration(),
        token: @escaping @Sendable (_ refused: String?) async throws -> String? = { _ in nil }
    ) {
        self.space = space
        self.transport = transport
        self.configuration = configuration
        tokens = TokenKeeper(token)
    }

    /// The server's clock.
    public func now() async throws -> WallTime {
        guard case .time(let time) = try await answer(.time) else { throw Self.mismatch }
        return time
    }

    /// Accepts writes of a device.
    public func push(_ request: PushRequest) async throws -> [PushOutcome] {
        let problems = request.writes.map(WriteLimits.problem(with:))
        var sent = request
        sent.writes = zip(request.writes, problems).filter { $0.1 == nil }.map(\.0)
        guard case .outcomes(let outcomes) = try await answer(.push(sent)) else { throw Self.mismatch }
        var left = outcomes[...]
        return problems.map { problem in problem.map(PushOutcome.refused) ?? left.popFirst() ?? .numberTaken }
    }

    /// The next writes in the hub's order.
    public func pull(_ request: PullRequest) async throws -> PullPage { try await pull(request, wait: .zero) }

    /// Accepts writes that the hub has forgotten.
    public func giveBack(_ given: GivenBackWrites) async throws -> HubPlace {
        var sent = given
        sent.writes = given.writes.filter { WriteLimits.problem(with: $0) == nil }
        guard case .end(let reached) = try await answer(.giveBack(sent)) else { throw Self.mismatch }
        return reached
    }

    /// Records a device, its progress and its clock.
    public func report(_ report: DeviceReport) async throws { _ = try await answer(.report(report)) }

    /// What the devices last reported.
    public func devices() async throws -> [DeviceReport] {
        guard case .devices(let reports) = try await answer(.devices) else { throw Self.mismatch }
        return reports
    }

    /// The writes that every known device has merged.
    public func settled() async throws -> VersionVector {
        guard case .settled(let settled) = try await answer(.settled) else { throw Self.mismatch }
        return settled
    }

    /// Removes a lost device from those that must have merged a delete before it is settled.
    public func forget(_ device: DeviceID) async throws { _ = try await answer(.forget(device)) }

    /// Waits at the server until it has writes for a device.
    public func waitForWrites(_ request: PullRequest, for time: Duration) async throws -> Bool {
        let page = try await pull(request, wait: min(time, configuration.longestWait))
        return !page.writes.isEmpty || !page.skipped.isEmpty || page.hasMore
    }

    private func pull(_ request: PullRequest, wait: Duration) async throws -> PullPage {
        guard case .page(let page) = try await answer(.pull(request, wait: wait)) else { throw Self.mismatch }
        return page
    }

    private static let mismatch = SyncLayerError(.hubAtFault, "the hub's answer is to another call")

    /// Makes a call, again where that may help.
    private func answer(_ call: HubCall) async throws -> HubAnswer {
        var request = call.request(space: space)
        request.headers["Accept-Encoding"] = "gzip"
        var (failures, isTokenNew) = (0, false)
        while true {
            try Task.checkCancellation()
            let token = try await tokens.token()
            request.headers["Authorization"] = token.map { "Bearer \($0)" }
            let failure: SyncLayerError
            var delay = Duration.zero
            switch try await response(to: request, within: configuration.timeout + call.wait) {
            case .failure(let error): failure = error
            case .success(let response):
                if response.status == 401, !isTokenNew {
                    isTokenNew = true
                    try await tokens.renew(token)
                    continue
                }
                do throws(SyncLayerError) {
                    return try HubAnswer(response, to: call, limit: configuration.maximumBytes)
                } catch {
                    // An answer that is none, as one that was cut off, or one that says so.
                    guard error.code == .hubUnavailable || error.code == .busy, WireFailure.isPassing(response.status) else { throw error }
                    failure = error
                }
                delay = response.headers["Retry-After"].flatMap { Int64($0) }.map { .seconds(max(0, $0)) } ?? .zero
            }
            failures += 1
            let backoff = Duration.milliseconds(configuration.backoff.delay(afterFailures: failures, random: configuration.random()))
            let pause = max(backoff, delay)
            // Who asks for a longer wait is asked again by the engine or the loop.
            guard failures < configuration.attempts, pause <= configuration.longestPause else { throw failure }
            try await configuration.sleep(pause)
        }
    }

    private func response(to request: WireRequest, within time: Duration) async throws -> Result<WireResponse, SyncLayerError> {
        do {
            return .success(try await transport.send(request, timeout: time))
        } catch {
            // A transport tells of its cancellation in words of its own.
            if error is CancellationError || Task.isCancelled { throw CancellationError() }
            return .failure(
                SyncLayerError(.hubUnavailable, "the server did not answer (\(error)): try again later", underlying: error))
        }
    }
}

/// How an ``HTTPHub`` reaches its server.
///
/// ```swift
/// var configuration = HTTPHubConfiguration()
/// configuration.attempts = 1  // the loop tries again by itself
/// ```
public struct HTTPHubConfiguration: Sendable {
    /// How long to wait for an answer, in whole milliseconds, beside the time that the server is asked to wait.
    public var timeout = Duration.seconds(30)

    /// How often to make a request at most; 1 or more.
    public var attempts = 4

    /// The wait after a failure.
    public var backoff = Backoff(base: .milliseconds(500), maximum: .seconds(8))

    /// The longest pause between two attempts; where the server asks for more, the call fails.
    public var longestPause = Duration.seconds(10)

    /// How long the server is asked to wait for writes at most, in whole seconds.
    ///
    /// A proxy with its defaults ends a request after 60.
    public var longestWait = Duration.seconds(25)

    /// The most bytes of an answer, decompressed.
    public var maximumBytes = 256 << 20

    /// Draws a number evenly from 0 up to 1, for the jitter.
    public var random: @Sendable () -> Double = { .random(in: 0..<1) }

    /// Waits for a time; throws where the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// The defaults.
    public init() {}
}

extension HubCall {
    /// How long the server is asked to wait.
    var wait: Duration { if case .pull(_, let wait) = self { wait } else { .zero } }
}

/// The token of a hub, asked for once however many calls want it.
private actor TokenKeeper {
    private let ask: @Sendable (String?) async throws -> String?
    private var asking: Task<String?, any Error>?

    init(_ ask: @escaping @Sendable (String?) async throws -> String?) { self.ask = ask }

    func token() async throws -> String? {
        let asking = self.asking ?? begin(refused: nil)
        return try await value(of: asking)
    }

    /// Asks for another token than one that was refused, where nobody has yet.
    func renew(_ refused: String?) async throws {
        let known = asking
        if let known, try await value(of: known) != refused { return }
        // Another call may have asked meanwhile.
        if asking == known { begin(refused: refused) }
        _ = try await token()
    }

    @discardableResult
    private func begin(refused: String?) -> Task<String?, any Error> {
        let task = Task { [ask] in try await ask(refused) }
        asking = task
        return task
    }

    /// Waits for a token, and not longer than the caller's task goes on.
    private func value(of task: Task<String?, any Error>) async throws -> String? {
        do {
            let answer = FirstAnswer()
            Task { answer.give(await task.result) }
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { answer.wait($0) }
            } onCancel: {
                answer.give(.failure(CancellationError()))
            }
        } catch {
            if asking == task, !(error is CancellationError) { asking = nil }
            throw error
        }
    }
}

/// The first of several answers.
private final class FirstAnswer: Sendable {
    private enum State {
        case open
        case waited(CheckedContinuation<String?, any Error>)
        case given(Result<String?, any Error>)
        case over
    }

    private let state = Locked(State.open)

    func give(_ answer: Result<String?, any Error>) {
        let waiting = state.withLock { state -> CheckedContinuation<String?, any Error>? in
            switch state {
            case .open: state = .given(answer)
            case .waited(let continuation):
                state = .over
                return continuation
            case .given, .over: break
            }
            return nil
        }
        waiting?.resume(with: answer)
    }

    func wait(_ continuation: CheckedContinuation<String?, any Error>) {
        let answer = state.withLock { state -> Result<String?, any Error>? in
            guard case .given(let answer) = state else {
                state = .waited(continuation)
                return nil
            }
            state = .over
            return answer
        }
        if let answer { continuation.resume(with: answer) }
    }
}
