import ConflictAudit
import SyncLines
public import SyncModel
import SyncSystem

/// A hub that lasts as long as the program, for tests and simulations.
///
/// ```swift
/// let hub = InMemoryHub()
/// try await SyncEngine(replica: replica, hub: hub).sync()
/// ```
public final class InMemoryHub: CompactingHub {
    fileprivate struct Device {
        var cursor: UInt64 = 0
        var clock: ClockMeasurement?
        var rulesVersion = 0
        var rulesFingerprint: UInt64?
        var isForgotten = false
        /// Whether another writer has superseded it, or nobody but others has told of it, and it has not reported since.
        var isSuperseded = false
        /// Whether it is giving back what the hub has forgotten.
        var isGivingBack = false
        /// The highest number that the hub has, or had, of its writes.
        var latest: UInt64 = 0
        /// Whether what it has not merged is not settled.
        var isAwaited: Bool { !isForgotten && !isSuperseded }
        /// Its writes by their index in the log; numbers rise but for those that were given back.
        var numbers: [(sequence: UInt64, index: Int)] = []
    }

    /// A write in the hub's order.
    fileprivate struct Entry {
        let dot: Dot
        var write: KnownWrite
        /// The size of the write.
        let bytes: Int
        /// That of the hub's order up to here.
        let fingerprint: UInt64
    }

    fileprivate struct State {
        let epoch: UInt64
        var log: [Entry] = []
        var indices: [Dot: Int] = [:]
        var devices: [DeviceID: Device] = [:]

        func position(at cursor: UInt64) -> HubPosition {
            let index = Int(clamping: cursor)
            return HubPosition(
                epoch: epoch, fingerprint: (1...max(1, log.count)).contains(index) && index <= log.count ? log[index - 1].fingerprint : 0)
        }

        var isWhole: Bool { !devices.values.contains { $0.isGivingBack && $0.isAwaited } }

        var end: HubPlace { HubPlace(cursor: UInt64(log.count), position: position(at: UInt64(log.count))) }

        func check(_ cursor: UInt64, of device: DeviceID, known: HubPosition?) throws {
            try HubRules.check(cursor, of: device, known: known, position: position(at: cursor), last: UInt64(log.count))
        }
    }

    private let wallClock: WallClock
    private let limits: HubLimits
    private let refusal: @Sendable (TaggedWrite) -> String?
    private let state: Locked<State>

    /// An empty hub.
    ///
    /// - Parameters:
    ///   - wallClock: The hub's time of day.
    ///   - limits: What it refuses of its own accord.
    ///   - refusal: Why it refuses a write, nil where it does not.
    public init(
        wallClock: @escaping WallClock = systemWallClock, limits: HubLimits = HubLimits(),
        refusal: @escaping @Sendable (TaggedWrite) -> String? = { _ in nil }
    ) {
        state = Locked(State(epoch: UInt64.random(in: 1...UInt64(Int64.max))))
        self.wallClock = wallClock
        self.limits = limits
        self.refusal = refusal
    }

    /// The hub's clock.
    public func now() async -> WallTime { wallClock() }

    /// Accepts writes of a device.
    public func push(_ request: PushRequest) async throws -> [PushOutcome] {
        let device = request.device
        try limits.check(request.writes, from: device)
        return try state.withLock { state in
            let known = state.devices[device, default: Device()]
            if known.isForgotten { throw HubRules.forgotten(device) }
            try HubRules.check(request.acknowledged, of: device, latest: known.latest)
            try state.check(request.reached.cursor, of: device, known: request.reached.position)
            state.devices[device] = known
            var isTaken = known.isSuperseded
            return request.writes.map { write in
                let outcome = isTaken ? .numberTaken : append(write, to: &state)
                isTaken = outcome == .numberTaken
                return outcome
            }
        }
    }

    private func append(_ write: TaggedWrite, to state: inout State) -> PushOutcome {
        let bytes = write.encoded.count
        let known = state.indices[write.dot].map { state.log[$0].write }
        let latest = state.devices[write.dot.device]?.latest ?? 0
        if let outcome = HubRules.outcome(of: write, bytes: bytes, known: known, latest: latest, limits: limits) { return outcome }
        if let reason = refusal(write) { return .refused(reason) }
        return .accepted(append(write, bytes, in: &state))
    }

    private func append(_ write: TaggedWrite, _ bytes: Int, in state: inout State) -> TaggedWrite.Receipt {
        let receipt = TaggedWrite.Receipt(
            milliseconds: WriteLimits.clamped(wallClock().millisecondsSince1970), hubSequence: UInt64(state.log.count + 1))
        state.indices[write.dot] = state.log.count
        var device = state.devices[write.dot.device] ?? Device()
        device.numbers.append((write.dot.sequence, state.log.count))
        device.latest = max(device.latest, write.dot.sequence)
        state.devices[write.dot.device] = device
        let fingerprint = state.position(at: UInt64(state.log.count)).next(write.dot, receipt)
        state.log.append(Entry(dot: write.dot, write: .whole(write.received(receipt)), bytes: bytes, fingerprint: fingerprint))
        return receipt
    }

    /// Accepts writes that the hub has forgotten.
    public func giveBack(_ given: GivenBackWrites) async throws -> HubPlace {
        try HubRules.check(given, limits: limits)
        return try state.withLock { state in
            var device = state.devices[given.device] ?? Device()
            if device.isForgotten { throw HubRules.forgotten(given.device) }
            try state.check(given.reached.cursor, of: given.device, known: given.reached.position)
            device.isGivingBack = !given.isWhole
            // A hub that was put back in between has not all of them.
            if given.isLast { device.latest = max(device.latest, given.acknowledged) }
            state.devices[given.device] = device
            for write in given.writes where state.indices[write.dot] == nil {
                let bytes = write.encoded.count
                // A number below the latest is what is to be expected here.
                guard HubRules.outcome(of: write, bytes: bytes, known: nil, latest: 0, limits: limits) == nil else { continue }
                if state.devices[write.dot.device] == nil { state.devices[write.dot.device] = Device(isSuperseded: true) }
                _ = append(write, bytes, in: &state)
            }
            return state.end
        }
    }

