public import ConflictAudit
import SyncBytes
import SyncCoding
import SyncMerge
public import SyncModel

extension Replica {
    /// The number and size of the writes that wait to be sent.
    public func outboxStatus() throws -> OutboxStatus {
        try store.read { reader in
            try currentMetadata(reader).outboxStatus(warningBytes: configuration.outboxLimits.queuedBytesWarning, reader)
        }
    }

    /// The writes that were too large or that the hub refused, oldest first.
    ///
    /// They are in effect here and nowhere else: until each is issued again or replaced, this replica differs from the others and gives no
    /// checkpoints.
    public func setAsideWrites() throws -> [SetAsideWrite] {
        try store.read { try $0.entries(in: .setAside, after: 0, limit: .max, bytes: .max) }.map { try SetAsideWrite($0) }
    }

    /// The writes that wait to be sent, oldest first; see also ``setAsideWrites()``.
    package func unsentWrites() throws -> [TaggedWrite] {
        try store.read { try $0.entries(in: .outbox, after: 0, limit: .max, bytes: .max) }
            .map { try $0.waitingWrite() }
    }

    /// Lets the next sync go on under a new name, with all that waits and all that was set aside: for a device that its hub was told to
    /// forget.
    ///
    /// Nothing changes before that sync; it first learns from the hub which of the writes had come through. ``writer`` then says the new
    /// name. Where that is one that another copy of the store has taken, and the hub was told to forget it too, the sync says so again, and
    /// so is this called again.
    public func rejoin() throws {
        try transact { core, _ in core.updateMetadata { $0.nameGivenUp = $0.writer } }
    }

    /// Adopts the new name.
    func finishRejoining() throws {
        try transact { core, writer in
            guard let name = core.metadata.nameGivenUp else { return }
            // What was fetched may have brought a new one.
            if name == core.metadata.writer {
                try core.becomeNewWriter(because: "the hub takes nothing more under the name \(name)", writer)
            }
            core.updateMetadata {
                $0.nameGivenUp = nil
                // Under the old name something may have been left out of what was fetched.
                $0.cursor = 0
                $0.position?.fingerprint = 0
            }
        }
    }

    /// Writes anew what waits under numbers that the hub has gone past, as far as it is in effect.
    ///
    /// The hub had those writes and has forgotten them, while whoever gave the later ones back had no need of them any more; or it refused
    /// them, and its answer was lost. Under their numbers it takes nothing more.
    func reissuePassedOver() throws {
        func passedOver(_ acknowledged: UInt64, _ reader: any ReplicaStoreReader) throws -> [StoreEntry] {
            let first = try reader.entries(in: .outbox, after: 0, limit: 1, bytes: .max).first
            guard let first, first.number <= acknowledged else { return [] }
            return try reader.entries(in: .outbox, after: 0, limit: .max, bytes: .max).filter { $0.number <= acknowledged }
        }
        if try store.read({ try passedOver(currentMetadata($0).acknowledged, $0).isEmpty }) { return }
        try transact { core, writer in
            for entry in try passedOver(core.metadata.acknowledged, writer) {
                let write = try entry.waitingWrite()
                try core.removeFromOutbox(entry, isAccepted: true, writer)
                try core.writeAnew(write, writer)
            }
        }
    }

    /// Records that the hub was told of the name before this one.
    func forgetPredecessor(_ predecessor: DeviceID) throws {
        try transact { core, _ in
            core.updateMetadata { if $0.predecessor == predecessor { $0.predecessor = nil } }
        }
    }

    /// Sends what is still in effect of a write that was set aside, as a new write that has seen all that was merged since; the old one is
    /// dropped.
    ///
    /// For a write that the hub refused or that was too large for it, once the app has seen to the reason: ``setAsideWrites()`` lists them.
    /// A write that waits in the outbox is sent by itself.
    ///
    /// Where the app has replaced the values in the meantime there is nothing left to send, and nothing is written.
    ///
    /// - Returns: The new write's name, nil where there was nothing left to send.
    /// - Throws: ``SyncLayerError`` where no write of that name is set aside.
    @discardableResult
    public func reissue(_ dot: Dot) throws -> Dot? {
        try transact { core, writer in
            guard dot.device == core.metadata.writer, let entry = try writer.entry(dot.sequence, in: .setAside) else {
                throw SyncLayerError(.notFound, "no write \(dot) is set aside: setAsideWrites() names those that are")
            }
            let write = try SetAsideWrite(entry).write
            try writer.removeEntry(entry.number, from: .setAside)
            core.updateMetadata { $0.setAsideWrites -= 1 }
            return try core.writeAnew(write, writer)
        }
    }

    func currentMetadata() throws -> ReplicaMetadata {
        try store.read { try currentMetadata($0) }
    }

    func currentMetadata(_ reader: any ReplicaStoreReader) throws -> ReplicaMetadata {
        guard let content = try reader.metadata() else { return ReplicaMetadata(device: device) }
        return try ReplicaMetadata(content)
    }

