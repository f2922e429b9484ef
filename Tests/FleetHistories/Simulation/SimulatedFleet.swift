import ConflictAudit
import ConflictAuditTesting
import SyncLayer
import SyncLayerTesting
import SyncModel
import SyncMonitoring
import SyncOracle
import SyncSystem

/// Devices that sync while everything goes wrong that can, and what they know of it themselves: a person's notebook, in which each thing that happened is
/// one entry of a list, and nothing is read from a log.
@MainActor
final class SimulatedFleet {
    /// What happened on a device.
    struct Notebook {
        /// Every phase that ended, and how.
        var succeeded: [SyncActivity.Phase] = []
        var failed: [SyncActivity.Phase] = []
        var cancelled: [SyncActivity.Phase] = []
        /// How long each phase took that ended well.
        var durations: [(phase: SyncActivity.Phase, milliseconds: Int64)] = []
        /// When an import or an export last ended well.
        var lastSuccess: Int64?
        /// When the network went and came.
        var network: [(at: Int64, isOnline: Bool)] = []
        var account: String?
        /// How old each write was when the hub took it, and each of another device when it came.
        var delivered: [Int64] = []
        var merged: [Int64] = []
        /// The times of the writes that wait, by their numbers.
        var waiting: [UInt64: Int64] = [:]
        var refused = 0
        /// What waited when the last sync ended, nil where nothing did; its size as the replica states it.
        var left: (writes: Int, bytes: Int, oldest: Int64?)?
        var app = App()
    }

    /// What a person sees of the app on a device.
    struct App {
        var isOpen = false
        var isEditing = false
        /// Whether something came that is not on the screen.
        var isBehind = false
        /// What each look led to, and by which the screen changed.
        var looks: [RefreshDecision] = []
        var reloads = 0
        /// When the pulse beats next, and how many beats did not come.
        var due: Int64 = 0
        var missed = 0
        /// How often the app was closed with something not on the screen.
        var closedBehind = 0
        var lastLook: (at: Int64, isOpen: Bool, isBehind: Bool)?
    }

    /// Why a sync does not come to its end.
    enum Fault: CaseIterable {
        case none, setup, secondSetup, `import`, secondImport, export, secondExport, cancelledImport
    }

    @MainActor
    final class Device {
        let name: DeviceID
        let sink = CollectingAuditSink()
        let monitor = SyncMonitor()
        let sleep = ManualSleep()
        private(set) var refresh: ForegroundRefresh<Void>?
        let replica: Replica
        let hub: Line
        let engine: SyncEngine
        var notebook = Notebook()

        init(_ name: DeviceID, _ clock: ManualClock, offset: Int64, hub: any Hub, seed: UInt64) throws {
            self.name = name
            let wall: WallClock = { WallTime(millisecondsSince1970: clock.now.millisecondsSince1970 + offset) }
            var configuration = ReplicaConfiguration()
            configuration.sink = BroadcastingAuditSink([sink, monitor])
            configuration.reportsWrites = true
            configuration.wallClock = wall
            configuration.outboxLimits = OutboxLimits(writesPerBatch: 3, bytesPerRecord: 2000)
            replica = try Replica(device: name, store: InMemoryStore(), configuration: configuration)
            self.hub = Line(to: hub, of: name, clock: clock, offset: offset, seed: seed)
            var syncing = SyncConfiguration()
            syncing.writesPerPull = 4
            engine = SyncEngine(replica: replica, hub: self.hub, configuration: syncing)
            let pulse = RefreshPulse(
                interval: .milliseconds(SimulatedFleet.pulse), sleep: sleep.sleep, now: { .milliseconds(clock.now.millisecondsSince1970) })
            refresh = ForegroundRefresh(
                monitor: monitor, pulse: pulse, hasUnsavedEdits: { [unowned self] in notebook.app.isEditing }, read: {},
                show: { [unowned self] in notebook.app.reloads += 1 },
                report: { [sink] in sink.record(AuditEvent(at: wall(), .refresh($0))) })
        }

        var now: Int64 { hub.now }
    }

    /// The time between two beats of the apps' pulses.
    nonisolated static let pulse: Int64 = 90_000

    let clock = ManualClock()
    private(set) var devices: [Device] = []
    private var random: SplitMix64

    init(devices count: Int, seed: UInt64) throws {
        random = SplitMix64(seed: seed)
        let hub = InMemoryHub(wallClock: clock.wallClock)
        for number in 1...count {
            let offset = random.percent(50) ? 0 : Int64(random.below(8000)) - 4000
            devices.append(try Device(DeviceID("device \(number)"), clock, offset: offset, hub: hub, seed: random.next()))
        }
    }

    func run(steps: Int) async throws {
        for _ in 0..<steps {
            clock.advance(by: .milliseconds(random.percent(90) ? random.below(120_000) : random.below(40_000_000)))
            let device = devices[random.below(devices.count)]
            switch random.below(14) {
            case 0: setNetwork(of: device, isOnline: random.percent(60))
            case 1: setAccount(of: device, ["available", "noAccount", "restricted"][random.below(3)])
            case 2...5: try edit(device)
            case 6: await switchApp(of: device)
            case 7, 8: await beat(device)
            case 9: await switchEditing(on: device)
            default: try await sync(device, Fault.allCases[random.percent(40) ? 0 : random.below(Fault.allCases.count)])
            }
        }
    }

