import AuditLog
import ConflictAudit
import SyncBytes
import SyncModel

/// What a block of lines holds, divided among the shards of an audit.
struct DecodedBlock: Sendable {
    /// What is known of a write by those that came before it.
    struct Marks: OptionSet, Sendable {
        let rawValue: UInt8

        /// It carries the name of another.
        static let dotCollision = Marks(rawValue: 1)
        /// It names others as seen that have not come.
        static let openContext = Marks(rawValue: 2)
    }

    /// What concerns one shard, in the order of the lines.
    struct Part: Sendable {
        private struct Entry: Sendable {
            let line: Int
            let hash: UInt64
            var marks: Marks = []
            /// Nil for a comparison of clocks or a merge, and once it has been taken.
            var write: TaggedWrite?
        }

        private var entries: [Entry] = []
        /// By their lines.
        private var clocks: [Int: ClockMeasurement] = [:]
        private var merges: [Int: RecordedMerge] = [:]
        private var next = 0

        init(capacity: Int) {
            entries.reserveCapacity(capacity)
        }

        /// The line that comes next, from 0; nil where there is none.
        var nextLine: Int? { next < entries.count ? entries[next].line : nil }

        /// The hash of the name of the record that the next line writes to.
        var nextHash: UInt64 { entries[next].hash }

        /// What is known of the next line's write.
        var nextMarks: Marks { entries[next].marks }

        /// Takes the next line out if it is a write: nobody else needs it any longer.
        mutating func popWrite() -> TaggedWrite? {
            guard let write = entries[next].write.take() else { return nil }
            next += 1
            return write
        }

        /// Takes the next line if it is a merge.
        mutating func popMerge() -> RecordedMerge? {
            guard let merge = merges[entries[next].line] else { return nil }
            next += 1
            return merge
        }

        /// Takes the next line, which is a comparison of clocks.
        mutating func popClock() -> ClockMeasurement? {
            next += 1
            return clocks[entries[next - 1].line]
        }

        fileprivate mutating func append(_ write: consuming TaggedWrite, hash: UInt64, line: Int) {
            entries.append(Entry(line: line, hash: hash, write: write))
        }

        fileprivate mutating func insert(_ write: TaggedWrite, hash: UInt64, line: Int) {
            entries.insert(Entry(line: line, hash: hash, write: write), at: index(of: line))
        }

        fileprivate mutating func insert(_ measurement: ClockMeasurement, line: Int) {
            clocks[line] = measurement
            entries.insert(Entry(line: line, hash: 0, write: nil), at: index(of: line))
        }

        fileprivate mutating func insert(_ merge: RecordedMerge, line: Int) {
            merges[line] = merge
            entries.insert(Entry(line: line, hash: 0, write: nil), at: index(of: line))
        }

        /// The line and the time of the first write or merge; nil where there is none.
        fileprivate var first: (line: Int, milliseconds: Int64)? {
            for entry in entries {
                if let write = entry.write { return (entry.line, write.timestamp.milliseconds) }
                if let merge = merges[entry.line] { return (entry.line, merge.time.millisecondsSince1970) }
            }
            return nil
        }

        /// The line of an entry, nil where there are no more.
        fileprivate func line(at index: Int) -> Int? { index < entries.count ? entries[index].line : nil }

        /// The write of an entry and the hash of its record; nil for a comparison of clocks or a merge.
        fileprivate func write(atIndex index: Int) -> (write: TaggedWrite, hash: UInt64)? {
            entries[index].write.map { ($0, entries[index].hash) }
        }

        fileprivate mutating func mark(atIndex index: Int, _ marks: Marks) { entries[index].marks = marks }

        fileprivate func write(at line: Int) -> TaggedWrite? {
            let index = index(of: line)
            return index < entries.count && entries[index].line == line ? entries[index].write : nil
        }

        fileprivate mutating func removeLines(from line: Int) { entries.removeSubrange(index(of: line)...) }

        private func index(of line: Int) -> Int { entries.partitioningIndex { $0.line >= line } }
    }

