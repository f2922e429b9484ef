import ConflictAudit
import SyncMerge
import SyncModel

/// The unsent writes of a replica were given other names.
struct WriterChange: Hashable, Sendable {
    let old: DeviceID
    let new: DeviceID
    /// The old numbers, rising; the new ones are counted from 1.
    let numbers: [UInt64]
    /// Why, as a part of a sentence.
    let cause: String

    /// A sentence without its full stop.
    var description: String {
        let writes =
            numbers.isEmpty
            ? "no write waited" : "the unsent writes \(ranges) of \(old) are now \(span(1, UInt64(numbers.count))) of \(new)"
        return "\(cause): this store goes on as the writer \(new), and \(writes)"
    }

    private var ranges: String {
        var ranges: [ClosedRange<UInt64>] = []
        for number in numbers {
            if let last = ranges.last, last.upperBound + 1 == number {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
        return ranges.map { span($0.lowerBound, $0.upperBound) }.joined(separator: ", ")
    }

    private func span(_ first: UInt64, _ last: UInt64) -> String { first == last ? "\(first)" : "\(first) to \(last)" }
}

extension ReplicaCore {
    /// Judges a write of the hub's that carries this replica's own name.
    ///
    /// One that waits here is known to be there. One whose number was never given here is merged, and the numbers go on from it: the store
    /// was emptied or put back and nothing was written since. One whose number was given here to another write shows that the store was put
    /// back or copied, and that both went on: this replica then becomes a writer of its own.
    ///
    /// - Returns: Whether the write is to be merged.
    func receiveOwn(_ write: TaggedWrite, _ writer: any ReplicaStoreWriter) throws -> Bool {
        let number = write.dot.sequence
        if number <= metadata.acknowledged { return false }
        if let entry = try writer.entry(number, in: .outbox), try entry.waitingWrite().isSameWrite(as: write) {
            try receiveWaiting(write, entry, writer)
            return false
        }
        if number > metadata.sequence, metadata.outboxWrites == 0 {
            updateMetadata { $0.sequence = number }
            try acknowledge(number, writer)
            return true
        }
        try becomeNewWriter(because: "the store was put back from a backup or copied: the hub has another write \(write.dot)", writer)
        return true
    }

    /// Judges a write that carries this replica's own name and that the hub has let go of, as ``receiveOwn(_:_:)`` judges others.
    func receiveOwn(_ compacted: OwnCompactedWrite, _ writer: any ReplicaStoreWriter) throws {
        let number = compacted.dot.sequence
        guard compacted.dot.device == metadata.writer, number > metadata.acknowledged, compacted.receipt.hubSequence ?? 0 > metadata.cursor
        else { return }
        if let entry = try writer.entry(number, in: .outbox) {
            let write = try entry.waitingWrite()
            if write.fingerprint == compacted.fingerprint {
                return try receiveWaiting(write.received(compacted.receipt), entry, writer)
            }
        } else if number > metadata.sequence, metadata.outboxWrites == 0 {
            updateMetadata { ($0.sequence, $0.ownSeen) = (number, max($0.ownSeen, number)) }
            return try acknowledge(number, writer)
        }
        try becomeNewWriter(
            because: "the store was put back from a backup or copied: the hub had another write \(compacted.dot)", writer)
    }

    /// Takes a waiting write for accepted.
    private func receiveWaiting(_ write: TaggedWrite, _ entry: StoreEntry, _ writer: any ReplicaStoreWriter) throws {
        try removeFromOutbox(entry, isAccepted: true, writer)
        try AheadWrites.insert([write], tolerance: configuration.auditRules.clockToleranceMilliseconds, writer)
        try acknowledge(write.dot.sequence, writer)
    }

    /// Takes writes of others that the hub has let go of for merged: what they did is in the writes that it has kept.
    func passOver(_ compacted: VersionVector) {
        for entry in compacted.entries where entry.device != metadata.writer {
            seen.insert(Dot(device: entry.device, sequence: entry.sequence))
        }
    }

    /// Removes an entry from the outbox.
    func removeFromOutbox(_ entry: StoreEntry, isAccepted: Bool, _ writer: any ReplicaStoreWriter) throws {
        try writer.removeEntry(entry.number, from: .outbox)
        updateMetadata {
            $0.outboxWrites -= 1
            $0.outboxBytes -= entry.content.count
        }
        if isAccepted { try UnsentTotals.remove(entry.number, writer) }
    }

    /// Records that the hub has the own writes up to a number.
    func acknowledge(_ number: UInt64, _ writer: any ReplicaStoreWriter) throws {
        guard number > metadata.acknowledged else { return }
        let removed = metadata.unsentFindings == 0 ? 0 : try UnsentFindings.remove(upTo: number, writer)
        updateMetadata {
            $0.acknowledged = number
            $0.unsentFindings -= removed
        }
    }

    /// Keeps a finding about an unsent write.
    func keepIfUnsent(_ finding: Finding, _ writer: any ReplicaStoreWriter) throws {
        let dots = [finding.winner.dot, finding.loser.dot].filter { $0.device == metadata.writer && $0.sequence > metadata.acknowledged }
        guard let number = dots.map(\.sequence).max() else { return }
        try UnsentFindings.keep(finding, number: number, writer)
        updateMetadata { $0.unsentFindings += 1 }
    }

    /// Keeps the running totals that a write to be made goes on from.
    func keepTotals(before write: TaggedWrite, _ state: RecordState, _ writer: any ReplicaStoreWriter) throws {
        guard let fields = write.fields else { return }
        var totals: [FieldName: TaggedWrite] = [:]
        for field in fields where CounterWrite(field.value) != nil {
            totals[field.name] = state.latestTotal(of: field.name, by: metadata.writer)
        }
        try UnsentTotals.keep(totals, before: write.dot.sequence, writer)
    }

    /// Records that everything was fetched that the hub has.
    ///
    /// A put under a record-level policy shows what its writer had seen. Where others were not waited for this replica, they may have
    /// forgotten part of that; such a put then goes out as a new write that carries every field. Not while the hub may have some of what
    /// waits, for it would have that twice.
    func haveCaughtUp(_ writer: any ReplicaStoreWriter) throws {
        guard metadata.isCatchingUp else { return }
        let waiting = try writer.entries(in: .outbox, after: 0, limit: .max, bytes: .max)
        for entry in (waiting.first?.number ?? 0) > metadata.sent ? waiting : [] {
            let write = try entry.waitingWrite()
            guard case .record = rules.scope(for: write.key.type), let record = try record(write.key, writer),
                record.merged.entries.contains(where: { $0.device != metadata.writer && write.seen?[$0.device] ?? 0 < $0.sequence }),
                try whole(write, writer).carried != write.carried
            else { continue }
            try becomeNewWriter(because: "other devices may have forgotten part of what the write \(write.dot) had seen", writer)
            break
        }
        let isAllThere = !metadata.isPartial && !metadata.mustGiveBack
        updateMetadata { $0.isCatchingUp = $0.predecessor != nil || !isAllThere }
    }

    /// A put under a record-level policy that carries every field that its writer knew of, where the hub had some of them; any other write
    /// as it is.
    func whole(_ write: TaggedWrite, _ reader: any ReplicaStoreReader) throws -> TaggedWrite {
        guard case .record = rules.scope(for: write.key.type), !write.isDelete,
            let seen = write.seen, seen.entries.contains(where: { $0.device != metadata.writer || metadata.acknowledged > 0 }),
            let state = try record(write.key, reader)?.state
        else { return write }
        return state.whole(write, rules: rules)
    }
}

extension TaggedWrite {
    /// Whether both are one write, whatever the hub has said of either and whatever they carry.
    func isSameWrite(as other: TaggedWrite) -> Bool {
        dot == other.dot && timestamp == other.timestamp && key == other.key && operation == other.operation && seen == other.seen
    }

    /// Whether a field carries a running total.
    var carriesTotals: Bool { fields?.containsValue { CounterWrite($0) != nil } ?? false }
}

extension Finding {
    /// Whether one of the two writes has another name now.
    func isConcerned(by renaming: Renaming) -> Bool {
        renaming.write(winner).dot != winner.dot || renaming.write(loser).dot != loser.dot
    }

    /// The finding under the writes' new names.
    func renamed(_ renaming: Renaming) -> Finding {
        switch self {
        case .decision(let decision): .decision(decision.renamed(renaming))
        case .constraint(let finding):
            .constraint(
                ConstraintFinding(
                    kind: finding.kind, field: finding.field, winner: renaming.write(finding.winner), loser: renaming.write(finding.loser)))
        }
    }
}