    private func setNetwork(of device: Device, isOnline: Bool) {
        device.hub.isOnline = isOnline
        device.notebook.network.append((device.now, isOnline))
        let status = AuditEvent.Content.network(status: isOnline ? "connected" : "disconnected", interface: nil)
        device.sink.record(AuditEvent(at: WallTime(millisecondsSince1970: device.now), status))
    }

    private func setAccount(of device: Device, _ status: String) {
        device.notebook.account = status
        device.sink.record(AuditEvent(at: WallTime(millisecondsSince1970: device.now), .account(status: status)))
    }

    /// A look at the screen, from which follows what it showed.
    private func look(_ device: Device) {
        var app = device.notebook.app
        let canShow = app.isOpen && !app.isEditing
        app.looks.append(app.isBehind ? canShow ? .refresh : .deferred : .nothing)
        if canShow { app.isBehind = false }
        app.lastLook = (device.now, app.isOpen, app.isBehind)
        device.notebook.app = app
    }

    /// The beats that were due by now; one of them has come, or the app is closed.
    private func settlePulse(of device: Device) {
        let now = clock.now.millisecondsSince1970
        var due = 0
        while device.notebook.app.due <= now {
            due += 1
            device.notebook.app.due += Self.pulse
        }
        device.notebook.app.missed += max(0, due - 1)
        device.notebook.app.due = now + Self.pulse
    }

    private func switchApp(of device: Device) async {
        if device.notebook.app.isOpen {
            settlePulse(of: device)
            device.notebook.app.isOpen = false
            if device.notebook.app.isBehind { device.notebook.app.closedBehind += 1 }
            device.notebook.app.lastLook = (device.now, false, device.notebook.app.isBehind)
            device.refresh?.enterBackground()
        } else {
            device.notebook.app.isOpen = true
            device.notebook.app.due = clock.now.millisecondsSince1970 + Self.pulse
            look(device)
            device.refresh?.enterForeground()
            await device.sleep.somebodySleeps()
        }
    }

    private func beat(_ device: Device) async {
        guard device.notebook.app.isOpen else { return }
        settlePulse(of: device)
        look(device)
        device.sleep.wake()
        await device.sleep.somebodySleeps()
    }

    private func switchEditing(on device: Device) async {
        device.notebook.app.isEditing.toggle()
        guard !device.notebook.app.isEditing else { return }
        look(device)
        await device.refresh?.refreshIfNeeded()
    }

    private func edit(_ device: Device) throws {
        for _ in 0...random.below(5) {
            let key = RecordKey(type: "Note", id: RecordID(String(random.below(40))))
            // Now and then more than is allowed, or what the hub does not want.
            let text = random.percent(4) ? String(repeating: "x", count: 3000) : random.percent(4) ? Line.unwanted : "edit"
            let dot = try device.replica.put(["text": .string(text)], to: key)
            let write = try device.replica.unsentWrites().last { $0.dot == dot }
            device.notebook.waiting[dot.sequence] = write?.timestamp.milliseconds
        }
    }

    private func sync(_ device: Device, _ fault: Fault) async throws {
        device.hub.begin(fault)
        let end: (isCancelled: Bool, error: (any Error)?)
        do {
            try await device.engine.sync()
            end = (false, nil)
        } catch {
            end = (error is CancellationError, error)
        }
        let line = device.hub
        let phases: [SyncActivity.Phase] = [.setup, .import, .export]
        // Where nothing threw, the last phase has ended too.
        let last = end.error == nil ? 3 : phases.firstIndex(of: line.phase) ?? 0
        for phase in phases[..<last] {
            device.notebook.succeeded.append(phase)
            device.notebook.durations.append((phase, line.times[phase] ?? 0))
        }
        if last > 1 { device.notebook.lastSuccess = line.ends[phases[last - 1]] ?? line.ends[.import] }
        if last < 3 {
            if end.isCancelled { device.notebook.cancelled.append(phases[last]) } else { device.notebook.failed.append(phases[last]) }
        }
        device.notebook.merged += line.merged
        if !line.merged.isEmpty { device.notebook.app.isBehind = true }
        device.notebook.delivered += line.taken.map(\.delay)
        for write in line.taken { device.notebook.waiting[write.number] = nil }
        // Those that are too large the hub never hears of.
        for item in try device.replica.setAsideWrites() where device.notebook.waiting.removeValue(forKey: item.write.dot.sequence) != nil {
            device.notebook.refused += 1
            device.notebook.failed.append(.export)
        }
        let status = try device.replica.outboxStatus()
        let waiting = device.notebook.waiting
        device.notebook.left = waiting.isEmpty ? nil : (waiting.count, status.bytes, waiting.min { $0.key < $1.key }?.value)
    }
}

