import AuditLog
import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel

/// The writes to records in which edits were lost, out of all logs, which can tell that a loss took nothing from anybody.
///
/// A replica does not remember what every writer was shown, and so calls a put lost that removed what was not there, or that repeated what
/// its device showed. All writes together tell, where none is missing and none may have gone with a store that was put back from a backup.
/// Only what its device showed by every policy counts: nothing, or the value of one write that all others which it had seen came before.
///
/// - Complexity: O(1) expected for a line; memory is bounded by ``limit`` writes and ``nameLimit`` names of writes, beyond which nothing
///   is told. A value type; its owner guards it.
struct LossHistory: Sendable {
    /// The most writes that are kept.
    static let limit = 100_000
    /// The most names of writes, to whichever records, that are kept: of each write two, that of its own log and that of others'.
    static let nameLimit = 1 << 20

    /// The numbers of a device's writes that any line tells of.
    private struct Numbers {
        /// The number up to which none is missing.
        private(set) var complete: UInt64 = 0
        private var later: Set<UInt64> = []

        mutating func insert(_ number: UInt64) {
            guard number > complete else { return }
            guard number == complete + 1 else {
                later.insert(number)
                return
            }
            complete = number
            while !later.isEmpty, later.remove(complete + 1) != nil { complete += 1 }
        }
    }

    /// The writes to the records, by hashes of their dots and times.
    private var writes: [UInt64: TaggedWrite] = [:]
    /// When each write was made, by hashes of dots.
    private var times: [UInt64: Int64] = [:]
    /// The hashes of dots of more than one write, or of one of which a line does not say what its writer had seen.
    private var unclear: Set<UInt64> = []
    private var numbers: [DeviceID: Numbers] = [:]
    /// The same by the logs of other devices alone, and the lowest number that a device is known to have given twice.
    private var sharedNumbers: [DeviceID: Numbers] = [:]
    private var repeatedNumbers: [DeviceID: UInt64] = [:]
    /// How far the writes of each writer go.
    private var reaches: [DeviceID: WriteTally.Reach] = [:]
    /// Hashes of the dots and times of writes that another device's log tells of; of those that their own log tells of, the hashes plus 1.
    private var told: Set<UInt64> = []
    /// The devices whose store was put back or copied, under their first names.
    private var restarted: Set<DeviceID> = []
    /// The writers of which a line tells that has no number, so that their numbers follow from the order of reading.
    private var unnumbered: Set<DeviceID> = []
    /// The records of which handlers merged versions, of which writes alone say nothing.
    private var merged: Set<RecordKey> = []
    private var isOverfull = false
    private var writers = ScannedWriters()

    /// Takes an ordinary line.
    mutating func note(_ line: ScannedLine, _ names: ScannedNames) {
        guard line.content == .write, !isOverfull else { return }
        let writer = writers.writer(of: line, names)
        guard let dot = line.dot else {
            unnumbered.insert(writer.name)
            return
        }
        if line.contexts == 0 { unclear.insert(dot) }
        note(dot, UInt64(clamping: line.count), at: line.milliseconds, by: writer.name, isOwn: writer.isOwn)
    }

    /// Takes an event.
    ///
    /// - Parameter isKept: Whether a record is one in which an edit was lost.
    mutating func observe(_ line: AuditLine, isKept: (RecordKey) -> Bool) {
        switch line.event.content {
        case .merge(let merge) where isKept(merge.key): merged.insert(merge.key)
        case .write(let write) where !isOverfull:
            guard write.isNumbered else {
                unnumbered.insert(write.dot.device)
                return
            }
            let (dot, milliseconds) = (Self.hash(write.dot), write.timestamp.milliseconds)
            if write.seen == nil { unclear.insert(dot) }
            for entry in write.seen?.entries ?? [] where entry.device.firstWriter != entry.device {
                restarted.insert(entry.device.firstWriter)
            }
            let isOwn = line.source.map { write.dot.device.isWriter(of: $0) } ?? false
            note(dot, write.dot.sequence, at: milliseconds, by: write.dot.device, isOwn: isOwn)
            guard isKept(write.key), !isOverfull else { return }
            let name = Self.name(dot, milliseconds)
            if let known = writes[name], !known.isSame(as: write) { unclear.insert(dot) }
            if writes[name]?.leavesOutValues != false { writes[name] = write }
            if writes.count > Self.limit { giveUp() }
        default: break
        }
    }

