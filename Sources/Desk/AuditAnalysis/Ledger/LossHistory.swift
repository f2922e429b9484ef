import AuditLog
import ConflictAudit
import SyncBytes
package import SyncMerge
package import SyncModel

/// The writes to records in which edits were lost, out of all logs, by which an audit tells that a loss took nothing from anybody.
///
/// A replica does not remember what every writer was shown, and so calls a put lost that removed what was not there, or that repeated what
/// its writer was shown. All writes together tell, where none is missing: what a writer was shown is known only if logs hold all writes
/// that it names as seen, and if none of them may have gone with a store that was put back from a backup.
///
/// - Complexity: O(1) expected for a line; memory is bounded by ``limit`` writes and ``nameLimit`` names of writes, beyond which nothing
///   is told. A value type; its owner guards it.
struct LossHistory: Sendable {
    /// The most writes that are kept.
    static let limit = 100_000
    /// The most writes, to whichever records, whose names are kept.
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
    /// The hashes of dots of more than one write.
    private var givenTwice: Set<UInt64> = []
    private var numbers: [DeviceID: Numbers] = [:]
    /// The highest numbers of each writer in its device's log, and in those of others.
    private var reaches: [DeviceID: (own: UInt64, others: UInt64)] = [:]
    /// Hashes of the dots and times of writes that another device's log tells of.
    private var shared: Set<UInt64> = []
    /// The devices whose store was put back or copied, under their first names.
    private var restarted: Set<DeviceID> = []
    /// The records of which handlers merged versions, of which writes alone say nothing.
    private var merged: Set<RecordKey> = []
    private var isOverfull = false
    /// By a scanner's numbers of a log's device and of a writer, the writer, and whether it is that device.
    private var writers: [UInt64: (device: DeviceID, isOwn: Bool)] = [:]

    /// Takes a line that no event is made of.
    mutating func note(_ line: ScannedLine, _ names: ScannedNames) {
        guard line.content == .write, let dot = line.dot, !isOverfull else { return }
        let pair = UInt64(UInt32(bitPattern: line.source)) << 32 | UInt64(UInt32(bitPattern: line.device))
        let writer = writers[pair] ?? writer(of: line, names)
        writers[pair] = writer
        note(dot, UInt64(clamping: line.count), at: line.milliseconds, by: writer.device, isOwn: writer.isOwn)
    }

    private func writer(of line: ScannedLine, _ names: ScannedNames) -> (device: DeviceID, isOwn: Bool) {
        let device = DeviceID(names.devices.name(Int(line.device)).text)
        return (device, line.source >= 0 && device.isWriter(of: DeviceID(names.devices.name(Int(line.source)).text)))
    }

    /// Takes an event.
    ///
    /// - Parameter isKept: Whether the record of a write is one in which an edit was lost.
    mutating func observe(_ line: AuditLine, isKept: (RecordKey) -> Bool) {
        switch line.event.content {
        case .merge(let merge): merged.insert(merge.key)
        case .write(let write):
            guard write.isNumbered, !isOverfull else {
                if isKept(write.key) { merged.insert(write.key) }
                return
            }
            let (hash, milliseconds) = (Self.hash(write.dot), write.timestamp.milliseconds)
            let isOwn = line.source.map { write.dot.device.isWriter(of: $0) } ?? false
            note(hash, write.dot.sequence, at: milliseconds, by: write.dot.device, isOwn: isOwn)
            guard isKept(write.key) else { return }
            let name = Self.name(hash, milliseconds)
            if writes[name]?.leavesOutValues != false { writes[name] = write }
            if writes.count > Self.limit { isOverfull = true }
        default: break
        }
    }

    private mutating func note(_ dot: UInt64, _ number: UInt64, at milliseconds: Int64, by device: DeviceID, isOwn: Bool) {
        if !isOwn { shared.insert(Self.name(dot, milliseconds)) }
        let reach = reaches[device] ?? (0, 0)
        reaches[device] = isOwn ? (max(reach.own, number), reach.others) : (reach.own, max(reach.others, number))
        if let known = times[dot] {
            if known != milliseconds {
                restarted.insert(device.firstWriter)
                givenTwice.insert(dot)
            }
            return
        }
        times[dot] = milliseconds
        numbers[device, default: Numbers()].insert(number)
        if device.firstWriter != device { restarted.insert(device.firstWriter) }
        if times.count > Self.nameLimit { isOverfull = true }
    }

    private static func hash(_ dot: Dot) -> UInt64 { DotHash(dot.device.rawValue).value(of: dot.sequence) }

    /// A hash of a write's dot and time.
    static func name(_ dot: Dot, _ milliseconds: Int64) -> UInt64 { name(hash(dot), milliseconds) }

