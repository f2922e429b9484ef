import SyncBytes
import SyncCoding
import SyncMerge
import SyncModel

/// What of a replica is to get other names.
private struct Unsent {
    /// What waits, in the outbox and set aside.
    let waiting: [StoreEntry]
    let setAside: [TaggedWrite]
    /// What gets new names, numbers rising.
    let writes: [TaggedWrite]
    /// By the numbers of those that carry running totals, the totals before them.
    let previous: [UInt64: [FieldName: TaggedWrite]]
    let renaming: Renaming
}

extension ReplicaCore {
    /// How far a look for a copy's writes goes into what is unsent.
    private static let twinLimit = 8
    /// How many names are tried for one that sorts like the present one among the writers that wrote at the same time.
    private static let nameLimit = 64

    /// Whether a write is one that is unsent here too, under the name that another copy of the store took for it: this one then goes on
    /// under that name, and what both have unsent is at the hub once.
    func isOfTwin(_ write: TaggedWrite, _ reader: any ReplicaStoreReader) throws -> Bool {
        let (name, number) = (write.dot.device, Int(clamping: write.dot.sequence))
        guard number <= Self.twinLimit, name.isLaterWriter(of: metadata.device), try !hasMerged(Dot(device: name, sequence: 1), reader)
        else {
            return false
        }
        let waiting = try reader.entries(in: .outbox, after: 0, limit: number, bytes: .max).map {
            try $0.waitingWrite()
        }
        let setAside = try reader.entries(in: .setAside, after: metadata.acknowledged, limit: number, bytes: .max).map {
            try SetAsideWrite($0).write
        }
        let first = (waiting + setAside).sorted { $0.dot.sequence < $1.dot.sequence }
        if first.isEmpty {
            return try metadata.nameGivenUp == metadata.writer && number == 1 && name == nextWriter(beginningWith: nil, reader)
        }
        guard number <= first.count, case let mine = first[number - 1], mine.timestamp == write.timestamp, mine.key == write.key else {
            return false
        }
        return try unsent(to: name, reader).renaming.renamed[number - 1].isSameWrite(as: write)
    }

    /// The name of the device's next writer: it follows from the present one and from the first unsent write, so that copies of a store
    /// that differ in it get different names; and it is none whose writes were merged.
    private func nextWriter(beginningWith first: TaggedWrite?, _ reader: any ReplicaStoreReader) throws -> DeviceID {
        var encoder = StateEncoder()
        encoder.append(metadata.writer)
        encoder.append(first)
        var hash = FNV1a()
        hash.combine(encoder.bytes.span)
        var number = UInt32(truncatingIfNeeded: hash.unmixed ^ (hash.unmixed >> 32))
        // Of two writes of one time the names decide: what they have decided is to stay, where a name can be found with which it does.
        let tied = first == nil ? [] : try UnsentFindings.tiedWriters(with: metadata.writer, reader)
        var attempts = 0
        while true {
            let name = metadata.device.writer(number)
            let keepsOrder = tied.allSatisfy { ($0 < name) == ($0 < metadata.writer) }
            if keepsOrder || attempts >= Self.nameLimit, try !hasMerged(Dot(device: name, sequence: 1), reader) { return name }
            attempts += 1
            // Comes to every number once.
            number = number &* 1_664_525 &+ 1_013_904_223
        }
    }

