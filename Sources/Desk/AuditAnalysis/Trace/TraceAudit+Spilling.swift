package import AuditLog
import ConflictAudit
import SyncBytes
import SyncModel
import SyncSystem

extension TraceAudit {
    /// Ends the reading of traces: audits the writes that did not fit into memory, and writes what was held back for them.
    ///
    /// What comes out in all is what would have come out with more memory.
    ///
    /// - Parameters:
    ///   - progress: Is asked, before a number of bytes of temporary files is read, for who is told of every reading of them.
    ///   - write: Takes whole lines of conflicts.
    package mutating func finish(progress: ((_ total: Int64) -> ReadingObserver?)? = nil, _ write: ([UInt8]) throws -> Void) throws {
        try checkFailure()
        guard let held, let space = retention.space else {
            var output: [UInt8] = []
            tellRules(in: &output)
            return output.isEmpty ? () : try write(output)
        }
        let files = try shards.map { _ in try SpillFile(space) }
        let onRead = progress?(shards.reduce(0) { sum, shard in sum + shard.withLock { $0.spilled?.size ?? 0 } })
        let runs = inParallel(shards, count: shards.count) { shard, index in
            Result { try shard.auditSpilled(files[index], space, onRead: onRead) }
        }
        let found = try runs.map { try $0.get() }
        let onMerge = progress?(held.size + files.reduce(0) { $0 + $1.size })
        var readers = [try held.entries(onRead: onMerge)]
        for (file, runs) in zip(files, found) {
            for run in runs where run.start < run.end { readers.append(try file.entries(from: run.start, to: run.end, onRead: onMerge)) }
        }
        var output: [UInt8] = []
        var key = LineBuffer(capacity: 32)
        var findings = try MergedEntries(readers) { bytes throws(CodingFailure) in
            let finding = try HeldFinding(from: &bytes)
            return (finding.position, finding)
        }
        while let finding = try findings.next() {
            appendNumbered(finding.bytes[...], gap: finding.gap, &key, to: &output)
            guard output.count >= 1 << 18 else { continue }
            try write(output)
            output.removeAll(keepingCapacity: true)
        }
        self.held = nil
        tellRules(in: &output)
        if !output.isEmpty { try write(output) }
    }

    /// Writes the merged records, deleted ones left out, a line for each: in order of type and identity, or, with one record held at a
    /// time, in the order of the trace.
    ///
    /// - Precondition: ``finish(_:)`` has been called.
    package func writeState(_ write: ([UInt8]) throws -> Void) throws {
        let readers = try shards.flatMap { try $0.withLock { try $0.stateReaders() } }
        if readers.isEmpty {
            for (key, fields) in records() {
                try write(StateLine(key: key, fields: fields, edits: stateDetail == .edits ? edits(of: key) : nil).bytes)
            }
        } else if case .oneRecord = retention {
            var lines = try MergedEntries(readers) { bytes throws(CodingFailure) in (try bytes.number(), try StateLine(from: &bytes)) }
            while let line = try lines.next() { try write(line.bytes) }
        } else {
            var lines = try MergedEntries(readers) { bytes throws(CodingFailure) in
                _ = try bytes.number()
                let line = try StateLine(from: &bytes)
                return (line.key, line)
            }
            while let line = try lines.next() { try write(line.bytes) }
        }
    }

    /// Throws what has failed in a shard.
    func checkFailure() throws {
        guard let error = failure.withLock({ $0 }) else { return }
        guard let record = error as? UngroupedRecord else { throw error }
        let (key, location) = (record.key, location(record.position))
        throw AuditLogError(
            .badData,
            "\(location.file.escaped(for: .terminal)):\(location.line): the record \(key.type.rawValue.quoted) \(key.id.rawValue.quoted) comes again after "
                + "writes to others, so the input is not grouped by record: sort it by record, or leave out --grouped")
    }

    /// Where a position is.
    func location(_ position: UInt64) -> AuditLogReader.Location {
        AuditLogReader.Location(file: inputs[Int(clamping: position >> 40)], line: Int(clamping: position & (1 << 40 - 1)))
    }
}

/// A conflict's line that waits for those before it, complete but for its number.
struct HeldFinding {
    /// The position of the write that brought the conflict to light.
    let position: UInt64
    /// Where in the line its number goes.
    let gap: Int
    let bytes: [UInt8]

    /// Reads what ``write(_:gap:at:to:)`` wrote.
    init(from bytes: inout ByteReader) throws(CodingFailure) {
        position = try bytes.number()
        gap = Int(clamping: try bytes.number())
        self.bytes = try bytes.counted()
    }

    /// Writes a line, to be read back.
    static func write(_ line: Span<UInt8>, gap: Int, at position: UInt64, to bytes: inout ByteWriter) {
        bytes.number(position)
        bytes.number(UInt64(gap))
        bytes.counted(line)
    }
}

/// What the entries of several readers hold, each of which is in order, in order.
private struct MergedEntries<Key: Comparable, Item> {
    private struct Head: Comparable {
        let key: Key
        let reader: Int
        let item: Item

        static func == (left: Self, right: Self) -> Bool { left.key == right.key && left.reader == right.reader }
        static func < (left: Self, right: Self) -> Bool { left.key != right.key ? left.key < right.key : left.reader < right.reader }
    }

    private var readers: [SpillFile.Reader]
    private let read: (inout ByteReader) throws(CodingFailure) -> (key: Key, item: Item)
    private var heads = BinaryHeap<Head>()

    init(
        _ readers: [SpillFile.Reader], read: @escaping (inout ByteReader) throws(CodingFailure) -> (key: Key, item: Item)
    ) throws {
        (self.readers, self.read) = (readers, read)
        for index in readers.indices { try advance(index) }
    }

    private mutating func advance(_ reader: Int) throws {
        guard let (key, item) = try readers[reader].next(read) else { return }
        heads.insert(Head(key: key, reader: reader, item: item))
    }

    /// The next, nil where there is none.
    mutating func next() throws -> Item? {
        guard let head = heads.removeFirst() else { return nil }
        try advance(head.reader)
        return head.item
    }
}
