import ConflictAudit
import SyncLayer
import SyncModel

/// Stores that are put back and copied, hubs that are put back and replaced, and devices that are forgotten.
extension Simulation {
    /// How many copies of stores live on at most.
    private static let maximumCopies = 3

    /// Lets happen by which a device or the hub is no longer who it was.
    func changeIdentities() async {
        if random.chance(0.15) { random.pick(devices).backUp() }
        if configuration.hubRestores > 0, random.chance(0.1), let hub = memoryHub { hubBackups.append(hub.backup()) }
        if random.chance(0.05) { await meet() }
        if configuration.storeRestores > 0, random.chance(configuration.storeRestores) { await restoreStore() }
        if configuration.storeCopies > 0, random.chance(configuration.storeCopies) { await copyStore() }
        if configuration.hubRestores > 0, random.chance(configuration.hubRestores) { await restoreHub() }
        if configuration.hubReplacements > 0, random.chance(configuration.hubReplacements) { await replaceHub() }
        if configuration.forgottenDevices > 0, random.chance(configuration.forgottenDevices) { await forgetDevice() }
    }

    /// Lets every device sync until all know that all have seen everything, so that deletes are collected.
    private func meet() async {
        isCalm = true
        for device in devices { device.program?.life.end(afterSteps: nil) }
        while queue.nextTime != nil { await happen() }
        // Each has to report, to hear what the others have reported, and to act on it.
        for _ in 0..<3 { for index in devices.indices { await syncToEnd(index) } }
        isCalm = false
    }

    private func restoreStore() async {
        let index = random.below(devices.count)
        let device = devices[index]
        if device.backups.isEmpty { return }
        let backup = random.pick(device.backups)
        if let life = device.program?.life {
            life.end()
            faults.endsBeforeRestores += 1
            await buryIfOver(index)
        }
        outlived += device.restore(backup)
        faults.storeRestores += 1
        dropWhatNobodyHas()
    }

    private func copyStore() async {
        guard faults.storeCopies < Self.maximumCopies else { return }
        faults.storeCopies += 1
        let skew = configuration.skewMilliseconds
        devices.append(
            SimulatedDevice(
                copyOf: random.pick(devices), number: faults.storeCopies, clockOffset: random.within(-skew...skew), seed: random.next()))
        await restart(devices.count - 1)
    }

    private func restoreHub() async {
        guard let hub = memoryHub, !hubBackups.isEmpty else { return }
        await letMessagesArrive()
        hub.restore(random.pick(hubBackups))
        faults.hubRestores += 1
        dropWhatNobodyHas()
    }

    private func replaceHub() async {
        guard let hub = memoryHub else { return }
        await letMessagesArrive()
        hub.restore(InMemoryHub().backup())
        faults.hubReplacements += 1
        dropWhatNobodyHas()
    }

    /// Lets all syncs that are under way come to an end, good or bad, unless the hub is to change amid them.
    private func letMessagesArrive() async {
        if configuration.changesHubAmidSyncs { return }
        while queue.nextTime != nil { await happen() }
    }

    /// What a state that was thrown away held and neither the hub nor a device has was lost by whoever threw it away.
    private func dropWhatNobodyHas() {
        if outlived.isEmpty { return }
        var known = Dictionary(grouping: memoryHub?.writes ?? [], by: WriteIdentity.init)
        for device in devices {
            for event in device.lineage.lazy.flatMap(\.events) {
                if case .write(let write) = event.content { known[WriteIdentity(write), default: []].append(write) }
            }
        }
        let kept = Set(devices.flatMap { device in device.acknowledged.compactMap { device.identified($0).identity } })
        outlived.removeAll { acknowledged in
            guard let identity = acknowledged.identity, let writes = known[identity] else { return true }
            // A clock that stands still gives the time of a write that is gone to another one.
            return kept.contains(identity) && !writes.contains { acknowledged.operation.isMade(by: $0) }
        }
    }

    // MARK: Forgotten devices

    private func forgetDevice() async {
        guard let replica = random.pick(devices).program?.replica, let writer = try? replica.writer else { return }
        faults.forgottenDevices += 1
        try? await hub.forget(writer)
    }

    /// Does what an app does whose device the hub has forgotten; now and then it takes its time.
    func comeBack(_ index: Int, after error: any Error) {
        guard (error as? SyncLayerError)?.code == .deviceForgotten, let program = devices[index].program else { return }
        if !isCalm, random.chance(0.3) { return }
        do {
            try program.replica.rejoin()
        } catch {
            if !program.life.isOver { problems.append("\(devices[index].name) could not come back: \(error)") }
        }
    }

    /// Whether the last sync of a device said so.
    func hasBeenForgotten(_ index: Int) -> Bool {
        guard case .failure(let error as SyncLayerError) = devices[index].lastSync else { return false }
        return error.code == .deviceForgotten
    }
}