    private func unsent(to name: DeviceID?, _ reader: any ReplicaStoreReader) throws -> Unsent {
        let acknowledged = metadata.acknowledged
        let waiting = try reader.entries(in: .outbox, after: 0, limit: .max, bytes: .max)
        let setAside = try reader.entries(in: .setAside, after: 0, limit: .max, bytes: .max).map { try SetAsideWrite($0).write }
        // What is set aside is tried again under its new name; what later writes went past is written anew, as far as it is in effect.
        let writes =
            (try waiting.map { try $0.waitingWrite() }
            + setAside.filter { $0.dot.sequence > acknowledged }).sorted { $0.dot.sequence < $1.dot.sequence }
        var previous: [UInt64: [FieldName: TaggedWrite]] = [:]
        for write in writes where write.carriesTotals {
            previous[write.dot.sequence] = try UnsentTotals.totals(before: write.dot.sequence, reader)
        }
        let renaming = Renaming(
            try writes.map { try whole($0, reader) }, from: metadata.writer,
            to: try name ?? nextWriter(beginningWith: writes.first, reader),
            acknowledged: acknowledged, bases: Self.bases(of: writes, previous, acknowledged: acknowledged))
        return Unsent(waiting: waiting, setAside: setAside, writes: writes, previous: previous, renaming: renaming)
    }

    /// Goes on as a writer of another name, under which whatever the hub does not have is written anew.
    ///
    /// Under the old name the unsent writes would claim to have seen what the hub has under their numbers.
    ///
    /// - Parameters:
    ///   - name: The name; nil for one that follows from what is unsent.
    ///   - cause: Why, as a part of a sentence.
    func becomeNewWriter(named name: DeviceID? = nil, because cause: String, _ writer: any ReplicaStoreWriter) throws {
        let (old, acknowledged) = (metadata.writer, metadata.acknowledged)
        let unsent = try unsent(to: name, writer)
        let renaming = unsent.renaming
        for number in unsent.previous.keys { try UnsentTotals.remove(number, writer) }

        var keys: Set<RecordKey> = []
        for write in unsent.writes where keys.insert(write.key).inserted { try rename(write.key, renaming, writer) }
        let findings = try UnsentFindings.drain(writer)
        for entry in unsent.waiting { try writer.removeEntry(entry.number, from: .outbox) }
        for write in unsent.setAside { try writer.removeEntry(write.dot.sequence, from: .setAside) }
        try AheadWrites.removeAll(writer)
        try startWriter(renaming.new, after: old, writes: renaming.renamed.count, writer)

        let change = WriterChange(old: old, new: renaming.new, numbers: renaming.numbers, cause: cause)
        log(.writerChanged(change, at: configuration.wall))
        for (before, write) in zip(unsent.writes, renaming.renamed) {
            try enqueue(write.encoded, write.dot, writer)
            try UnsentTotals.keep(
                (unsent.previous[before.dot.sequence] ?? [:]).filter { $0.value.dot.sequence > acknowledged }.mapValues(renaming.write),
                before: write.dot.sequence, writer)
            if configuration.reportsWrites { log(.write(write)) }
        }
        updateMetadata { $0.isCatchingUp = true }
        try renameFindings(findings, about: keys, renaming, writer)
        for write in unsent.setAside where write.dot.sequence <= acknowledged { try writeAnew(write, writer) }
    }

    /// Sends what is still in effect of a write that the hub does not take under its name, as a new write.
    ///
    /// - Returns: The new write's name, nil where nothing was left to send.
    @discardableResult
    func writeAnew(_ write: TaggedWrite, _ writer: any ReplicaStoreWriter) throws -> Dot? {
        try ForgottenRemovals.remove(write, writer)
        guard let operation = try record(write.key, writer)?.state.remainder(of: write, rules: rules) else { return nil }
        return try self.write(operation, to: write.key, writer)
    }

    /// For each write and field, the last total that the hub has of those before it.
    private static func bases(
        of unsent: [TaggedWrite], _ previous: [UInt64: [FieldName: TaggedWrite]], acknowledged: UInt64
    ) -> [UInt64: [FieldName: TaggedWrite]] {
        var bases: [UInt64: [FieldName: TaggedWrite]] = [:]
        for write in unsent {
            for (field, before) in previous[write.dot.sequence] ?? [:] {
                let base = before.dot.sequence <= acknowledged ? before : bases[before.dot.sequence]?[field]
                bases[write.dot.sequence, default: [:]][field] = base
            }
        }
        return bases
    }
}