    private mutating func note(_ dot: UInt64, _ number: UInt64, at milliseconds: Int64, by device: DeviceID, isOwn: Bool) {
        let name = Self.name(dot, milliseconds)
        guard told.insert(isOwn ? name &+ 1 : name).inserted else { return }
        if told.count > Self.nameLimit { return giveUp() }
        if !isOwn { sharedNumbers[device, default: Numbers()].insert(number) }
        reaches[device, default: WriteTally.Reach()].observe(Int64(clamping: number), at: milliseconds, isOwn: isOwn)
        if let known = times[dot] {
            if known != milliseconds {
                restarted.insert(device.firstWriter)
                unclear.insert(dot)
                repeatedNumbers[device] = min(repeatedNumbers[device] ?? .max, number)
            }
            return
        }
        times[dot] = milliseconds
        numbers[device, default: Numbers()].insert(number)
        if device.firstWriter != device { restarted.insert(device.firstWriter) }
    }

    /// Forgets all: of part of the writes nothing is told.
    private mutating func giveUp() {
        self = LossHistory()
        isOverfull = true
    }

    private static func hash(_ dot: Dot) -> UInt64 { DotHash(dot.device.rawValue).value(of: dot.sequence) }

    /// A hash of a write's dot and time.
    static func name(_ dot: Dot, _ milliseconds: Int64) -> UInt64 { name(hash(dot), milliseconds) }

    /// The same, by the hash of the dot.
    static func name(_ dot: UInt64, _ milliseconds: Int64) -> UInt64 { FNV1a.mixed(dot &+ UInt64(bitPattern: milliseconds)) }

    /// The devices of whose later writes others' logs tell: their own logs break off.
    var cutOff: Set<DeviceID> { isOverfull ? [] : Set(reaches.filter { $1.own < $1.others }.keys.map(\.firstWriter)) }

    // MARK: What was shown

    /// Those of some conflicts over fields of the records whose losers took nothing with them.
    ///
    /// - Complexity: O(*n* log *n*) in the writes, the conflicts, and the devices that their losers name as seen.
    func benign(among conflicts: [Conflict]) -> [Conflict] {
        if isOverfull { return [] }
        let writes = Dictionary(grouping: writes.values, by: \.key)
        return Dictionary(grouping: conflicts, by: \.key).flatMap { key, conflicts -> [Conflict] in
            guard let writes = writes[key], !merged.contains(key) else { return [] }
            let (fields, doubts) = (Fields(writes), doubts(among: writes))
            return conflicts.filter { isBenign($0, fields, doubts) }
        }
    }

    private func isBenign(_ conflict: Conflict, _ fields: Fields, _ doubts: Doubts) -> Bool {
        // A handler's device showed what the handler made, and the hub's order is not in every copy.
        if conflict.policy == ThreeWayMerge.handlerPolicy || conflict.policy == MergePolicy.lastArrivalWins.name { return false }
        guard let field = conflict.field,
            let loser = write(of: conflict.loser, field), let value = loser.fields?[field], !doubts.concern(field, of: loser)
        else { return false }
        let shown = fields.latest(of: field, seenBy: loser)
        // Who makes a record that another deletes has lost it: the losses of the values that it gives tell so, where it gives any.
        let isThere =
            conflict.winner.operation == .put || shown.first?.isDelete == false
            || loser.fields?.contains { $0.value != .null && !$0.value.isChange } == true
        guard let last = shown.first else { return value == .null && (isThere || fields.hasAny(seenBy: loser)) }
        let repeatsIt = last.isDelete ? value == .null && isThere : last.fields?[field] == value && !value.isChange
        guard repeatsIt, shown.dropFirst().allSatisfy({ last.hasNamed($0) }), let winner = write(of: conflict.winner, field) else {
            return false
        }
        // A device whose store was put back may have written without what it had written before.
        if winner.dot.device == last.dot.device, restarted.contains(last.dot.device.firstWriter) { return false }
        return winner.hasNamed(last) && !unclear.contains(Self.hash(winner.dot))
    }

    /// The write that a conflict's line tells of, where its own lines tell the same.
    private func write(of side: Conflict.Side, _ field: FieldName) -> TaggedWrite? {
        guard let write = writes[Self.name(side.dot, side.timestamp.milliseconds)], write.timestamp == side.timestamp,
            write.isDelete == (side.operation == .delete), side.value == nil || side.value == write.fields?[field]
        else { return nil }
        return write
    }

    /// The writes to a record of which not all is certain, by the lowest number of each writer: whether anybody had seen them, what they
    /// say, or what their own writers had seen.
    private struct Doubts {
        private typealias Numbers = [DeviceID: UInt64]
        private var ofAll: Numbers = [:]
        private var byField: [FieldName: Numbers] = [:]

