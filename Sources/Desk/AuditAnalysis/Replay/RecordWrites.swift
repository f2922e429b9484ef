import SyncBytes
import SyncMerge
import SyncModel

/// The writes to one record, so far as what a later writer had seen may follow from them.
struct RecordWrites {
    /// A write to one field, or a delete; a class, since copies of many are sorted for every write.
    final class Entry: Sendable {
        /// As it was recorded, without its other fields.
        let write: TaggedWrite
        let change: PlainValueReading.Change?
        /// Whether its writer had seen all that the writes had seen that it had seen itself, as replicas have: whoever looks at it need not
        /// look at them.
        let isClosed: Bool

        init(write: TaggedWrite, change: PlainValueReading.Change?, isClosed: Bool) {
            self.write = write
            self.change = change
            self.isClosed = isClosed
        }
    }

    /// The fields in which something else than a number or a list was written before their history began, so that it is not known whole.
    var unreadable: Set<FieldName> = []
    private var deletes = WritesByDevice()
    private var fields: [FieldName: Field] = [:]
    /// All that came so far, and all that they had seen.
    private var mentioned = VersionVector()
    /// Whether every write came after those that it had seen.
    private var isInOrder = true

    private struct Field {
        var all = WritesByDevice()
        /// Those that set the value under `counter` instead of adding to it.
        var resets = WritesByDevice()
    }

    /// The write of this name to a field, where it is known.
    func entry(named dot: Dot, in field: FieldName) -> Entry? { fields[field]?.all[dot] }

    /// Those of the writes that a writer had seen from which all that it had seen of a field follows.
    ///
    /// - Complexity: O(*d* log *w*) for *d* devices and *w* writes of one of them, times the number of writes that it gives.
    func seen(by write: TaggedWrite, in field: FieldName) -> [Entry] {
        frontier(deletes.latest(seenBy: write) + (fields[field]?.all.latest(seenBy: write) ?? []))
    }

    /// Whether a writer had seen all that those writes had seen that it had seen itself.
    ///
    /// - Parameter seen: What ``seen(by:in:)`` gave.
    func isClosed(_ write: TaggedWrite, over seen: [Entry]) -> Bool {
        guard isInOrder, write.isNumbered, var vector = write.seen, seen.allSatisfy(\.isClosed) else { return false }
        // Its own earlier writes a device has always seen.
        vector.insert(Dot(device: write.dot.device, sequence: write.dot.sequence))
        return seen.allSatisfy { $0.write.seen.map { vector.covers($0) } ?? false }
    }

    /// A writer's own latest write to a field and all that set it, as far as the writer had seen them, as they would have been written
    /// under `counter`.
    func countedBefore(_ write: TaggedWrite, in field: FieldName) -> [TaggedWrite] {
        let resets = deletes.latest(seenBy: write) + (fields[field]?.resets.latest(seenBy: write) ?? [])
        let own = fields[field]?.all.latest(of: write.dot.device, through: write.dot.sequence - 1)
        return (resets + [own].compactMap(\.self)).map { entry in
            entry.change?.counted.map { entry.write.with($0, for: field) } ?? entry.write
        }
    }

    mutating func insert(_ entry: Entry, in field: FieldName) {
        recordOrder(of: entry.write)
        fields[field, default: Field()].all.insert(entry)
        if entry.change?.counted == nil { fields[field]?.resets.insert(entry) }
    }

    mutating func delete(_ write: TaggedWrite) {
        guard deletes[write.dot] == nil else { return }
        recordOrder(of: write)
        // A delete is a write to every field.
        let isTransitive =
            isClosed(write, over: frontier(deletes.latest(seenBy: write)))
            && fields.keys.allSatisfy { isClosed(write, over: seen(by: write, in: $0)) }
        deletes.insert(Entry(write: write, change: nil, isClosed: isTransitive))
        record(write)
    }

    /// Takes note that a write came, after all of its fields were inserted.
    mutating func record(_ write: TaggedWrite) {
        if let seen = write.seen { mentioned.formUnion(seen) }
        mentioned.insert(write.dot)
    }

    private mutating func recordOrder(of write: TaggedWrite) {
        if mentioned.covers(write.dot) { isInOrder = false }
    }

    /// Leaves out what says no more than others of the same writes.
    private func frontier(_ entries: [Entry]) -> [Entry] {
        guard isInOrder, entries.count > 1 else { return entries }
        var kept: [Entry] = []
        var closed: [TaggedWrite] = []
        // What the latest of them had seen is mostly nearly everything.
        for entry in entries.ordered(by: { $1.write.precedes($0.write) })
        where !closed.contains(where: { $0.hasSeen(entry.write, intervals: .withoutWindow) }) {
            kept.append(entry)
            if entry.isClosed { closed.append(entry.write) }
        }
        return kept
    }
}

/// Writes, each device's in the order of their numbers.
private struct WritesByDevice {
    private var devices: [DeviceID: [RecordWrites.Entry]] = [:]

    subscript(dot: Dot) -> RecordWrites.Entry? {
        guard let entry = latest(of: dot.device, through: dot.sequence), entry.write.dot == dot else { return nil }
        return entry
    }

    mutating func insert(_ entry: RecordWrites.Entry) {
        let dot = entry.write.dot
        let index = devices[dot.device].map { Self.count(of: $0, through: dot.sequence) } ?? 0
        devices[dot.device, default: []].insert(entry, at: index)
    }

    /// The latest write of each device that a write had seen: all that it had seen follows from these.
    func latest(seenBy write: TaggedWrite) -> [RecordWrites.Entry] {
        guard !devices.isEmpty, let seen = write.seen else { return [] }
        var entries = seen.entries.compactMap { $0.device == write.dot.device ? nil : latest(of: $0.device, through: $0.sequence) }
        // Its own earlier writes a device has always seen.
        if let own = latest(of: write.dot.device, through: write.dot.sequence - 1) { entries.append(own) }
        return entries
    }

    func latest(of device: DeviceID, through sequence: UInt64) -> RecordWrites.Entry? {
        guard let entries = devices[device] else { return nil }
        let count = Self.count(of: entries, through: sequence)
        return count > 0 ? entries[count - 1] : nil
    }

    /// How many entries have this number or a smaller one.
    private static func count(of entries: [RecordWrites.Entry], through sequence: UInt64) -> Int {
        if let last = entries.last, last.write.dot.sequence <= sequence { return entries.count }
        return entries.partitioningIndex { $0.write.dot.sequence > sequence }
    }
}