    /// The same, by the hash of the dot.
    static func name(_ dot: UInt64, _ milliseconds: Int64) -> UInt64 { FNV1a.mixed(dot &+ UInt64(bitPattern: milliseconds)) }

    /// The devices of whose later writes others' logs tell: their own logs break off.
    var cutOff: Set<DeviceID> { isOverfull ? [] : Set(reaches.filter { $1.own < $1.others }.keys.map(\.firstWriter)) }

    // MARK: What was shown

    /// Those of some conflicts over the records whose losers took nothing with them, by all writes together.
    ///
    /// - Complexity: that of an audit of the writes.
    func benign(among conflicts: [Conflict], by rules: MergeRules) -> [Conflict] {
        if isOverfull { return [] }
        let writes = Dictionary(grouping: writes.values, by: \.key)
        return Dictionary(grouping: conflicts, by: \.key).flatMap { key, conflicts -> [Conflict] in
            guard let writes = writes[key], !merged.contains(key), rules.decideByName(key.type) else { return [] }
            return benign(among: conflicts, writes.ordered { $0.precedes($1) }, by: rules)
        }
    }

    /// The same of one record, of which all writes are given.
    private func benign(among conflicts: [Conflict], _ writes: [TaggedWrite], by rules: MergeRules) -> [Conflict] {
        var (order, table, names) = (CausalOrder(), RecordTable(rules: rules), NameLists())
        for write in writes { order.append(write) }
        for line in order.lines() { _ = table.merge(writes[line], sharing: &names) }
        // Where a write comes behind one whose writer had seen it, what writers were shown is not known.
        guard !table.isDisordered, let history = table.history(of: conflicts[0].key) else { return [] }
        let doubts = doubts(among: writes)
        var edits = FieldEdits(history, key: conflicts[0].key, rules: rules) { !isCovered($0) || isDoubtful($0, doubts) }
        func write(of side: Conflict.Side) -> TaggedWrite? { self.writes[Self.name(side.dot, side.timestamp.milliseconds)] }
        return Dictionary(grouping: conflicts, by: \.field).flatMap { field, conflicts -> [Conflict] in
            let decisions = conflicts.compactMap { conflict in
                write(of: conflict.loser).flatMap { loser in
                    write(of: conflict.winner).map { (conflict: conflict, loser: loser, winner: $0) }
                }
            }
            let areKnown = edits.areKnown(decisions.map { ($0.loser, $0.winner) }, in: field)
            return zip(decisions, areKnown).compactMap { $1 ? $0.conflict : nil }
        }
    }

    /// Of each writer the lowest number of a write to a record that nobody may have seen, or another instead.
    private func doubts(among writes: [TaggedWrite]) -> [DeviceID: UInt64] {
        var doubts: [DeviceID: UInt64] = [:]
        for write in writes {
            let (device, hash) = (write.dot.device, Self.hash(write.dot))
            let isCertain = !restarted.contains(device.firstWriter) || shared.contains(Self.name(hash, write.timestamp.milliseconds))
            if isCertain, !givenTwice.contains(hash), !write.leavesOutValues { continue }
            doubts[device] = min(doubts[device] ?? .max, write.dot.sequence)
        }
        return doubts
    }

    /// Whether what a write's writer was shown may be a write that it had not seen.
    private func isDoubtful(_ write: TaggedWrite, _ doubts: [DeviceID: UInt64]) -> Bool {
        func names(_ device: DeviceID, _ number: UInt64) -> Bool { doubts[device].map { $0 <= number } ?? false }
        guard let seen = write.seen, !names(write.dot.device, write.dot.sequence) else { return true }
        return seen.entries.contains { names($0.device, $0.sequence) }
    }

    /// Whether lines tell of every write that a write's writer had seen.
    private func isCovered(_ write: TaggedWrite) -> Bool {
        func isComplete(_ device: DeviceID, upTo number: UInt64) -> Bool { numbers[device]?.complete ?? 0 >= number }
        guard let seen = write.seen, isComplete(write.dot.device, upTo: write.dot.sequence - 1) else { return false }
        return seen.entries.allSatisfy { isComplete($0.device, upTo: $0.sequence) }
    }
}

extension MergeRules {
    /// The policies of a type, that of all its fields first.
    package func policies(of type: RecordType) -> [MergePolicy] {
        switch scope(for: type) {
        case .record(let policy): [policy]
        case .fields(let policy): [policy] + (fields[type].map { Array($0.values) } ?? [])
        }
    }

    /// Whether the names of the policies of a type say how they decide.
    fileprivate func decideByName(_ type: RecordType) -> Bool {
        policies(of: type).allSatisfy {
            switch $0 {
            case .custom, .preferDevices: false
            default: true
            }
        }
    }
}