        mutating func insert(_ write: TaggedWrite, concernsAll: Bool) {
            func lower(_ numbers: inout Numbers) {
                numbers[write.dot.device] = min(numbers[write.dot.device] ?? .max, write.dot.sequence)
            }
            guard !concernsAll, let names = write.fieldNames else { return lower(&ofAll) }
            for name in names { lower(&byField[name, default: [:]]) }
        }

        /// Whether of a write to a field, or of one to it that its writer had seen, not all is certain.
        func concern(_ field: FieldName, of write: TaggedWrite) -> Bool {
            let ofField = byField[field] ?? [:]
            func names(_ device: DeviceID, _ number: UInt64) -> Bool {
                [ofAll, ofField].contains { $0[device].map { $0 <= number } ?? false }
            }
            guard let seen = write.seen, !names(write.dot.device, write.dot.sequence) else { return true }
            return seen.entries.contains { names($0.device, $0.sequence) }
        }
    }

    private func doubts(among writes: [TaggedWrite]) -> Doubts {
        var doubts = Doubts()
        for write in writes {
            let (device, dot) = (write.dot.device, Self.hash(write.dot))
            let isHeld = !restarted.contains(device.firstWriter) || told.contains(Self.name(dot, write.timestamp.milliseconds))
            let isCovered = isCovered(write) && !unnumbered.contains(device)
            if isHeld, isCovered, !unclear.contains(dot), !write.leavesOutValues { continue }
            doubts.insert(write, concernsAll: !isCovered)
        }
        return doubts
    }

    /// Whether lines tell of every write that a write's writer had seen.
    private func isCovered(_ write: TaggedWrite) -> Bool {
        // Of a store that was put back a number may be that of another write, unless others tell of it, and of no second one.
        func isComplete(_ device: DeviceID, upTo number: UInt64) -> Bool {
            guard restarted.contains(device.firstWriter) else { return numbers[device]?.complete ?? 0 >= number }
            return sharedNumbers[device]?.complete ?? 0 >= number && repeatedNumbers[device] ?? .max > number
        }
        guard let seen = write.seen, isComplete(write.dot.device, upTo: write.dot.sequence - 1) else { return false }
        return seen.entries.allSatisfy { isComplete($0.device, upTo: $0.sequence) }
    }

    /// The writes to a record, by the fields that they concern.
    private struct Fields {
        private typealias Own = [DeviceID: [TaggedWrite]]
        private var puts: [FieldName: Own] = [:]
        private var deletes: Own = [:]
        private var all: Own = [:]

        init(_ writes: [TaggedWrite]) {
            for write in writes.sorted(by: { $0.dot.sequence < $1.dot.sequence }) {
                all[write.dot.device, default: []].append(write)
                guard let names = write.fieldNames else {
                    deletes[write.dot.device, default: []].append(write)
                    continue
                }
                for name in names { puts[name, default: [:]][write.dot.device, default: []].append(write) }
            }
        }

        /// Of each device the last write to a field that a writer had seen, the latest first.
        func latest(of field: FieldName, seenBy writer: TaggedWrite) -> [TaggedWrite] {
            latest([puts[field] ?? [:], deletes], seenBy: writer).ordered { $1.precedes($0) }
        }

        /// Whether a writer had seen any write to the record.
        func hasAny(seenBy writer: TaggedWrite) -> Bool { !latest([all], seenBy: writer).isEmpty }

        private func latest(_ lists: [Own], seenBy writer: TaggedWrite) -> [TaggedWrite] {
            var latest: [TaggedWrite] = []
            func add(_ device: DeviceID, _ number: UInt64) {
                let last = lists.compactMap { own in
                    own[device].flatMap { writes in
                        let end = writes.partitioningIndex { $0.dot.sequence > number }
                        return end > 0 ? writes[end - 1] : nil
                    }
                }.max { $0.dot.sequence < $1.dot.sequence }
                if let last { latest.append(last) }
            }
            add(writer.dot.device, writer.dot.sequence - 1)
            for entry in writer.seen?.entries ?? [] where entry.device != writer.dot.device { add(entry.device, entry.sequence) }
            return latest
        }
    }
}

extension TaggedWrite {
    /// Whether its writer says to have seen a write, or made that before.
    fileprivate func hasNamed(_ other: TaggedWrite) -> Bool {
        if dot.device == other.dot.device { return other.dot.sequence < dot.sequence }
        return seen.map { $0[other.dot.device] >= other.dot.sequence } ?? false
    }

    /// Whether two logs tell the same of a write, but for values that are left out, and what the hub adds.
    fileprivate func isSame(as other: TaggedWrite) -> Bool {
        timestamp == other.timestamp && key == other.key && seen == other.seen && isDelete == other.isDelete
            && (fields == other.fields || leavesOutValues || other.leavesOutValues)
    }
}
