package import ConflictAudit
import SyncBytes
import SyncModel

extension SyncHealth {
    /// What a device's log tells: a monoid of bounded size.
    package struct Device: Hashable, Sendable {
        /// What waited to be sent; nil where no line tells.
        package internal(set) var outbox: Outbox?
        /// What became of each phase of sync.
        package internal(set) var phases: [SyncActivity.Phase: PhaseTally] = [:]
        /// How often a phase failed with an error, those first whose errors come first by their bytes.
        package internal(set) var failures: [Failure: Int] = [:]
        /// The failures with errors beyond ``failureLimit``.
        package internal(set) var otherFailures = 0
        /// What became of the network.
        package internal(set) var network = Changes()
        /// The account as it was last; nil where no line tells.
        package internal(set) var account: Change?
        /// How far off the clock was when it was last measured; nil where no line tells.
        package internal(set) var clock: Clock?
        /// The latest step of sync; nil where no line tells of one.
        package internal(set) var activity: Activity?
        /// How old this device's writes were when the hub took them.
        package internal(set) var delivered = GapHistogram()
        /// How old other devices' writes were when they were merged here.
        package internal(set) var merged = GapHistogram()
        /// What became of the app's looks at whether it shows what was merged; nil where no line tells.
        package internal(set) var showing: Showing?
        /// How large the store is; nil where no line tells.
        package internal(set) var storage: Storage?
        /// The time of the latest line about sync itself, in milliseconds since 1970.
        package internal(set) var newest: Int64?

        /// The most errors that are told apart.
        package static let failureLimit = 16

        /// Nothing told.
        init() {}
    }

    /// A string of bounded length.
    ///
    /// Compared by its bytes, so that it does not matter which of two spellings came first.
    package struct ShortText: Hashable, Comparable, Sendable {
        /// The string.
        package let string: String

        /// As much of a string as fits.
        init(_ string: String, limit: Int = 200) {
            guard string.utf8.count > limit else {
                self.string = string
                return
            }
            var bytes = Array(string.utf8.prefix(limit))
            // Not in the middle of a scalar.
            while let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() }
            if let last = bytes.last, last >= 0x80 { bytes.removeLast() }
            self.string = String(decoding: bytes, as: UTF8.self)
        }

        /// Whether both have the same bytes.
        package static func == (left: ShortText, right: ShortText) -> Bool { left.string.hasSameBytes(as: right.string) }

        /// Whether the left one comes first.
        package static func < (left: ShortText, right: ShortText) -> Bool { left.string.utf8Precedes(right.string) }

