import SyncLayer
import SyncModel

extension Simulation {
    /// Lets one thing happen that nobody planned.
    func step() async {
        if configuration.changesIdentities { await changeIdentities() }
        if random.chance(configuration.partitions) {
            faults.partitions += 1
            random.pick(devices).isolatedUntil = clock.now + random.within(1000...3_600_000)
        }
        if configuration.skewMilliseconds > 0, random.chance(0.03) {
            faults.clockJumps += 1
            random.pick(devices).clockOffset.now = random.within(-configuration.skewMilliseconds...configuration.skewMilliseconds)
        }
        let index = random.below(devices.count)
        if random.chance(configuration.crashes), let life = devices[index].program?.life {
            life.end(afterSteps: random.below(60))
        }
        switch random.below(100) {
        case 0..<64: edit(index)
        case 64..<97: await startSync(index, attempts: 1 + random.below(3))
        default: await cancelSync(index)
        }
        await buryIfOver(index)
    }

    private func edit(_ index: Int) {
        guard let program = devices[index].program else { return }
        do {
            let line = devices[index].log.events.count
            devices[index].acknowledged += try app.edit(program.replica, &random).map { acknowledgement in
                var acknowledgement = acknowledgement
                acknowledgement.line = line
                return acknowledgement
            }
        } catch {
            if !program.life.isOver { problems.append("\(devices[index].id) could not write: \(error)") }
        }
    }

    /// Cancels a sync: at once, as a call that knows of it would, or when the answer is there.
    private func cancelSync(_ index: Int) async {
        guard let sync = devices[index].program?.sync else { return }
        faults.cancellations += 1
        sync.cancel()
        if random.chance(0.5) { await goOn(index, throwing: CancellationError()) }
    }

    /// Lets whatever is under way come to its end, and everyone sync until nothing moves.
    func settle() async throws {
        for device in devices { device.program?.life.end(afterSteps: nil) }
        while queue.nextTime != nil { await happen() }
        for _ in 0..<20 {
            moved = 0
            for index in devices.indices { await syncToEnd(index) }
            if moved > 0 { continue }
            // What one has given back in the last round makes the others' checkpoints whole in the next.
            if configuration.changesIdentities { for index in devices.indices { await syncToEnd(index) } }
            return
        }
        problems.append("the devices did not come to rest: \(moved) writes moved in the last of 20 rounds")
    }

    /// Everything that the run left behind, checked.
    func result() async throws -> SimulationResult {
        var trace: [TaggedWrite] = []
        var cursor: UInt64 = 0
        while true {
            let page = try await hub.pull(PullRequest(device: "trace", cursor: cursor, limit: 1000))
            trace += page.writes
            cursor = page.cursor
            if !page.hasMore { break }
        }
        let types = Set(app.keys.map(\.type)).sorted()
        let outcomes = try devices.map { device in
            let replica = device.program?.replica
            let records = try types.flatMap { try replica?.records(ofType: $0) ?? [] }
            return SimulationResult.Device(
                id: device.id, name: device.name, events: device.log.events, records: records, checkpoint: try replica?.checkpoint(),
                crashes: device.crashes,
                acknowledged: configuration.changesIdentities ? device.acknowledged.map(device.identified) : device.acknowledged,
                remembered: device.remembered)
        }
        for device in devices {
            device.program = nil
            do { try device.checkStore() } catch { problems.append("\(device.id): \(error)") }
        }
        var result = SimulationResult(
            devices: outcomes, trace: trace, faults: faults, syncs: syncs, outlived: outlived,
            duration: .milliseconds(clock.now - VirtualClock.start), problems: problems)
        result.problems += SimulationChecks(result, rules: configuration.rules).problems()
        return result
    }
}