    /// The next writes in the hub's order.
    public func pull(_ request: PullRequest) async throws -> PullPage {
        try state.withLock { state in
            try state.check(request.cursor, of: request.device, known: request.position)
            var writes: [TaggedWrite] = []
            var bytes = 0
            var leftOut = 0
            var index = Int(clamping: request.cursor)
            var compacted = CompactedWrites()
            while index < state.log.count, writes.count + compacted.own.count < max(1, request.limit), bytes < limits.bytesPerPage {
                let entry = state.log[index]
                switch entry.write {
                case .compacted(let fingerprint, let receipt):
                    compacted.count += 1
                    compacted.latest.insert(entry.dot)
                    if entry.dot.device == request.device, entry.dot.sequence > request.ownSequence {
                        compacted.own.append(
                            OwnCompactedWrite(dot: entry.dot, fingerprint: fingerprint, receipt: receipt))
                    }
                case .whole where entry.dot.device == request.device && entry.dot.sequence <= request.ownSequence: leftOut += 1
                case .whole(let write):
                    writes.append(write)
                    bytes += entry.bytes
                }
                index += 1
            }
            return PullPage(
                writes: writes, bytes: bytes, cursor: max(request.cursor, UInt64(index)), hasMore: index < state.log.count,
                leftOut: leftOut,
                rulesVersion: state.devices.values.map(\.rulesVersion).max() ?? 0,
                position: state.position(at: UInt64(index)), latestNumber: state.devices[request.device]?.latest ?? 0,
                isWhole: state.isWhole, compacted: compacted)
        }
    }

    /// Records a device, its progress and its clock.
    public func report(_ report: DeviceReport) async throws {
        try HubRules.check(report)
        try state.withLock { state in
            var device = state.devices[report.device] ?? Device()
            if device.isForgotten { throw HubRules.forgotten(report.device) }
            try state.check(report.cursor, of: report.device, known: report.position)
            device.cursor = max(device.cursor, report.cursor)
            device.clock = report.clock ?? device.clock
            device.isSuperseded = false
            device.rulesVersion = max(device.rulesVersion, report.rulesVersion)
            device.rulesFingerprint = report.rulesFingerprint ?? device.rulesFingerprint
            state.devices[report.device] = device
            if report.cursor > 0 {
                let first = report.device.firstWriter
                for name in state.devices.keys where name.isWriter(of: first) { state.devices[name]?.isGivingBack = false }
            }
            if let predecessor = report.predecessor { state.devices[predecessor]?.isSuperseded = true }
        }
    }

    /// The last report of each device, in order of device.
    public func devices() async -> [DeviceReport] {
        state.withLock { state in
            state.devices.filter { !$0.value.isForgotten }.sorted { $0.key < $1.key }
                .map { name, device in
                    DeviceReport(
                        device: name, cursor: device.cursor, clock: device.clock, rulesVersion: device.rulesVersion,
                        rulesFingerprint: device.rulesFingerprint)
                }
        }
    }

    /// The writes that every known device has merged.
    public func settled() async -> VersionVector {
        state.withLock { state in
            guard let cursor = state.devices.values.filter(\.isAwaited).map(\.cursor).min() else {
                return VersionVector()
            }
            return VersionVector(
                state.devices.compactMap { device, known in
                    known.numbers.last { UInt64($0.index) < cursor }.map { Dot(device: device, sequence: $0.sequence) }
                })
        }
    }

    /// Removes a lost device from those that must have merged a delete before it is settled.
    public func forget(_ device: DeviceID) async {
        state.withLock { $0.devices[device, default: Device()].isForgotten = true }
    }

    /// Lets go of writes that every device has merged.
    public func compact(_ request: CompactionRequest) async throws -> Compaction {
        try state.withLock { state in
            try state.check(request.reached.cursor, of: "a compaction", known: request.reached.position)
            let awaited = state.devices.filter(\.value.isAwaited)
            guard state.isWhole, let limit = awaited.values.map(\.cursor).min() else { return Compaction() }
            try HubRules.check(request, awaited.map { (name: $0.key, fingerprint: $0.value.rulesFingerprint) })
            var done = Compaction(limit: limit)
            if limit < request.limit { return done }
            for dot in request.compacted {
                guard let index = state.indices[dot], UInt64(index) < request.limit,
                    let compacted = state.log[index].write.compacted
                else { continue }
                state.log[index] = Entry(dot: dot, write: compacted, bytes: 0, fingerprint: state.log[index].fingerprint)
                done.compacted += 1
            }
            return done
        }
    }

    /// What the hub holds at one time.
    package struct Backup: Sendable {
        fileprivate let state: State
    }

    /// The writes in the hub's order, with their receipts, but for those that it has let go of.
    package var writes: [TaggedWrite] {
        state.withLock { $0.log.compactMap { if case .whole(let write) = $0.write { write } else { nil } } }
    }

    /// The names of all writes in the hub's order, of those too that it has let go of.
    package var allDots: [Dot] { state.withLock { $0.log.map(\.dot) } }

    /// A backup of the hub.
    package func backup() -> Backup { Backup(state: state.withLock { $0 }) }

    /// Puts the hub back to an earlier state, or makes it what another one was.
    package func restore(_ backup: Backup) {
        state.withLock { $0 = backup.state }
    }
}