        /// Adds the length to a hash.
        package func hash(into hasher: inout Hasher) {
            // Few of them are ever in one table, so that it does not matter where those of one length fall together.
            hasher.combine(string.utf8.count)
        }
    }

    /// A phase that failed, and why.
    package struct Failure: Hashable, Comparable, Sendable {
        /// The phase.
        package let phase: SyncActivity.Phase
        /// The error; empty where none was told.
        package let error: ShortText

        /// Whether the left one comes first.
        package static func < (left: Failure, right: Failure) -> Bool {
            left.error != right.error ? left.error < right.error : left.phase.rawValue < right.phase.rawValue
        }
    }

    /// One step of sync, and when it was.
    package struct Activity: Hashable, Comparable, Sendable {
        /// The time, in milliseconds since 1970.
        package let milliseconds: Int64
        /// The phase.
        package let phase: SyncActivity.Phase
        /// The state.
        package let state: SyncActivity.State
        /// The error; nil where none was told.
        package let error: ShortText?

        private var key: (Int, Int) {
            (SyncActivity.Phase.allCases.firstIndex(of: phase) ?? 0, SyncActivity.State.allCases.firstIndex(of: state) ?? 0)
        }

        /// Whether the left one comes first; of those at one time by the order in which a sync takes its steps.
        package static func < (left: Activity, right: Activity) -> Bool {
            if left.milliseconds != right.milliseconds { return left.milliseconds < right.milliseconds }
            if left.key != right.key { return left.key < right.key }
            guard let error = right.error else { return false }
            return left.error.map { $0 < error } ?? true
        }
    }

    /// What became of a phase of sync.
    package struct PhaseTally: Hashable, Sendable {
        /// How often the phase began.
        package internal(set) var started = 0
        /// How often the phase ended well.
        package internal(set) var succeeded = 0
        /// How often the phase ended badly.
        package internal(set) var failed = 0
        /// How often the app itself ended the phase.
        package internal(set) var cancelled = 0
        /// How long the phase took where it ended well.
        package internal(set) var durations = GapHistogram()
        /// The time at which the phase last ended well, in milliseconds since 1970.
        package internal(set) var lastSuccess: Int64?
        /// The time at which the phase last ended badly, in milliseconds since 1970.
        package internal(set) var lastFailure: Int64?

        /// Nothing told.
        package init() {}

        mutating func count(_ step: SyncActivity, at milliseconds: Int64) {
            switch step.state {
            case .started: started = started.addingCount(1)
            case .succeeded:
                succeeded = succeeded.addingCount(1)
                lastSuccess = later(lastSuccess, milliseconds)
                durations.record(milliseconds: step.durationMilliseconds)
            case .failed where step.wasCancelled: cancelled = cancelled.addingCount(1)
            case .failed:
                failed = failed.addingCount(1)
                lastFailure = later(lastFailure, milliseconds)
            }
        }

        mutating func merge(_ other: PhaseTally) {
            started = started.addingCount(other.started)
            succeeded = succeeded.addingCount(other.succeeded)
            failed = failed.addingCount(other.failed)
            cancelled = cancelled.addingCount(other.cancelled)
            durations.merge(other.durations)
            lastSuccess = later(lastSuccess, other.lastSuccess)
            lastFailure = later(lastFailure, other.lastFailure)
        }
    }

    /// A status, and since when.
    package struct Change: Hashable, Comparable, Sendable {
        /// The time, in milliseconds since 1970.
        package let milliseconds: Int64
        /// The status.
        package let status: ShortText

        /// Whether the left one comes first.
        package static func < (left: Change, right: Change) -> Bool {
            left.milliseconds != right.milliseconds ? left.milliseconds < right.milliseconds : left.status < right.status
        }
    }

    /// The latest changes of a status, each once however often it was read.
    package struct Changes: Hashable, Sendable {
        /// The changes in order of time.
        package private(set) var latest: [Change] = []
        /// Whether there were earlier ones, which are forgotten.
        package internal(set) var areCut = false

        /// The most changes kept.
        package static let limit = 256

        mutating func add(_ change: Change) {
            if latest.count == Self.limit, let first = latest.first, change < first { return areCut = true }
            let index = latest.lastIndex { $0 < change }.map { $0 + 1 } ?? 0
            guard index == latest.count || latest[index] != change else { return }
            latest.insert(change, at: index)
            guard latest.count > Self.limit else { return }
            latest.removeFirst()
            areCut = true
        }

        mutating func merge(_ other: Changes) {
            for change in other.latest { add(change) }
            areCut = areCut || other.areCut
        }

        /// When the device was offline, by the changes that are known.
        ///
        /// - Parameter newest: The end of the logs, at which a span that goes on is cut off.
        package func offline(until newest: Int64) -> Offline {
            var offline = Offline()
            for change in latest {
                if SyncHealth.offlineWords.contains(change.status.string) {
                    offline.since = offline.since ?? change.milliseconds
                } else if let since = offline.since, SyncHealth.onlineWords.contains(change.status.string) {
                    offline.add(change.milliseconds.distance(after: since))
                    offline.since = nil
                }
            }
            if let since = offline.since { offline.add(max(0, newest.distance(after: since))) }
            return offline
        }
    }

    /// The spans without a network.
    package struct Offline: Hashable, Sendable {
        /// How many there were.
        package private(set) var spans = 0
        /// How long they were together, in milliseconds.
        package private(set) var totalMilliseconds: Int64 = 0
        /// How long the longest was, in milliseconds.
        package private(set) var longestMilliseconds: Int64 = 0
        /// Since when the device is offline, in milliseconds since 1970; nil where it is not.
        package fileprivate(set) var since: Int64?

        fileprivate mutating func add(_ milliseconds: Int64) {
            spans += 1
            let (sum, overflow) = totalMilliseconds.addingReportingOverflow(milliseconds)
            totalMilliseconds = overflow ? .max : sum
            longestMilliseconds = max(longestMilliseconds, milliseconds)
        }
    }

    /// What monitors call a network that is not there, and one that is.
    package static let offlineWords: Set<String> = ["disconnected", "unsatisfied", "requiresConnection", "offline"]
    static let onlineWords: Set<String> = ["connected", "satisfied", "online"]
    /// What monitors call an account that can sync.
    package static let availableAccount = "available"
}