/// The line between a device and the hub, on which every call takes its time and some come to nothing.
final class Line: Hub {
    /// What a write says that the hub does not want.
    static let unwanted = "unwanted"

    private struct State {
        var isOnline = true
        var fault = SimulatedFleet.Fault.none
        var calls: [SyncActivity.Phase: Int] = [:]
        var phase = SyncActivity.Phase.setup
        var hasPulled = false
        var times: [SyncActivity.Phase: Int64] = [:]
        var ends: [SyncActivity.Phase: Int64] = [:]
        var taken: [(number: UInt64, delay: Int64)] = []
        var merged: [Int64] = []
        var known: Set<Dot> = []
        var random: SplitMix64
    }

    private let hub: any Hub
    private let device: DeviceID
    private let clock: ManualClock
    private let offset: Int64
    private let state: Locked<State>

    init(to hub: any Hub, of device: DeviceID, clock: ManualClock, offset: Int64, seed: UInt64) {
        (self.hub, self.device, self.clock, self.offset) = (hub, device, clock, offset)
        state = Locked(State(random: SplitMix64(seed: seed)))
    }

    /// The device's clock.
    var now: Int64 { clock.now.millisecondsSince1970 + offset }
    var isOnline: Bool {
        get { state.withLock { $0.isOnline } }
        set { state.withLock { $0.isOnline = newValue } }
    }
    /// The phase of the last call, how long each took, and when its last call ended, by the device's clock.
    var phase: SyncActivity.Phase { state.withLock { $0.phase } }
    var times: [SyncActivity.Phase: Int64] { state.withLock { $0.times } }
    var ends: [SyncActivity.Phase: Int64] { state.withLock { $0.ends } }
    var taken: [(number: UInt64, delay: Int64)] { state.withLock { $0.taken } }
    var merged: [Int64] { state.withLock { $0.merged } }

    func begin(_ fault: SimulatedFleet.Fault) {
        state.withLock { state in
            state.fault = fault
            (state.calls, state.times, state.ends, state.taken, state.merged) = ([:], [:], [:], [], [])
            (state.phase, state.hasPulled) = (.setup, false)
        }
    }

    private func call<Answer>(_ phase: SyncActivity.Phase, _ body: () async throws -> Answer) async throws -> Answer {
        let (latency, failure) = state.withLock { state -> (Int64, (any Error)?) in
            let latency = Int64(state.random.below(state.random.percent(95) ? 200 : 9000))
            state.phase = phase
            state.times[phase, default: 0] += latency
            let count = (state.calls[phase] ?? 0) + 1
            state.calls[phase] = count
            let unavailable = SyncLayerError(.hubUnavailable, "the hub does not answer: try again later")
            if !state.isOnline { return (latency, unavailable) }
            switch (state.fault, phase, count) {
            case (.setup, .setup, 1), (.secondSetup, .setup, 2), (.import, .import, 1), (.secondImport, .import, 2), (.export, .export, 1),
                (.secondExport, .export, 2):
                return (latency, unavailable)
            case (.cancelledImport, .import, 1): return (latency, CancellationError())
            default: return (latency, nil)
            }
        }
        clock.advance(by: .milliseconds(latency))
        if let failure { throw failure }
        let answer = try await body()
        state.withLock { $0.ends[phase] = now }
        return answer
    }

    func now() async throws -> WallTime { try await call(.setup) { try await hub.now() } }
    func settled() async throws -> VersionVector { try await call(.setup) { try await hub.settled() } }
    func devices() async throws -> [DeviceReport] { try await call(.setup) { try await hub.devices() } }
    func forget(_ device: DeviceID) async throws { try await hub.forget(device) }
    func giveBack(_ given: GivenBackWrites) async throws -> HubPlace { try await hub.giveBack(given) }

    func report(_ report: DeviceReport) async throws {
        try await call(state.withLock { $0.hasPulled } ? .export : .setup) { try await hub.report(report) }
    }

    func pull(_ request: PullRequest) async throws -> PullPage {
        let page = try await call(.import) { try await hub.pull(request) }
        state.withLock { state in
            state.hasPulled = true
            for write in page.writes where write.dot.device != device && state.known.insert(write.dot).inserted {
                state.merged.append(max(0, now - write.timestamp.milliseconds))
            }
        }
        return page
    }

    func push(_ request: PushRequest) async throws -> [PushOutcome] {
        try await call(.export) {
            let unwanted = request.writes.filter { $0.fields?["text"] == .string(Self.unwanted) }.map(\.dot.sequence)
            var wanted = request
            wanted.writes.removeAll { unwanted.contains($0.dot.sequence) }
            var answers = wanted.writes.isEmpty ? [] : try await hub.push(wanted)[...]
            return state.withLock { state in
                request.writes.map { write in
                    if unwanted.contains(write.dot.sequence) { return .refused("the hub does not want it") }
                    state.taken.append((write.dot.sequence, max(0, now - write.timestamp.milliseconds)))
                    return answers.removeFirst()
                }
            }
        }
    }
}
