import AuditAnalysis
import AuditLog
import ConflictAudit
import SyncBytes
import SyncModel

/// The writes and conflicts of all logs, each content kept once, and the order in which each log tells of them.
///
/// - Complexity: memory grows with the distinct writes and conflicts, and by 24 bytes for each line that tells of one.
struct RecordedHistory: Sendable {
    /// One body of lines in one order.
    struct LogName: Hashable, Comparable, Sendable {
        /// The device that logged; nil for lines that name none.
        let source: DeviceID?
        /// The file, where the source does not tell one log from another.
        let file: Int32?

        init(source: DeviceID?, file: Int32) {
            self.source = source
            self.file = source == nil || source == .auditOfTrace ? file : nil
        }

        static func < (left: LogName, right: LogName) -> Bool {
            left.source == right.source
                ? (left.file ?? -1) < (right.file ?? -1) : (left.source?.rawValue ?? "") < (right.source?.rawValue ?? "")
        }
    }

    /// A line.
    struct Entry: Sendable {
        enum Content: Sendable {
            /// The index of a write.
            case write(Int32)
            /// The index of a conflict.
            case conflict(Int32)
            /// The program started, and may repeat what it had logged last.
            case start
            /// Lines of other events.
            case other
        }

        let content: Content
        let sequence: UInt64
        let location: LineLocation
    }

    /// What one log tells.
    struct Log: Sendable {
        var entries: [Entry] = []
        var conflicts = 0
        /// Whether a replica wrote it, which logs each conflict that it finds.
        var isReplicas = false
        /// The writes of each device that it tells of.
        var numbers: [DeviceID: NumberSet] = [:]
        /// The log's index among all.
        let number: Int32
        fileprivate var isInOrder = true
    }

    private(set) var writes: [TaggedWrite] = []
    private(set) var conflicts: [Conflict] = []
    /// Where each of the conflicts is told first.
    private(set) var firstLocations: [LineLocation] = []
    /// Which of the conflicts the command found in a trace.
    private(set) var areFromTraces: [Bool] = []
    private(set) var logs: [LogName: Log] = [:]
    /// The writes in the order in which they were read, and the log that told of each.
    private(set) var arrivals: [(write: Int32, log: Int32)] = []

    private var writesByDot: [DeviceID: [UInt64: Int32]] = [:]
    /// For each write and each conflict the next with the same name and another content; -1 where there is none.
    private var nextWrites: [Int32] = []
    private var conflictsByID: [ConflictID: Int32] = [:]
    private var nextConflicts: [Int32] = []

    /// The most contents of one name among which an equal one is looked for.
    static let variantLimit = 8

    mutating func observe(_ write: TaggedWrite, _ line: AuditLine, at location: LineLocation) {
        let index = index(of: write)
        let name = LogName(source: line.source, file: location.file)
        append(.write(index), line, at: location, in: name) { log in
            _ = log.numbers[write.dot.device, default: NumberSet()].insert(write.dot.sequence)
            if write.dot.device == line.source { log.isReplicas = true }
        }
        if let number = logs[name]?.number { arrivals.append((index, number)) }
    }

    mutating func observe(_ conflict: Conflict, _ line: AuditLine, at location: LineLocation) {
        let index = index(of: conflict, at: location, isFromTrace: line.source == .auditOfTrace)
        append(.conflict(index), line, at: location, in: LogName(source: line.source, file: location.file)) { log in
            log.conflicts += 1
            log.isReplicas = true
        }
    }

    mutating func observeStart(_ line: AuditLine, at location: LineLocation) {
        append(.start, line, at: location, in: LogName(source: line.source, file: location.file)) { _ in }
    }

    mutating func observeOther(_ line: AuditLine, at location: LineLocation) {
        append(.other, line, at: location, in: LogName(source: line.source, file: location.file)) { log in
            switch line.event.content {
            case .sync, .checkpoint: log.isReplicas = true
            default: break
            }
        }
    }

    /// Takes the log out and puts it back, so that it is changed in place instead of copied.
    private mutating func append(
        _ content: Entry.Content, _ line: AuditLine, at location: LineLocation, in name: LogName, _ change: (inout Log) -> Void
    ) {
        var log = logs.removeValue(forKey: name) ?? Log(number: Int32(logs.count))
        change(&log)
        let last = log.entries.last
        let sequence = line.sequence ?? last?.sequence ?? 0
        if let last, sequence < last.sequence { log.isInOrder = false }
        // Of several in a row one says it all.
        if case .other? = last?.content, case .other = content, log.isInOrder { log.entries.removeLast() }
        log.entries.append(Entry(content: content, sequence: sequence, location: location))
        logs[name] = log
    }