/// The later of two times, or of what comes in the order of its time; either may be unknown.
func later<Dated: Comparable>(_ left: Dated?, _ right: Dated?) -> Dated? {
    guard let left, let right else { return left ?? right }
    return left < right ? right : left
}

extension SyncHealth.Device {
    /// Whether an event is about sync itself.
    static func isTold(by event: AuditEvent) -> Bool {
        switch event.content {
        case .outbox, .network, .refresh, .account, .sync, .clock: true
        default: false
        }
    }

    /// Adds what an event tells that is about sync itself.
    mutating func observe(_ event: AuditEvent) {
        let milliseconds = event.milliseconds
        newest = later(newest, milliseconds)
        switch event.content {
        case .outbox(let status): add(SyncHealth.Outbox(SyncHealth.Reading(milliseconds: milliseconds, status: status.bounded)))
        case .network(let status, _):
            network.add(SyncHealth.Change(milliseconds: milliseconds, status: SyncHealth.ShortText(status, limit: 40)))
        case .refresh(let report): add(SyncHealth.Showing(report, at: milliseconds))
        case .account(let status):
            account = later(account, SyncHealth.Change(milliseconds: milliseconds, status: SyncHealth.ShortText(status, limit: 40)))
        case .clock(let measurement): clock = later(clock, SyncHealth.Clock(measurement, at: milliseconds))
        case .sync(let activity): observe(activity, at: milliseconds)
        default: break
        }
    }

    private mutating func observe(_ step: SyncActivity, at milliseconds: Int64) {
        activity = later(
            activity,
            SyncHealth.Activity(
                milliseconds: milliseconds, phase: step.phase, state: step.state, error: step.error.map { SyncHealth.ShortText($0) }))
        phases[step.phase, default: SyncHealth.PhaseTally()].count(step, at: milliseconds)
        if step.state == .failed, !step.wasCancelled {
            add(1, of: SyncHealth.Failure(phase: step.phase, error: SyncHealth.ShortText(step.error ?? "")))
            boundFailures()
        }
        if let bytes = step.storeBytes {
            let size = SyncHealth.Storage.Size(milliseconds: milliseconds, bytes: min(max(0, Int(clamping: bytes)), .largestCount))
            add(SyncHealth.Storage(size))
        }
        guard step.state != .started, let delays = step.delays else { return }
        switch step.phase {
        case .setup: break
        case .import: merged.merge(delays)
        case .export: delivered.merge(delays)
        }
    }

    /// What some devices tell together, where it adds up: their outboxes, networks, accounts, clocks, stores and latest looks do not; nil
    /// where there are no devices.
    package init?(adding devices: [SyncHealth.Device]) {
        guard let first = devices.first else { return nil }
        self = first
        for device in devices.dropFirst() { merge(device) }
        (outbox, account, clock, activity, network, storage) = (nil, nil, nil, nil, SyncHealth.Changes(), nil)
        showing?.latest = nil
    }

    /// Adds what other lines tell.
    mutating func merge(_ other: Self) {
        other.outbox.map { add($0) }
        for (phase, tally) in other.phases { phases[phase, default: SyncHealth.PhaseTally()].merge(tally) }
        otherFailures = otherFailures.addingCount(other.otherFailures)
        for (failure, count) in other.failures { add(count, of: failure) }
        boundFailures()
        network.merge(other.network)
        account = later(account, other.account)
        clock = later(clock, other.clock)
        activity = later(activity, other.activity)
        delivered.merge(other.delivered)
        merged.merge(other.merged)
        other.showing.map { add($0) }
        other.storage.map { add($0) }
        newest = later(newest, other.newest)
    }

