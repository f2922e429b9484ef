import SyncModel

/// When to sync next: what a ``SyncLoop`` decides, without its clock, its timers and its engine.
///
/// Times are in milliseconds since 1970.
struct SyncSchedule: Sendable {
    private let quietTime: Int64
    private let longestDelay: Int64
    private let backoff: Backoff

    private(set) var isInForeground = false
    private var isConnected = true
    private var running = 0
    private var failures = 0
    /// When the first write came that no sync has begun after.
    private var firstWrite: Int64?
    /// When enough time has passed since the last write.
    private var quiet: Int64?
    /// When to sync whether anything was written or not.
    private var asked: Int64?

    init(_ configuration: SyncLoopConfiguration) {
        quietTime = configuration.quietTime.wholeMilliseconds
        longestDelay = configuration.longestDelay.wholeMilliseconds
        backoff = configuration.backoff
    }

    /// When the next sync is due; nil where there is no reason for one, or something against it.
    var due: Int64? {
        guard isInForeground, isConnected, running == 0 else { return nil }
        return [quiet, asked].compactMap(\.self).min()
    }

    /// How long to wait for a time.
    func delay(until due: Int64, at now: Int64) -> Int64 {
        // A clock that was put back makes no wait longer than it could have been.
        min(max(0, due - now), max(longestDelay, backoff.maximum.wholeMilliseconds))
    }

    /// Whether a sync would come too early: without a network, in the background, or while a failed one waits to be tried again.
    func isTooEarly(at now: Int64) -> Bool {
        !isInForeground || !isConnected || (failures > 0 && asked.map { $0 > now } ?? true)
    }

    mutating func wrote(at now: Int64) {
        let first = firstWrite ?? now
        firstWrite = first
        // What failed is tried again in its time, however much is written.
        if failures == 0 { quiet = min(now + quietTime, first + longestDelay) }
    }

    mutating func connectionChanged(_ isConnected: Bool, at now: Int64) {
        if isConnected, !self.isConnected { startAfresh(at: now) }
        self.isConnected = isConnected
    }

    mutating func entersForeground(at now: Int64) {
        if !isInForeground { startAfresh(at: now) }
        isInForeground = true
    }

    mutating func entersBackground() { isInForeground = false }

    private mutating func startAfresh(at now: Int64) {
        failures = 0
        asked = now
    }

    mutating func begins() {
        running += 1
        firstWrite = nil
        quiet = nil
        asked = nil
    }

    mutating func succeeded() {
        running -= 1
        failures = 0
    }

    /// - Parameter random: A number drawn evenly from 0 up to 1.
    mutating func failed(at now: Int64, random: Double) {
        running -= 1
        failures += 1
        quiet = nil
        asked = now + backoff.delay(afterFailures: failures, random: random)
    }

    /// The sync failed in a way that trying again does not change.
    mutating func failedForGood() {
        running -= 1
        failures += 1
        quiet = nil
    }

    mutating func wasCancelled(at now: Int64) {
        running -= 1
        asked = asked ?? now + quietTime
    }
}
