import ConflictAudit
import SyncMerge
import SyncModel

/// What must hold where devices or the hub are no longer who they were.
extension SimulationChecks {
    /// Names that were given to several writes: to one in a state that was thrown away, or to one that got another name.
    func repeatedNames() -> Set<Dot> {
        guard result.faults.haveChangedIdentities else { return [] }
        var timestamps: [Dot: HybridTimestamp] = [:]
        var repeated: Set<Dot> = []
        for event in result.devices.lazy.flatMap(\.events) {
            guard case .write(let write) = event.content, let other = timestamps.updateValue(write.timestamp, forKey: write.dot),
                other != write.timestamp
            else { continue }
            repeated.insert(write.dot)
        }
        return repeated
    }

    /// The hub has no write under two names, unless a person did the same twice.
    func repeatedWrites() -> [String] {
        // Of what is committed when a program ends at once nobody is told.
        guard result.faults.haveChangedIdentities, result.faults.crashes == result.faults.endsBeforeRestores else { return [] }
        var made: [WriteIdentity: Int] = [:]
        let acknowledged = result.devices.flatMap(\.acknowledged) + result.outlived
        for identity in acknowledged.compactMap(\.identity) { made[identity, default: 0] += 1 }
        var problems: [String] = []
        for (identity, writes) in Dictionary(grouping: result.trace, by: WriteIdentity.init)
        where writes.count > max(1, made[identity] ?? 1) {
            let names = writes.map(\.dot.description).joined(separator: ", ")
            problems.append("the hub has one write under the names \(names)")
        }
        return problems.sorted()
    }

    /// Every write has reached every device, and its log, as it was made, under the last name that it got.
    func logsUnderLastNames() -> [String] {
        var problems: [String] = []
        for (device, lineage) in zip(result.devices, lineages) {
            for write in lineage.writes {
                guard let known = byDot[write.dot] else {
                    problems.append("\(device.name) has logged \(write.dot), and the hub does not have it")
                    continue
                }
                let receipt = TaggedWrite.Receipt(milliseconds: 0)
                if known.received(receipt).carrying(write.carried) != write.received(receipt) {
                    problems.append("\(device.name) has logged \(write.dot) otherwise than the hub has it")
                }
            }
            let runs = runs(of: device)
            // What was written over reaches nobody who comes to a hub that has forgotten it.
            let allowed = (result.faults.haveEmptiedHub ? 0 : 1)...runs
            for write in result.trace where !allowed.contains(lineage.counts[write.dot] ?? 0) {
                problems.append("\(device.name) has logged \(write.dot) \(lineage.counts[write.dot] ?? 0) times in \(runs) runs")
            }
        }
        return problems
    }

    /// What a device's app was told is safe is there under whatever name, and what became of it is on record.
    func acknowledgementsUnderAnyName(_ losers: Set<Loss>) -> [String] {
        var names: [WriteIdentity: [TaggedWrite]] = [:]
        for write in byDot.values { names[WriteIdentity(write), default: []].append(write) }
        var problems: [String] = []
        for acknowledged in result.devices.flatMap(\.acknowledged) + result.outlived {
            // The log does not tell where the program ended at once and the store was put back.
            guard let identity = acknowledged.identity else { continue }
            guard let writes = names[identity], result.faults.haveEmptiedHub || writes.contains(where: { atHub.contains($0.dot) }) else {
                problems.append("\(acknowledged.dot) to \(acknowledged.key) is lost")
                continue
            }
            if let write = writes.first, !writes.contains(where: { acknowledged.operation.isMade(by: $0) }) {
                problems.append("\(write.dot) is not what the app wrote as \(acknowledged.dot): \(acknowledged.operation)")
            }
            let vanished = writes.map { unaccounted($0, losers) }
            guard !vanished.contains(where: \.isEmpty) else { continue }
            for field in vanished[0] {
                problems.append(
                    "\(acknowledged.dot) to \(acknowledged.key)\(field.map { ".\($0)" } ?? ""), now "
                        + writes.map(\.dot.description).joined(separator: ", ") + ", has vanished without a trace")
            }
        }
        return problems
    }
}