    /// The writes to send next, oldest first.
    ///
    /// Those that are too large are set aside on the way.
    func nextBatch(atMost limit: Int) throws -> (writes: [TaggedWrite], bytes: Int, setAside: [SetAsideWrite]) {
        let limits = configuration.outboxLimits
        var setAside: [SetAsideWrite] = []
        while true {
            let entries = try store.read {
                try $0.entries(in: .outbox, after: 0, limit: min(limit, limits.writesPerBatch), bytes: limits.bytesPerBatch)
            }
            var writes: [TaggedWrite] = []
            var poison: [SetAsideWrite] = []
            for entry in entries {
                let write = try entry.waitingWrite()
                if let problem = limits.problem(with: write, bytes: entry.content.count) {
                    poison.append(SetAsideWrite(write: write, reason: problem))
                } else {
                    writes.append(write)
                }
            }
            if poison.isEmpty { return (writes, entries.reduce(0) { $0 + $1.content.count }, setAside) }
            try removeFromOutbox(poison.map(\.write), settingAside: poison)
            setAside += poison
        }
    }

    /// Removes writes that the hub has answered from the outbox, once, however many processes were told.
    ///
    /// - Parameter writes: Numbers rising; those that the hub has accepted with their receipts.
    func removeFromOutbox(_ writes: [TaggedWrite], settingAside refused: [SetAsideWrite]) throws {
        guard let first = writes.first, let last = writes.last else { return }
        let answered = Set(writes.map(\.dot.sequence))
        let refusedNumbers = Set(refused.map(\.write.dot.sequence))
        try transact { core, writer in
            guard first.dot.device == core.metadata.writer else { return }
            let span = Int(clamping: last.dot.sequence - first.dot.sequence + 1)
            let waiting = try writer.entries(in: .outbox, after: first.dot.sequence - 1, limit: span, bytes: .max)
            var present: Set<UInt64> = []
            for entry in waiting where answered.contains(entry.number) {
                present.insert(entry.number)
                try core.removeFromOutbox(entry, isAccepted: !refusedNumbers.contains(entry.number), writer)
            }
            let accepted = writes.filter { present.contains($0.dot.sequence) }
            try AheadWrites.insert(accepted, tolerance: configuration.auditRules.clockToleranceMilliseconds, writer)
            if let latest = answered.subtracting(refusedNumbers).max() { try core.acknowledge(latest, writer) }
            for item in refused where present.contains(item.write.dot.sequence) {
                try writer.setEntry(item.entry, in: .setAside)
                core.updateMetadata { $0.setAsideWrites += 1 }
            }
        }
    }
}

extension SetAsideWrite {
    /// The write as the store keeps it.
    fileprivate var entry: StoreEntry {
        var encoder = StateEncoder()
        encoder.append(reason)
        encoder.append(write)
        return StoreEntry(number: write.dot.sequence, content: encoder.bytes)
    }

    init(_ entry: StoreEntry) throws(SyncLayerError) {
        (reason, write) = try decoding("a write that is set aside", entry.content) { decoder throws(CodingFailure) in
            (try decoder.text(), try decoder.write())
        }
    }
}

extension RecordState {
    /// The part of a write of this device that is still in effect, as a write that could replace it; nil where none is.
    func remainder(of write: TaggedWrite, rules: MergeRules) -> TaggedWrite.Operation? {
        func isInEffect(_ field: FieldName?) -> Bool { maximalWrites(of: field, rules: rules).contains { $0.dot == write.dot } }
        guard let fields = write.fields else { return isInEffect(nil) && shown(rules: rules) == nil ? .delete : nil }
        guard case .fields = rules.scope(for: key.type) else { return isInEffect(nil) ? write.operation : nil }
        let shown = shown(rules: rules)
        var rest = FieldMap()
        for field in fields {
            // A later change to a set does not stand in for an earlier one, as a later value or running total does.
            if case .set = rules.policy(for: key.type, field: field.name), let change = SetWrite(field.value) {
                let members = Set(shown?[field.name]?.array ?? [])
                let left = SetWrite(added: change.added.filter(members.contains), removed: change.removed.filter { !members.contains($0) })
                if !left.added.isEmpty || !left.removed.isEmpty { rest[field.name] = left.value }
            } else if isInEffect(field.name) {
                rest[field.name] = field.value
            }
        }
        return rest.isEmpty && !fields.isEmpty ? nil : .put(rest)
    }
}

extension ReplicaMetadata {
    /// What waits, as a sink is told.
    func outboxStatus(warningBytes: Int, _ reader: any ReplicaStoreReader) throws -> OutboxStatus {
        let first = try reader.entries(in: .outbox, after: 0, limit: 1, bytes: .max).first
        // A damaged entry is the sync's to report: it must not keep the app from writing.
        let oldest = first.flatMap { try? $0.waitingWrite().timestamp.milliseconds }
        return OutboxStatus(
            writes: outboxWrites, bytes: outboxBytes, setAside: setAsideWrites, warningBytes: warningBytes,
            oldest: oldest.map(WallTime.init(millisecondsSince1970:)))
    }
}
