import ConflictAudit
import SyncLayer
import SyncModel

/// Devices, a network, clocks and a hub in virtual time.
///
/// ```swift
/// let result = try await Simulation.run(configuration)
/// print(result.problems.isEmpty ? "all devices agree" : result.problems.joined(separator: "\n"))
/// ```
///
/// Replicas, engines, stores and hub are the package's own; what lies between them is made up, and every choice is drawn from one seed. A
/// run is one sequence of events: whoever waits for the network or the clock is let on one at a time, so nothing depends on threads or on
/// the real clock.
public final class Simulation {
    let configuration: SimulationConfiguration
    var random: SimulationRandom
    let clock = VirtualClock()
    let conductor = Conductor()
    let hub: any Hub
    /// The hub where it is in memory.
    let memoryHub: InMemoryHub?
    var hubBackups: [InMemoryHub.Backup] = []
    /// What apps were told is safe in states of stores that were thrown away, as far as the hub or another device has it.
    var outlived: [SimulatedApp.Acknowledgement] = []
    var app: SimulatedApp
    var devices: [SimulatedDevice]
    var queue = EventQueue<Event>()
    /// Whether nothing goes wrong any more.
    var isCalm = true
    var runs = 0
    private var pauses = 0
    var faults = SimulationResult.Faults()
    var syncs = 0
    /// The writes that syncs have moved, either way.
    var moved = 0
    var requests = 0
    var latestRequest = 0
    var problems: [String] = []

    /// What is to happen later.
    enum Event {
        /// A request reaches the hub.
        case arrival(Message, number: Int)
        /// An answer reaches its device.
        case answer(Message)
        /// A device gives up on a request.
        case timeout(Message)
        /// A device has waited long enough.
        case wake(device: Int, pause: Int)
        /// A device's program starts again.
        case start(device: Int)
    }

    /// Runs a simulation, lets every device sync until nothing moves any more, and checks what must hold then.
    ///
    /// - Throws: `SyncLayerError` where the hub's or a device's file cannot be opened. Broken promises are not thrown; see
    ///   ``SimulationResult/problems``.
    public static func run(_ configuration: SimulationConfiguration) async throws -> SimulationResult {
        try await Simulation(configuration).run()
    }

    /// Runs a simulation to its rest, lets something be done to the devices' stores while their programs do not run, and then lets the
    /// programs start again and every device sync until nothing moves.
    ///
    /// - Parameter interlude: Gets what the first part left behind.
    /// - Returns: What both parts left behind.
    package static func run(
        _ configuration: SimulationConfiguration, interlude: (SimulationResult) async throws -> Void
    ) async throws -> SimulationResult {
        let simulation = try Simulation(configuration)
        try await interlude(try await simulation.run())
        for index in simulation.devices.indices { try await simulation.start(index) }
        try await simulation.settle()
        return try await simulation.result()
    }

    private init(_ configuration: SimulationConfiguration) throws {
        precondition(configuration.devices >= 1 && configuration.steps >= 0 && configuration.records >= 1 && configuration.skew >= .zero)
        self.configuration = configuration
        var random = SimulationRandom(seed: configuration.seed)
        let clock = clock
        switch configuration.storage {
        case .memory:
            let hub = InMemoryHub(wallClock: { clock.wallTime })
            (self.hub, memoryHub) = (hub, hub)
        case .sqlite(let directory):
            precondition(!configuration.changesIdentities, "stores are put back and copied in memory alone")
            (hub, memoryHub) = (try SQLiteHub(path: directory + "/hub.sqlite", wallClock: { clock.wallTime }), nil)
        }
        app = SimulatedApp(rules: configuration.rules, records: configuration.records)
        let skew = configuration.skewMilliseconds
        devices = (0..<configuration.devices).map { index in
            SimulatedDevice(
                id: Self.name(index), clockOffset: random.within(-skew...skew), seed: random.next(), storage: configuration.storage)
        }
        self.random = random
    }

    private static func name(_ index: Int) -> DeviceID {
        DeviceID("\(["iPhone", "iPad", "Mac", "Watch"][index % 4])-\(index + 1)")
    }

    private func run() async throws -> SimulationResult {
        for index in devices.indices { try await start(index) }
        // Every device signs in before anything goes wrong: what one writes before the hub has heard of it may bring a deleted record back.
        for index in devices.indices { await syncToEnd(index) }
        isCalm = false
        for _ in 0..<configuration.steps {
            await pass(gap())
            await step()
        }
        isCalm = true
        try await settle()
        return try await result()
    }

    /// The time until the next step: from none, so that devices write in the same millisecond, to some hours, as devices are offline.
    private func gap() -> Int64 {
        switch random.below(10) {
        case 0: 0
        case 1..<5: random.within(1...100)
        case 5..<8: random.within(100...5000)
        case 8: random.within(5000...120_000)
        default: random.within(120_000...7_200_000)
        }
    }