    /// Puts the lines of each log in the order of their numbers.
    mutating func sort() {
        for (name, log) in logs where !log.isInOrder {
            logs[name]?.entries = log.entries.enumerated().ordered {
                ($0.element.sequence, $0.offset) < ($1.element.sequence, $1.offset)
            }.map(\.element)
        }
    }

    // MARK: Contents

    /// The first content of a write's name, nil where no line tells of it.
    func write(_ dot: Dot) -> TaggedWrite? { writesByDot[dot.device]?[dot.sequence].map { writes[Int($0)] } }

    /// What lines tell of a write's name; of very many contents the first.
    func contents(of dot: Dot) -> [TaggedWrite] {
        var contents: [TaggedWrite] = []
        var next = writesByDot[dot.device]?[dot.sequence] ?? -1
        while next >= 0 {
            contents.append(writes[Int(next)])
            next = nextWrites[Int(next)]
        }
        return contents
    }

    /// Whether lines tell two contents of one name.
    func isAmbiguous(_ dot: Dot) -> Bool { writesByDot[dot.device]?[dot.sequence].map { nextWrites[Int($0)] >= 0 } ?? false }

    /// The conflicts that are told in several ways, by the indices of their contents.
    var variants: [[Int]] {
        conflictsByID.values.filter { nextConflicts[Int($0)] >= 0 }.sorted().map { first in
            var (all, next) = ([Int](), first)
            while next >= 0 {
                all.append(Int(next))
                next = nextConflicts[Int(next)]
            }
            return all
        }
    }

    /// Where writes are told of first.
    func locations(of indices: Set<Int32>) -> [Int32: LineLocation] {
        var locations: [Int32: LineLocation] = [:]
        for log in logs.values {
            for entry in log.entries {
                guard case .write(let index) = entry.content, indices.contains(index) else { continue }
                if let known = locations[index], (known.file, known.line) <= (entry.location.file, entry.location.line) { continue }
                locations[index] = entry.location
            }
        }
        return locations
    }

    private mutating func index(of write: TaggedWrite) -> Int32 {
        var last: Int32 = -1
        var next = writesByDot[write.dot.device]?[write.dot.sequence] ?? -1
        var steps = 0
        while next >= 0 {
            if writes[Int(next)].saysTheSame(as: write) {
                // The writer's own log does not have the hub's receipt of it.
                if writes[Int(next)].receipt == nil, write.receipt != nil { writes[Int(next)] = write }
                return next
            }
            steps += 1
            (last, next) = (next, steps < Self.variantLimit ? nextWrites[Int(next)] : -1)
        }
        let index = Int32(writes.count)
        writes.append(write)
        nextWrites.append(-1)
        if last < 0 {
            writesByDot[write.dot.device, default: [:]][write.dot.sequence] = index
        } else if nextWrites[Int(last)] < 0 {
            nextWrites[Int(last)] = index
        }
        return index
    }

    private mutating func index(of conflict: Conflict, at location: LineLocation, isFromTrace: Bool) -> Int32 {
        var last: Int32 = -1
        var next = conflictsByID[conflict.id] ?? -1
        var steps = 0
        while next >= 0 {
            if conflicts[Int(next)] == conflict { return next }
            steps += 1
            (last, next) = (next, steps < Self.variantLimit ? nextConflicts[Int(next)] : -1)
        }
        let index = Int32(conflicts.count)
        conflicts.append(conflict)
        firstLocations.append(location)
        areFromTraces.append(isFromTrace)
        nextConflicts.append(-1)
        if last < 0 { conflictsByID[conflict.id] = index } else if nextConflicts[Int(last)] < 0 { nextConflicts[Int(last)] = index }
        return index
    }
}

extension TaggedWrite {
    /// Whether both say the same of the same write but for the hub's receipt of it, which the writer's own log does not have.
    fileprivate func saysTheSame(as other: TaggedWrite) -> Bool {
        timestamp == other.timestamp && key == other.key && isNumbered == other.isNumbered && seen == other.seen
            && operation == other.operation
    }
}
