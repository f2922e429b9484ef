public import ConflictAudit
public import Observation
import SyncModel

/// A refresh that keeps what an app shows up to date with what other devices wrote, as long as the app is in the foreground.
///
/// ```swift
/// let refresh = ForegroundRefresh(
///     monitor: monitor, hasUnsavedEdits: { form.isEdited }, read: { try replica.records(ofType: "Card") }, show: { form.cards = $0 })
/// refresh.enterForeground()
/// ```
///
/// A view normally follows the replica's `changes`. This is the safety net for what may be missed, on the way to the app or within it: a
/// pulse that beats in the foreground only, syncs if told to, and reads the records again if, and only if, other devices' writes were
/// merged since they were last read.
///
/// **Unsaved edits are never dropped.** Reading takes time, and the user may begin to edit meanwhile. So what was read is shown only if
/// there are no unsaved edits right then; otherwise it is thrown away and read again later.
@MainActor
@Observable
public final class ForegroundRefresh<Content: Sendable> {
    /// The monitor's refresh version that what is shown includes.
    package private(set) var shownVersion: Int

    /// Rises with every reload that was shown.
    public private(set) var reloads = 0

    /// Why the last reading failed; nil where it did not.
    public private(set) var lastError: (any Error)?

    /// Whether the app is in the foreground, as far as this was told.
    public private(set) var isInForeground = false

    @ObservationIgnored private let monitor: SyncMonitor
    @ObservationIgnored private let pulse: RefreshPulse
    @ObservationIgnored private let hasUnsavedEdits: @MainActor () -> Bool
    @ObservationIgnored private let read: @Sendable () async throws -> Content
    @ObservationIgnored private let show: @MainActor (Content) -> Void
    @ObservationIgnored private let report: @MainActor (RefreshReport) -> Void
    @ObservationIgnored private var loop: Task<Void, Never>?
    /// The clock of the pulse at its last beat, or when it began.
    @ObservationIgnored private var lastBeat = Duration.zero

    /// A refresh that has not begun.
    ///
    /// Create it before the records are first read: what is merged later counts as not shown.
    ///
    /// - Parameters:
    ///   - monitor: Knows of other devices' writes.
    ///   - pulse: How often to look, and whether to sync first.
    ///   - hasUnsavedEdits: Whether the user has edited something that is not written to the replica yet.
    ///   - read: Reads the records. May throw; the next beat tries again.
    ///   - show: Shows what was read. Called only where there are no unsaved edits.
    ///   - report: Gets the outcome of every look, those of the pulse included, for a log:
    ///     `{ sink.record(AuditEvent(at: systemWallClock(), .refresh($0))) }`.
    public init(
        monitor: SyncMonitor, pulse: RefreshPulse = RefreshPulse(), hasUnsavedEdits: @escaping @MainActor () -> Bool,
        read: @escaping @Sendable () async throws -> Content, show: @escaping @MainActor (Content) -> Void,
        report: @escaping @MainActor (RefreshReport) -> Void = { _ in }
    ) {
        self.monitor = monitor
        self.pulse = pulse
        self.hasUnsavedEdits = hasUnsavedEdits
        self.read = read
        self.show = show
        self.report = report
        shownVersion = monitor.refreshVersion
    }

    /// The app came to the foreground: looks now, and again with every beat of the pulse.
    public func enterForeground() {
        isInForeground = true
        guard loop == nil else { return }
        lastBeat = pulse.now()
        loop = Task { [weak self, pulse] in
            while !Task.isCancelled, self != nil {
                // How the sync ended is the monitor's to show; what was merged before it failed is there to be read.
                try? await pulse.sync?()
                guard !Task.isCancelled else { return }
                // Not held while asleep, so that the pulse ends with its owner.
                guard await self?.look(.pulse) != nil else { return }
                do { try await pulse.sleep(pulse.interval) } catch { return }
            }
        }
    }

    /// The app went to the background: the pulse stops.
    ///
    /// What is being read is not shown any more.
    public func enterBackground() {
        isInForeground = false
        guard let loop else { return }
        loop.cancel()
        self.loop = nil
        tell(.background, situation(upTo: monitor.refreshVersion).decision)
    }

    /// Reads and shows the records again where there is reason to and nothing against it.
    ///
    /// Call it when edits were saved, so that what was deferred for them need not wait for the next beat.
    ///
    /// - Returns: What was done. `deferred` as well where reading failed, was cancelled or came too late.
    @discardableResult
    public func refreshIfNeeded() async -> RefreshDecision { await look(.request) }

    private func look(_ trigger: RefreshReport.Trigger) async -> RefreshDecision {
        let decision = await refresh()
        // One that was being read for a pulse which has ended since is no beat of it.
        if trigger == .request || isInForeground { tell(trigger, decision) }
        return decision
    }

    private func tell(_ trigger: RefreshReport.Trigger, _ decision: RefreshDecision) {
        report(
            RefreshReport(
                trigger: trigger, decision: decision, shownVersion: shownVersion, refreshVersion: monitor.refreshVersion,
                reloads: reloads, isInForeground: isInForeground, missedPulses: trigger == .request ? 0 : missedPulses(),
                pulseInterval: pulse.interval))
    }

    /// The beats that were due since the last one and did not come, for the sync before one hung, or the app did.
    private func missedPulses() -> Int {
        let now = pulse.now()
        defer { lastBeat = now }
        return max(0, Int(clamping: Int64((now - lastBeat) / pulse.interval)) - 1)
    }

    private func refresh() async -> RefreshDecision {
        let version = monitor.refreshVersion
        let decision = situation(upTo: version).decision
        guard decision == .refresh else { return decision }
        let content: Content
        do {
            content = try await read()
        } catch {
            if !(error is CancellationError) { lastError = error }
            return .deferred
        }
        // Another reading may have overtaken this one, the user may have begun to edit, the app may have gone to the background.
        let decisionNow = situation(upTo: version).decision
        guard decisionNow == .refresh else { return decisionNow }
        show(content)
        shownVersion = version
        reloads += 1
        lastError = nil
        return .refresh
    }

    private func situation(upTo version: Int) -> RefreshSituation {
        RefreshSituation(hasRemoteChange: version > shownVersion, hasUnsavedEdits: hasUnsavedEdits(), isInForeground: isInForeground)
    }
}

/// The interval at which a ``ForegroundRefresh`` looks, and the sync before each look.
///
/// ```swift
/// let pulse = RefreshPulse(interval: .seconds(30), sync: { try await engine.sync() })
/// ```
public struct RefreshPulse: Sendable {
    /// The time between two beats, more than 0.
    public var interval: Duration

    /// Syncs before every look, where the hub does not call by itself; nil to leave that to others.
    public var sync: (@Sendable () async throws -> Void)?

    /// Waits for a time; throws where the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void

    /// The time since any fixed one, by which beats that did not come are counted.
    ///
    /// The system's stands still while the device sleeps.
    public var now: @Sendable () -> Duration

    /// A pulse; every ten seconds unless said otherwise.
    public init(
        interval: Duration = .seconds(10), sync: (@Sendable () async throws -> Void)? = nil,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        now: (@Sendable () -> Duration)? = nil
    ) {
        precondition(interval > .zero, "a pulse has time between its beats")
        self.interval = interval
        self.sync = sync
        self.sleep = sleep
        let start = SuspendingClock.now
        self.now = now ?? { SuspendingClock.now - start }
    }
}
