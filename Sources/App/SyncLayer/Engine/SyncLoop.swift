public import ConflictAudit
public import SyncModel
import SyncSystem

/// Keeps a replica in step with its hub while the app is in the foreground: syncs after writes, when the network is back, and when it is
/// told to look.
///
/// Writes that come close together are sent together. After a failure it waits, longer every time and never as long as another device; a
/// network that comes back and an app that comes to the foreground end the wait. In the background it does nothing. After every sync the
/// log is flushed.
///
/// It is an audit sink, which learns from the `network` events of a monitor whether there is a network; it supposes that there is one until
/// told otherwise. Put it beside the log in a `BroadcastingAuditSink` for the network monitor, and let the pulse of a foreground refresh
/// call ``beat()``:
///
/// ```swift
/// let loop = SyncLoop(replica: replica, engine: engine)
/// loop.enterForeground()
/// ```
///
/// Thread-safe. The last reference that goes away ends it.
public final class SyncLoop: AuditSink {
    private struct State {
        var schedule: SyncSchedule
        /// Numbers the waits, so that the end of one that was given up is known for what it is.
        var waits = 0
        var waiting: (until: Int64, task: Task<Void, Never>)?
        var syncing: Task<Void, Never>?
        var listening: Task<Void, Never>?
    }

    let replica: Replica
    private let engine: SyncEngine
    let configuration: SyncLoopConfiguration
    private let state: Locked<State>

    /// A loop that has not begun.
    public init(replica: Replica, engine: SyncEngine, configuration: SyncLoopConfiguration = SyncLoopConfiguration()) {
        self.replica = replica
        self.engine = engine
        self.configuration = configuration
        state = Locked(State(schedule: SyncSchedule(configuration)))
    }

    deinit {
        state.withLock { state in
            state.waiting?.task.cancel()
            state.listening?.cancel()
        }
    }

    /// The app came to the foreground: syncs now, and from now on whenever there is reason to.
    public func enterForeground() {
        let changes = replica.changes
        state.withLock { state in
            state.schedule.entersForeground(at: configuration.now)
            guard state.listening == nil else { return }
            state.listening = Task { [weak self] in
                var iterator = changes.makeAsyncIterator()
                while let change = await iterator.next() {
                    if change.origin != .remote { self?.update { $0.wrote(at: $1) } }
                }
            }
        }
        update { _, _ in }
    }

    /// The app went to the background: nothing begins any more, and a sync that the loop has begun is broken off.
    ///
    /// When it returns, that sync has ended and the log is flushed. What was broken off goes on where it was when the app comes back.
    public func enterBackground() async {
        let syncing = state.withLock { state in
            state.schedule.entersBackground()
            state.waiting?.task.cancel()
            state.waiting = nil
            state.listening?.cancel()
            state.listening = nil
            return state.syncing
        }
        syncing?.cancel()
        await syncing?.value
        configuration.flushLog()
    }

    /// Syncs now, whatever is in the way, also in the background; for a refresh that the user asks for.
    ///
    /// - Throws: What the engine throws. Where the app is in the foreground, it is tried again.
    @discardableResult
    public func sync() async throws -> SyncReport {
        update { schedule, _ in schedule.begins() }
        defer { configuration.flushLog() }
        do {
            let report = try await engine.sync()
            update { schedule, _ in schedule.succeeded() }
            return report
        } catch {
            let random = configuration.random()
            update { schedule, now in
                if error is CancellationError {
                    schedule.wasCancelled(at: now)
                } else if (error as? SyncLayerError)?.endsRetries ?? false {
                    schedule.failedForGood()
                } else {
                    schedule.failed(at: now, random: random)
                }
            }
            throw error
        }
    }

    /// Syncs where that is not too early: for the pulse of a foreground refresh.
    ///
    /// Without a network, in the background, and while a sync that failed waits to be tried again, it returns at once.
    ///
    /// - Throws: What the engine throws.
    public func beat() async throws {
        let isTooEarly = state.withLock { $0.schedule.isTooEarly(at: configuration.now) }
        if !isTooEarly { try await sync() }
    }

    /// Learns whether there is a network; other events are passed over.
    public func record(_ event: AuditEvent) {
        if case .network(let status, _) = event.content { update { $0.connectionChanged(status == "connected", at: $1) } }
    }

    /// Changes the schedule and waits for what is due by it now.
    private func update(_ change: (inout SyncSchedule, _ now: Int64) -> Void) {
        let now = configuration.now
        state.withLock { state in
            change(&state.schedule, now)
            let due = state.schedule.due
            if due == state.waiting?.until { return }
            state.waiting?.task.cancel()
            state.waiting = nil
            guard let due else { return }
            let delay = state.schedule.delay(until: due, at: now)
            state.waits += 1
            let task = Task { [weak self, sleep = configuration.sleep, number = state.waits] in
                if delay > 0 {
                    do { try await sleep(.milliseconds(delay)) } catch { return }
                }
                await self?.endWait(number)
            }
            state.waiting = (until: due, task: task)
        }
    }

    private func endWait(_ number: Int) async {
        let isDue = state.withLock { state in
            guard state.waits == number, let task = state.waiting?.task else { return false }
            // It is not given up any more by what comes meanwhile.
            state.syncing = task
            state.waiting = nil
            return true
        }
        guard isDue else { return }
        // How it ended is in the log, and in the schedule.
        _ = try? await sync()
    }
}

/// When a ``SyncLoop`` syncs.
///
/// ```swift
/// var configuration = SyncLoopConfiguration()
/// configuration.flushLog = { log.flush() }
/// ```
public struct SyncLoopConfiguration: Sendable {
    /// How long nothing must have been written before what was written is sent, in whole milliseconds; 0 or more.
    public var quietTime = Duration.seconds(2)

    /// How long a write waits at most while others keep coming, in whole milliseconds; 0 or more.
    public var longestDelay = Duration.seconds(10)

    /// How long to wait after a failure.
    public var backoff = Backoff()

    /// Draws a number evenly from 0 up to 1, for the jitter.
    public var random: @Sendable () -> Double = { .random(in: 0..<1) }

    /// Waits for a time; throws where the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// The time of day.
    public var wallClock: WallClock = systemWallClock

    /// Makes what was logged durable; called after every sync and when the app goes to the background.
    public var flushLog: @Sendable () -> Void = {}

    /// The time of day, in milliseconds since 1970.
    var now: Int64 { wallClock().millisecondsSince1970 }

    /// The defaults.
    public init() {}
}

extension SyncLayerError {
    /// Whether the sync would fail with it however often it is tried.
    var endsRetries: Bool { [.deviceForgotten, .rulesDiffer, .notAllowed].contains(code) }
}