    /// A line that is not an ordinary numbered write.
    enum Other: Sendable {
        /// It is yet to be read, and this is its range in the block; unfinished where the input ends with it and not with a line break.
        case unread(Range<Int>, isUnfinished: Bool)
        /// It is longer than the limit.
        case tooLong
    }

    /// The bytes of the block, where there is a line yet to be read.
    var bytes: [UInt8] = []
    /// One for each shard.
    private(set) var parts: [Part]
    /// The lines that are yet to be read.
    private(set) var others: [Int: Other] = [:]
    /// How many lines there are.
    private(set) var count = 0
    /// For each device the highest number among the block's writes.
    var numbers: DeviceNumbers
    /// By which the names of records are hashed.
    private let hashKey: HashKey

    /// A block without lines.
    ///
    /// - Parameters:
    ///   - shards: How many shards the records are divided among.
    ///   - hashKey: By which their names are hashed.
    ///   - capacity: About how many lines there will be.
    init(shards: Int, hashKey: HashKey, capacity: Int) {
        self.hashKey = hashKey
        numbers = DeviceNumbers(hashKey: hashKey)
        parts = (0..<shards).map { _ in Part(capacity: capacity / shards) }
    }

    /// Whether all lines are read.
    var isPlain: Bool { others.isEmpty }

    /// The write of a line, nil where it is none.
    func write(at line: Int) -> TaggedWrite? {
        for part in parts {
            if let write = part.write(at: line) { return write }
        }
        return nil
    }

    /// The time of the first write or merge, in milliseconds since 1970; nil where there is none.
    var firstMilliseconds: Int64? { parts.compactMap(\.first).min { $0.line < $1.line }?.milliseconds }

    /// Marks every write by what a body says of it, in the order of the lines.
    mutating func markEachWrite(_ body: (_ line: Int, _ recordHash: UInt64, _ write: TaggedWrite) -> Marks) {
        var next = [Int](repeating: 0, count: parts.count)
        var lines = parts.map { $0.line(at: 0) ?? .max }
        while let part = lines.indices.min(by: { lines[$0] < lines[$1] }), lines[part] < .max {
            if let (write, hash) = parts[part].write(atIndex: next[part]), case let marks = body(lines[part], hash, write), !marks.isEmpty {
                parts[part].mark(atIndex: next[part], marks)
            }
            next[part] += 1
            lines[part] = parts[part].line(at: next[part]) ?? .max
        }
    }

    /// Adds the write of the next line.
    mutating func append(_ write: consuming TaggedWrite) {
        let hash = write.recordHash(hashKey)
        parts[owner(hash)].append(write, hash: hash, line: count)
        count += 1
    }

    /// Adds the next line, which is not an ordinary write.
    mutating func append(_ other: Other) {
        others[count] = other
        count += 1
    }

    /// Replaces a line that had not been read with a write.
    mutating func replace(at line: Int, with write: TaggedWrite) {
        others[line] = nil
        let hash = write.recordHash(hashKey)
        parts[owner(hash)].insert(write, hash: hash, line: line)
    }

    /// Replaces a line that had not been read with a comparison of clocks, which concerns every shard.
    mutating func replace(at line: Int, with measurement: ClockMeasurement) {
        others[line] = nil
        for index in parts.indices { parts[index].insert(measurement, line: line) }
    }

    /// Replaces a line that had not been read with a merge, which needs nothing of what a shard knows.
    mutating func replace(at line: Int, with merge: RecordedMerge) {
        others[line] = nil
        parts[line % parts.count].insert(merge, line: line)
    }

    /// Takes out the lines from one on.
    mutating func removeLines(from line: Int) {
        for index in parts.indices { parts[index].removeLines(from: line) }
        others = others.filter { $0.key < line }
        count = line
    }

    /// Takes out what concerns each shard.
    mutating func extractParts() -> [Part] {
        defer { parts = [] }
        return parts
    }

    /// Made of other bits than those by which ``RecordTable`` places a record, so that a shard's are spread over all of its table.
    private func owner(_ hash: UInt64) -> Int { Int(UInt32(truncatingIfNeeded: hash) % UInt32(parts.count)) }
}
