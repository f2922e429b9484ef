import ConflictAudit
import SyncLines
import SyncMerge
import SyncModel

/// Carries a replica's writes to a hub and the hub's to the replica.
///
/// A sync sets up (measures the clock, learns what all devices have seen), fetches and merges, sends, and reports how far it has come.
/// Every step is one transaction on either side and can be repeated: a sync that was cancelled, failed or was killed anywhere is simply run
/// again, here or in another process, without loss and without double effect.
///
/// **A store that was put back or copied** is noticed by its own numbers. Fetching comes first and brings what the hub has under this
/// device's name and this store does not know to be there. A number that was never given here is simply taken over. Where the hub has
/// another write under a number that waits here, two went on from one state: this store then becomes a writer of its own,
/// ``Replica/writer``, under which whatever it has not sent is written anew; nothing is lost on either side, and what contradicts is
/// reported as the conflict that it is. The log says so in a `sync` line of the setup. Copies of a store that have the same writes unsent
/// go on under one name until they differ, so that those writes are at the hub once.
///
/// **A hub that was put back from a backup, or replaced,** is noticed by its epoch, by the fingerprint of its order up to where the device
/// has come, and by the number that it has of the device's own writes. The engine then fetches everything from the start and gives back
/// what the hub has forgotten, of whatever device, as far as its records hold it, and what was removed from sets: what was written over is
/// not needed. Until that is done there are no checkpoints. A hub that is replaced between the fetch and a push refuses the push, for it
/// would come before what is given back.
///
/// **Deletes** are kept with all that the record was until the hub says that every device it knows has merged them; then a trace takes the
/// record's place: the deletes, and what lost to them without their having seen it. A write that had not seen the delete, of a device that
/// the hub had not heard of or of a store that was put back, is judged by the trace as it would have been by the record: the same
/// everywhere, with a conflict where there is one. Of what both sides had seen before the delete nothing is left, so such a conflict names
/// no ancestor. Of a record under a record-level policy the trace keeps its history: what a late winner had seen may be any of it.
///
/// **Settled history** of a record under a record-level policy is folded into one write once every device that the hub waits for has it. A
/// store that the hub did not wait for, since it is new, was put back or was forgotten, may have written on top of an earlier part; where
/// it did so, it goes on as a writer of its own, and what it sends under the new name says all that it had seen.
///
/// ```swift
/// let engine = SyncEngine(replica: replica, hub: hub)
/// let report = try await engine.sync(attempts: 3)
/// ```
public actor SyncEngine {
    private let replica: Replica
    private let hub: any Hub
    private let configuration: SyncConfiguration
    private let rulesFingerprint: UInt64
    /// The round that runs, and the one that begins when it ends, if anybody waits for one.
    private var running: Round?
    private var waiting: Round?
    private var lastCaller = 0
    /// What was settled when tombstones were last looked through.
    private var collectedUpTo: VersionVector?

    /// An engine between a replica and a hub.
    public init(replica: Replica, hub: some Hub, configuration: SyncConfiguration = SyncConfiguration()) {
        self.replica = replica
        self.hub = hub
        self.configuration = configuration
        rulesFingerprint = replica.configuration.mergeRules.fingerprint
    }

    /// Syncs once: fetches and merges all that the hub has, and sends all that waits.
    ///
    /// What was written before the call has been sent when it returns. Calls that come while a sync runs share the next one, however many
    /// they are, and get the same report or error. A call that is cancelled while it waits, or while others share its sync, returns at
    /// once; the last one ends the sync.
    ///
    /// - Throws: What the hub or the store throws, or `CancellationError`. What was done until then stays done; run it again.
    @discardableResult
    public func sync() async throws -> SyncReport {
        lastCaller += 1
        let caller = lastCaller
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { join(caller, $0) }
        } onCancel: {
            Task { await leave(caller) }
        }
    }

    /// Syncs, and where that fails waits and tries again.
    ///
    /// - Parameter attempts: How often to try at most; 1 or more.
    /// - Throws: What the last attempt threw. Cancellation, a hub that has forgotten this device, and rules of an earlier version
    ///   than those of other devices end it at once.
    @discardableResult
    public func sync(attempts: Int) async throws -> SyncReport {
        var failures = 0
        while true {
            do {
                return try await sync()
            } catch {
                failures += 1
                let isFinal = (error as? SyncLayerError)?.endsRetries ?? false
                if failures >= attempts || isFinal || error is CancellationError { throw error }
                let delay = configuration.backoff.delay(afterFailures: failures, random: configuration.random())
                try await configuration.sleep(.milliseconds(delay))
            }
        }
    }

    /// A sync that several callers share.
    private struct Round {
        var callers: [Int: CheckedContinuation<SyncReport, any Error>] = [:]
        var task: Task<Void, Never>?
    }

    /// How many calls wait for the round after the one that runs.
    package var waitingCalls: Int { waiting?.callers.count ?? 0 }

    private func join(_ caller: Int, _ continuation: CheckedContinuation<SyncReport, any Error>) {
        // Who was cancelled before is not told again.
        if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
        // A round that runs may be past the outbox already.
        waiting = waiting ?? Round()
        waiting?.callers[caller] = continuation
        beginRound()
    }

    private func beginRound() {
        guard running == nil, let next = waiting else { return }
        waiting = nil
        running = next
        running?.task = Task {
            let result: Result<SyncReport, any Error>
            do { result = .success(try await round()) } catch { result = .failure(error) }
            recordOutbox()
            let callers = running?.callers ?? [:]
            running = nil
            beginRound()
            for continuation in callers.values { continuation.resume(with: result) }
        }
    }

    private func leave(_ caller: Int) {
        if let continuation = waiting?.callers.removeValue(forKey: caller) {
            if waiting?.callers.isEmpty == true { waiting = nil }
            continuation.resume(throwing: CancellationError())
        } else if let continuation = running?.callers[caller] {
            // The last one waits for the end, so that nothing goes on behind its back.
            guard let round = running, round.callers.count > 1 else { return running?.task?.cancel() ?? () }
            running?.callers[caller] = nil
            continuation.resume(throwing: CancellationError())
        }
    }

    private func round() async throws -> SyncReport {
        var report = SyncReport()
        var settled = VersionVector()
        do {
            try await phase(.setup, &report) { report, progress in settled = try await setUp(&report, &progress) }
            var (numbersTaken, replacements) = (0, 0)
            while true {
                try await phase(.import, &report) { report, progress in
                    try await fetch(&report, &progress)
                    // Only from when the hub knows a name does it wait for it.
                    while try replica.currentMetadata().predecessor != nil {
                        try await introduce(clock: report.clock)
                        try await fetch(&report, &progress)
                    }
                    try await heal(&report, &progress)
                    try replica.reissuePassedOver()
                }
                // The number up to which everything is merged, before the outbox is sent: what the report may say.
                let reached = try replica.currentMetadata()
                do {
                    try await phase(.export, &report) { report, progress in
                        try await send(&report, &progress)
                        try await hub.report(
                            DeviceReport(device: try replica.writer, cursor: reached.cursor, position: reached.position))
                    }
                    break
                } catch let taken as NumberTaken {
                    // Fetching brings the other write and with it a new name; where it does not, the number was passed over long ago.
                    numbersTaken += 1
                    if numbersTaken > 3 { throw SyncLayerError(.hubAtFault, taken.description) }
                    if numbersTaken > 1 { try replica.rejoin() }
                    try replica.finishRejoining()
                    try await introduce(clock: report.clock)
                } catch let error as SyncLayerError where error.code == .hubReplaced && replacements < 3 {
                    // Since it was fetched from.
                    replacements += 1
                    try startHealing(after: error)
                }
            }
        } catch let error as SyncLayerError where error.code == .deviceForgotten {
            let waiting = try replica.outboxStatus()
            throw SyncLayerError(
                .deviceForgotten,
                "the hub was told to forget \(try replica.writer), of which \(waiting.writes) writes wait here and \(waiting.setAside) are set "
                    + "aside: call rejoin() on the replica, and the next sync brings them under a new name", underlying: error)
        }
        if settled != collectedUpTo {
            report.collectedTombstones = try replica.collectTombstones(settled: settled)
            try replica.forgetHistory(settled: settled)
            collectedUpTo = settled
        }
        // A write that was made meanwhile is known here alone, and a copy of this store may have another one under its name.
        report.checkpoint = try replica.outboxStatus().writes == 0 ? replica.checkpoint() : nil
        if let checkpoint = report.checkpoint { record(.checkpoint(checkpoint)) }
        return report
    }

    // MARK: Steps

    /// Measures the clock, makes the device known, and learns what the others reported.
    private func setUp(_ report: inout SyncReport, _ progress: inout Progress) async throws -> VersionVector {
        if try replica.currentMetadata().nameGivenUp != nil {
            try await fetch(&report, &progress)
            try replica.reissuePassedOver()
            try replica.finishRejoining()
        }
        let metadata = try replica.currentMetadata()
        let sent = replica.configuration.wall
        let hubTime = try HubAnswers.time(try await hub.now().millisecondsSince1970)
        let received = replica.configuration.wall
        let measurement = ClockMeasurement(device: metadata.writer, sent: sent, hubTime: hubTime, received: received)
        report.clock = measurement
        // Told before the hub hears of it: other devices judge by it, and their logs are held against this one.
        record(.clock(measurement))
        try replica.bound(by: measurement)
        // Asked first: once the hub knows the name, it waits for it.
        let settled = try await hub.settled()
        try await introduce(clock: measurement)
        let devices = try await hub.devices()
        for device in devices {
            if let clock = device.clock { replica.auditor.record(clock) }
        }
        try replica.compare(settled: settled, reached: devices.first { $0.device == metadata.writer }?.cursor)
        return settled
    }

    /// Makes the replica's name known to the hub.
    private func introduce(clock: ClockMeasurement?) async throws {
        let metadata = try replica.currentMetadata()
        try await hub.report(
            DeviceReport(
                device: metadata.writer, cursor: 0, clock: clock, predecessor: metadata.predecessor, rulesVersion: rulesVersion,
                rulesFingerprint: rulesFingerprint))
        if let predecessor = metadata.predecessor { try replica.forgetPredecessor(predecessor) }
    }

    private var rulesVersion: Int { replica.configuration.mergeRules.version }

    /// Fetches; where the hub is found to have forgotten what it had, from the start.
    private func fetch(_ report: inout SyncReport, _ progress: inout Progress) async throws {
        do {
            try await fetchOn(&report, &progress)
        } catch let error as SyncLayerError where error.code == .hubReplaced {
            try startHealing(after: error)
            try await fetchOn(&report, &progress)
        }
    }

    private func startHealing(after error: SyncLayerError) throws {
        recordFailure(.import, "\(error.description): \(SyncActivity.healing)")
        try replica.startHealing()
    }

    /// Gives back what the hub has forgotten, and fetches what came of it: only from then on would the device notice that a hub forgets
    /// that again.
    private func heal(_ report: inout SyncReport, _ progress: inout Progress) async throws {
        var attempts = 0
        while try replica.currentMetadata().mustGiveBack {
            do {
                let given = try await giveBack(clock: report.clock)
                try await fetchOn(&report, &progress)
                // Asked last: a hub that has the end of what was given has all of it.
                let request = PullRequest(device: try replica.writer, cursor: given.cursor, limit: 1, position: given.position)
                _ = try HubAnswers.page(try await hub.pull(request), for: request)
                try replica.finishHealing()
            } catch let error as SyncLayerError where error.code == .hubReplaced && attempts < 3 {
                attempts += 1
                try startHealing(after: error)
                try await fetchOn(&report, &progress)
            }
        }
    }

    /// - Returns: The end of the hub's order when all was given.
    private func giveBack(clock: ClockMeasurement?) async throws -> HubPlace {
        let metadata = try replica.currentMetadata()
        // A hub that has replaced the other since the sync began may know of this device by what others give back.
        try await introduce(clock: clock)
        var left = try replica.writesToGiveBack()[...]
        var limit = replica.configuration.outboxLimits.writesPerBatch
        var reached = HubPlace(cursor: metadata.cursor, position: metadata.position)
        var isDone = false
        while !isDone {
            try Task.checkCancellation()
            let next = left.prefix(limit)
            do {
                reached = try await hub.giveBack(
                    GivenBackWrites(
                        device: metadata.writer, writes: try replica.writes(next), acknowledged: metadata.acknowledged,
                        isLast: next.count == left.count, awaitsPush: metadata.outboxWrites > 0, reached: reached))
                isDone = next.count == left.count
                left = left.dropFirst(next.count)
            } catch let error as SyncLayerError where error.code == .batchTooLarge && !next.isEmpty {
                if next.count == 1 {
                    recordFailure(.export, "the write \(next[next.startIndex].dot) was not given back: \(error.description)")
                    left = left.dropFirst()
                }
                limit = max(1, next.count / 2)
            }
        }
        return reached
    }

    private func fetchOn(_ report: inout SyncReport, _ progress: inout Progress) async throws {
        while true {
            try Task.checkCancellation()
            let metadata = try replica.currentMetadata()
            let request = replica.nextPull(metadata, limit: configuration.writesPerPull)
            let page = try HubAnswers.page(try await hub.pull(request), for: request)
            guard page.rulesVersion <= rulesVersion else {
                throw SyncLayerError(
                    .rulesDiffer,
                    "other devices merge by rules of version \(page.rulesVersion), and this app has version \(rulesVersion): update the app; what was "
                        + "written here waits until then")
            }
            if let latest = page.latestNumber, !metadata.mustGiveBack {
                try HubRules.check(metadata.acknowledged, of: metadata.writer, latest: latest)
            }
            let merged = try replica.merge(page)
            progress.delays.merge(merged.delays)
            report.writesTooFarAhead += merged.tooFarAhead
            add(page.skipped + merged.misnamed, to: &report)
            report.pulled += page.writes.count
            progress.writes += page.writes.count
            // A hub may say anything.
            progress.bytes += min(max(0, page.bytes), WriteLimits.bytes)
            if !page.hasMore { return }
        }
    }

    private func send(_ report: inout SyncReport, _ progress: inout Progress) async throws {
        var limit = Int.max
        while true {
            try Task.checkCancellation()
            let batch = try replica.nextBatch(atMost: limit)
            add(batch.setAside, to: &report)
            if batch.writes.isEmpty { return }
            try replica.makeDurable(before: batch.writes[batch.writes.count - 1].dot)
            let outcomes: [PushOutcome]
            do {
                let (device, metadata) = (batch.writes[0].dot.device, try replica.currentMetadata())
                if metadata.mustGiveBack {
                    throw SyncLayerError(
                        .hubReplaced, "the hub has forgotten writes, as another process has noticed: they are given back first")
                }
                let request = PushRequest(
                    device: device, writes: batch.writes, acknowledged: metadata.writer == device ? metadata.acknowledged : 0,
                    reached: HubPlace(cursor: metadata.cursor, position: metadata.position))
                outcomes = try HubAnswers.outcomes(try await hub.push(request), of: batch.writes)
            } catch let error as SyncLayerError where error.code == .batchTooLarge {
                if batch.writes.count == 1 {
                    let refused = [SetAsideWrite(write: batch.writes[0], reason: error.description)]
                    try replica.removeFromOutbox(batch.writes, settingAside: refused)
                    add(refused, to: &report)
                }
                limit = max(1, batch.writes.count / 2)
                continue
            }
            var refused: [SetAsideWrite] = []
            var answered: [TaggedWrite] = []
            var taken: Dot?
            let now = replica.configuration.wall
            for (write, outcome) in zip(batch.writes, outcomes) {
                switch outcome {
                case .accepted(let receipt):
                    answered.append(write.received(receipt))
                    progress.delays.record(milliseconds: now.distance(after: write.timestamp.milliseconds))
                case .refused(let reason):
                    answered.append(write)
                    refused.append(SetAsideWrite(write: write, reason: reason))
                case .numberTaken: taken = taken ?? write.dot
                }
            }
            try replica.removeFromOutbox(answered, settingAside: refused)
            add(refused, to: &report)
            report.pushed += answered.count - refused.count
            progress.writes += answered.count - refused.count
            if let taken { throw NumberTaken(dot: taken) }
            progress.bytes += batch.bytes
        }
    }

    /// The hub has another write of a number that waits here.
    private struct NumberTaken: Error, CustomStringConvertible {
        let dot: Dot

        var description: String {
            "the hub has another write \(dot), or a later one: what was written under the name \(dot.device) is fetched"
        }
    }

    // MARK: Report

    private struct Progress {
        var writes = 0
        var bytes = 0
        /// How old the writes were when the hub took them, or when they were merged here.
        var delays = GapHistogram()
    }

    private func phase(
        _ phase: SyncActivity.Phase, _ report: inout SyncReport, _ body: (inout SyncReport, inout Progress) async throws -> Void
    ) async throws {
        let start = replica.configuration.wall
        var progress = Progress()
        func log(_ state: SyncActivity.State, _ error: String? = nil) {
            // Setting up may fetch too, but what is fetched then is told by no import.
            let delays = phase != .setup && state != .started && progress.delays.count > 0 ? progress.delays : nil
            record(
                .sync(
                    SyncActivity(
                        phase: phase, state: state, writes: progress.writes, bytes: progress.bytes,
                        duration: .milliseconds(max(0, replica.configuration.wall - start)),
                        error: error, delays: delays)))
        }
        log(.started)
        do {
            try await body(&report, &progress)
        } catch {
            log(.failed, error is CancellationError ? SyncActivity.cancellation : String(describing: error))
            throw error
        }
        log(.succeeded)
    }

    /// Reports writes that were set aside: as failures of the export, which goes on all the same.
    private func add(_ setAside: [SetAsideWrite], to report: inout SyncReport) {
        report.setAside += setAside
        for item in setAside {
            recordFailure(.export, "the write \(item.write.dot) to \(item.write.key) was set aside: \(item.reason)")
        }
    }

    /// Reports writes of the hub that were skipped: as failures of the import, which goes on all the same.
    private func add(_ skipped: [SkippedWrite], to report: inout SyncReport) {
        report.skipped += skipped
        for item in skipped {
            let name = item.dot.map { "the write \($0)" } ?? "the write"
            recordFailure(.import, "\(name) at \(item.hubSequence) in the hub's order was skipped: \(item.reason)")
        }
    }

    private func recordFailure(_ phase: SyncActivity.Phase, _ error: String) {
        record(.sync(SyncActivity(phase: phase, state: .failed, writes: 1, bytes: 0, duration: .zero, error: error)))
    }

    /// Reports what a sync has left to be sent.
    private func recordOutbox() {
        // A store that cannot be read has ended the sync with an error of its own.
        guard let status = try? replica.outboxStatus(), status.writes > 0 || status.setAside > 0 else { return }
        record(.outbox(status))
    }

    private func record(_ content: AuditEvent.Content) {
        replica.configuration.sink?.record(AuditEvent(at: replica.configuration.wall, content))
    }
}

extension ClockMeasurement {
    /// What an exchange with the hub tells: the hub's clock was read somewhere between sending and receiving.
    ///
    /// The offset is taken for the middle, so it is off by half the round trip at most. Source: Cristian, *Probabilistic clock
    /// synchronization*, 1989.
    init(device: DeviceID, sent: Int64, hubTime: Int64, received: Int64) {
        let roundTrip = max(0, received - sent)
        self.init(device: device, offset: .milliseconds(sent + roundTrip / 2 - hubTime), uncertainty: .milliseconds((roundTrip + 1) / 2))
    }
}
