import ConflictAudit
import SyncBytes
import SyncLayer
package import SyncMerge
import SyncModel

/// What must hold at the end of every run, checked from what was promised, without a line of the code that merges.
package struct SimulationChecks {
    let result: SimulationResult
    let rules: MergeRules
    /// What led to each device's store as it is.
    let lineages: [Lineage]
    /// The writes to each record, in the hub's order; then those that a hub which was put back has no more.
    let writes: [RecordKey: [TaggedWrite]]
    /// Those writes by their names.
    let byDot: [Dot: TaggedWrite]
    /// The names of those that the hub has.
    let atHub: Set<Dot>
    /// The records at the end.
    let records: [RecordKey: FieldMap]

    package init(_ result: SimulationResult, rules: MergeRules) {
        self.result = result
        self.rules = rules
        lineages = result.devices.map(\.lineage)
        atHub = Set(result.trace.lazy.map(\.dot))
        var byDot = Dictionary(result.trace.map { ($0.dot, $0) }) { first, _ in first }
        var all = result.trace
        if result.faults.haveEmptiedHub {
            for write in lineages.lazy.flatMap(\.writes) where byDot[write.dot] == nil {
                byDot[write.dot] = write
                all.append(write)
            }
        }
        writes = Dictionary(grouping: all, by: \.key)
        self.byDot = byDot
        var records: [RecordKey: FieldMap] = [:]
        for record in result.devices.first?.records ?? [] { records[record.key] = record.fields }
        self.records = records
    }

    /// Sentences on whatever does not hold.
    package func problems() -> [String] {
        convergence() + checkpoints() + trace() + repeatedWrites() + logs() + conflicts() + acknowledgements() + tallies()
    }

    // MARK: State

    private func convergence() -> [String] {
        guard let first = result.devices.first else { return [] }
        var problems: [String] = []
        for device in result.devices {
            guard let checkpoint = device.checkpoint else {
                problems.append("\(device.name) gives no checkpoint at the end")
                continue
            }
            if checkpoint.records != device.records.count {
                problems.append("\(device.name) counts \(checkpoint.records) records and has \(device.records.count)")
            }
            if checkpoint.digest != first.checkpoint?.digest { problems.append("\(device.name) and \(first.name) differ in their digests") }
            // What was written over is not given back to a hub that has forgotten it: who comes later does not see it.
            if checkpoint.seen != first.checkpoint?.seen, !result.faults.haveEmptiedHub {
                problems.append("\(device.name) has not seen what \(first.name) has")
            }
            for record in Set(device.records).symmetricDifference(first.records).ordered(by: { $0.key < $1.key }) {
                problems.append("\(device.name) and \(first.name) differ in \(record.key): \(record.fields)")
            }
        }
        return problems
    }

    /// Equal writes seen mean equal digests, whenever and on whatever device.
    private func checkpoints() -> [String] {
        if orders > 1 { return [] }
        var known: [VersionVector: (checkpoint: Checkpoint, device: DeviceID)] = [:]
        var problems: [String] = []
        let repeated = repeatedNames()
        for device in result.devices {
            for case .checkpoint(let checkpoint) in device.events.lazy.map(\.content) {
                if repeated.contains(where: checkpoint.seen.covers) { continue }
                if let other = known[checkpoint.seen], other.checkpoint != checkpoint {
                    problems.append(
                        "\(device.id) and \(other.device) had seen the same and differed: \(checkpoint.digest), \(other.checkpoint.digest)")
                }
                known[checkpoint.seen] = (checkpoint, device.id)
            }
        }
        return problems
    }

    // MARK: Writes

    /// The hub has each write once, in the order of its device.
    private func trace() -> [String] {
        var latest: [DeviceID: UInt64] = [:]
        var problems: [String] = []
        for (index, write) in result.trace.enumerated() {
            if write.dot.sequence != latest[write.dot.device, default: 0] + 1, !result.faults.haveChangedIdentities {
                problems.append("the hub has \(write.dot) after \(latest[write.dot.device, default: 0])")
            }
            latest[write.dot.device] = write.dot.sequence
            if write.receipt?.hubSequence != UInt64(index + 1) { problems.append("the hub's write \(index + 1) is numbered otherwise") }
            if write.fields?.contains(where: { SimulatedApp.isTakenBack($0.value) }) == true {
                problems.append("\(write.dot) was taken back and is there")
            }
        }
        return problems
    }

    /// Every write has reached every device, and its log, as it was made; more than once only where the program ended in between.
    private func logs() -> [String] {
        if result.faults.haveChangedIdentities { return logsUnderLastNames() }
        var problems: [String] = []
        for device in result.devices {
            var counts: [Dot: Int] = [:]
            for case .write(let write) in device.events.lazy.map(\.content) {
                counts[write.dot, default: 0] += 1
                guard let known = byDot[write.dot], let receipt = known.receipt, write.received(receipt) == known,
                    write.receipt == nil || write.receipt == receipt
                else {
                    problems.append("\(device.id) has logged \(write.dot) otherwise than the hub has it")
                    continue
                }
            }
            for write in result.trace where !(1...1 + device.crashes).contains(counts[write.dot] ?? 0) {
                problems.append("\(device.id) has logged \(write.dot) \(counts[write.dot] ?? 0) times in \(runs(of: device)) runs")
            }
        }
        return problems
    }

    // MARK: Conflicts

    private func conflicts() -> [String] {
        var problems: [String] = []
        var winners: [ConflictID: (winner: Dot, device: DeviceID)] = [:]
        for (device, lineage) in zip(result.devices, lineages) {
            var counts: [ConflictID: Int] = [:]
            for conflict in lineage.conflicts where conflict.resolution != .manualResolved {
                counts[conflict.id, default: 0] += 1
                if let other = winners[conflict.id], other.winner != conflict.winner.dot,
                    isDecidedByPairs(conflict.key.type, conflict.field)
                {
                    problems.append(
                        "\(device.id) names \(conflict.winner.dot) the winner of \(conflict.id), and \(other.device) names \(other.winner)")
                }
                winners[conflict.id] = (conflict.winner.dot, device.id)
                if saw(conflict.winner.dot, conflict.loser.dot) || saw(conflict.loser.dot, conflict.winner.dot) {
                    problems.append(
                        "\(device.id) calls \(conflict.winner.dot) and \(conflict.loser.dot) a conflict, and one had seen the other")
                }
            }
            for (id, count) in counts where count > runs(of: device) + orders - 1 {
                problems.append("\(device.id) has logged the conflict \(id) \(count) times in \(runs(of: device)) runs")
            }
        }
        return problems
    }

    /// Whether who wins between two writes does not depend on what else is there.
    private func isDecidedByPairs(_ type: RecordType, _ field: FieldName?) -> Bool {
        switch rules.policy(for: type, field: field) {
        case .lastWriterWins, .counter, .set, .manual: true
        case .lastArrivalWins: orders == 1 && rules.deletes != .lastWriterWins
        case .firstWriterWins, .maximum, .minimum, .preferDevices: rules.deletes != .lastWriterWins
        case .custom: false
        }
    }

    /// How many orders of the hub have decided: one for each time that the hub was put back or replaced, and one before.
    private var orders: Int {
        KeptRules(rules).decidesByArrival ? 1 + result.faults.hubRestores + result.faults.hubReplacements : 1
    }

    /// How many runs of programs a device has had, or several that share their past have.
    func runs(of device: SimulationResult.Device) -> Int {
        result.devices.lazy.filter { $0.id == device.id }.map { $0.crashes + 1 }.reduce(0, +)
    }

    private func saw(_ one: Dot, _ other: Dot) -> Bool {
        guard one.device != other.device else { return one.sequence > other.sequence }
        return byDot[one]?.seen?.covers(other) ?? false
    }
}