    /// Lets so much time pass, and whatever is due happen.
    private func pass(_ milliseconds: Int64) async {
        let end = clock.now + milliseconds
        while let time = queue.nextTime, time <= end { await happen() }
        clock.now = end
    }

    /// Lets the next event happen.
    func happen() async {
        guard let (time, event) = queue.popFirst() else { return }
        clock.now = max(clock.now, time)
        switch event {
        case .arrival(let message, let number): await arrive(message, number)
        case .answer(let message): await answer(message)
        case .timeout(let message): await giveUp(message)
        case .wake(let index, let pause):
            if devices[index].program?.pause == pause { await goOn(index) }
        case .start(let index): await restart(index)
        }
    }

    // MARK: Programs

    private func start(_ index: Int) async throws {
        let device = devices[index]
        let life = Life()
        // Now and then the program does not even get to its start.
        if !isCalm, random.chance(configuration.crashes) { life.end(afterSteps: random.below(8)) }
        runs += 1
        var replica = ReplicaConfiguration()
        replica.mergeRules = configuration.rules
        replica.reportsWrites = true
        replica.wallClock = { [clock, offset = device.clockOffset] in WallTime(millisecondsSince1970: clock.now + offset.now) }
        replica.outboxLimits = OutboxLimits(writesPerBatch: 4)
        // Few, so that records are forgotten and read again.
        replica.cachedRecords = 4
        do {
            try device.start(run: runs, life: life, configuration: replica, conductor: conductor)
            await buryIfOver(index)
        } catch  where life.isOver {
            faults.crashesAtStart += 1
            recordCrash(index)
        }
    }

    func restart(_ index: Int) async {
        do {
            try await start(index)
        } catch {
            problems.append("\(devices[index].id) could not start again: \(error)")
        }
    }

    /// Tidies up after a program that has ended at once, and plans its next start.
    func buryIfOver(_ index: Int) async {
        guard let program = devices[index].program, program.life.isOver else { return }
        if let sync = program.sync {
            _ = await conductor.resume(program.run, throwing: Life.Ended())
            await sync.value
        }
        devices[index].program = nil
        recordCrash(index)
    }

    private func recordCrash(_ index: Int) {
        faults.crashes += 1
        devices[index].crashes += 1
        queue.add(.start(device: index), at: clock.now + random.within(0...60_000))
    }

    // MARK: Syncs

    func startSync(_ index: Int, attempts: Int) async {
        guard let program = devices[index].program, program.sync == nil else { return }
        let pause = await conductor.run { [conductor, engine = program.engine] in
            devices[index].program?.sync = Task {
                do {
                    conductor.finish(.success(try await engine.sync(attempts: attempts)))
                } catch {
                    conductor.finish(.failure(error))
                }
            }
        }
        await perform(pause, of: index)
    }

    /// Lets a device go on with its sync, or fails what it waits for.
    func goOn(_ index: Int, throwing failure: (any Error)? = nil) async {
        guard let program = devices[index].program, program.sync != nil else { return }
        devices[index].program?.pause = nil
        await perform(await conductor.resume(program.run, throwing: failure), of: index)
    }

    private func perform(_ pause: Conductor.Pause, of index: Int) async {
        guard let program = devices[index].program else { return }
        pauses += 1
        devices[index].program?.pause = pauses
        switch pause {
        case .calling(let body): send(Message(device: index, pause: pauses, body: body))
        case .sleeping(let milliseconds): queue.add(.wake(device: index, pause: pauses), at: clock.now + milliseconds)
        case .finished(let result):
            await program.sync?.value
            devices[index].program?.sync = nil
            devices[index].program?.pause = nil
            if case .success(let report) = result {
                syncs += 1
                moved += report.pushed + report.pulled
                for item in report.setAside { problems.append("\(devices[index].id) set a write aside: \(item.reason)") }
            }
            devices[index].lastSync = result
            if case .failure(let error) = result { comeBack(index, after: error) }
        }
        await buryIfOver(index)
    }

    /// Whether the program was found to have ended, at the latest by its last sync, so that another has begun since.
    private func hasEnded(_ index: Int) -> Bool {
        if case .failure(is Life.Ended) = devices[index].lastSync { true } else { false }
    }

    /// Syncs a device, with nothing else going on.
    func syncToEnd(_ index: Int) async {
        // The name that it comes back under may be that of a copy, and forgotten too.
        for _ in 0...2 + faults.storeCopies {
            await startSync(index, attempts: 1)
            while queue.nextTime != nil { await happen() }
            if !hasBeenForgotten(index), !hasEnded(index) { break }
        }
        if case .failure(let error) = devices[index].lastSync {
            problems.append("\(devices[index].id) could not sync over a good line: \(error)")
        }
    }
}