    private mutating func add(_ other: SyncHealth.Outbox) {
        if outbox == nil { outbox = other } else { outbox?.merge(other) }
    }

    private mutating func add(_ other: SyncHealth.Showing) {
        if showing == nil { showing = other } else { showing?.merge(other) }
    }

    private mutating func add(_ other: SyncHealth.Storage) {
        if storage == nil { storage = other } else { storage?.merge(other) }
    }

    private mutating func add(_ count: Int, of failure: SyncHealth.Failure) {
        failures[failure] = (failures[failure] ?? 0).addingCount(count)
    }

    private mutating func boundFailures() {
        guard failures.count > Self.failureLimit else { return }
        for failure in failures.keys.sorted().dropFirst(Self.failureLimit) {
            otherFailures = otherFailures.addingCount(failures.removeValue(forKey: failure) ?? 0)
        }
    }

    /// Since when the app's pulse has not beaten in the foreground, in milliseconds since 1970; nil where it beats, need not, or no line
    /// tells.
    ///
    /// An app that was killed in the foreground, and works in the background since, looks the same.
    package var pulseStopped: Int64? { newest.flatMap { newest in showing?.stopped(at: newest) } }
    /// The status of the network as it was last; nil where no line tells.
    package var networkStatus: String? { network.latest.last?.status.string }
    /// How often any phase failed.
    package var failed: Int { phases.values.reduce(0) { $0.addingCount($1.failed) } }
    /// How often any phase ended well.
    package var succeeded: Int { phases.values.reduce(0) { $0.addingCount($1.succeeded) } }
    /// The phases that move writes: a store that could be prepared has moved nothing.
    private var moves: [SyncHealth.PhaseTally] { [phases[.import], phases[.export]].compactMap(\.self) }
    /// The time at which writes last were fetched or sent, in milliseconds since 1970; nil where none ever were.
    package var lastSuccess: Int64? { moves.compactMap(\.lastSuccess).max() }
    /// The time at which any phase last ended badly, in milliseconds since 1970; nil where none has.
    package var lastFailure: Int64? { phases.values.compactMap(\.lastFailure).max() }
    /// Whether the last that ended has failed.
    package var isFailing: Bool { lastFailure.map { failure in lastSuccess.map { $0 < failure } ?? true } ?? false }
    /// Whether something failed, and nothing was ever fetched or sent.
    package var hasOnlyFailed: Bool { failed > 0 && lastSuccess == nil }
    /// How long ago writes were last fetched or sent, in milliseconds; nil where none ever were.
    package func age(at newest: Int64) -> Int64? { lastSuccess.map { max(0, newest.distance(after: $0)) } }
    /// How long a device may go without a success before it is silent, in milliseconds: a week.
    package static let silence: Int64 = 7 * 86_400_000
    /// Whether the device tells of its sync, and of no success within ``silence`` before a time.
    package func isSilent(at newest: Int64) -> Bool { !phases.isEmpty && age(at: newest).map { $0 > Self.silence } ?? true }
    /// The failures told apart, the most frequent first.
    package var sortedFailures: [(failure: SyncHealth.Failure, count: Int)] {
        failures.map { ($0.key, $0.value) }.ordered { $0.1 != $1.1 ? $0.1 > $1.1 : $0.0 < $1.0 }
    }
    /// How old the oldest write is that waits to be sent, in milliseconds; nil where none waits or its time is not known.
    package func oldestAge(at newest: Int64) -> Int64? {
        waiting?.status.oldest.map { max(0, newest.distance(after: $0.millisecondsSince1970)) }
    }

    /// What waits to be sent; nil where nothing does: a replica tells what each sync leaves, so that a later export that ended well has
    /// left nothing.
    package var waiting: SyncHealth.Reading? {
        guard let latest = outbox?.latest, latest.status.writes > 0 else { return nil }
        if let sent = phases[.export]?.lastSuccess, sent > latest.milliseconds { return nil }
        return latest
    }

    /// Writes that the hub refused or that are too large for it, as the latest line has it.
    package var refused: Int { outbox?.latest.status.setAside ?? 0 }
}
