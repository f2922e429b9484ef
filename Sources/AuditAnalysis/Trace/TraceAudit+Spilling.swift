package import AuditLog
import ConflictAudit
import SyncLines
import SyncModel
import SyncSystem

extension TraceAudit {
    /// Ends the reading of traces: audits the writes that did not fit into memory, and writes what was held back for them.
    ///
    /// What comes out in all is what would have come out with more memory.
    ///
    /// - Parameters:
    ///   - onRead: Is told of every reading of the ``spilledBytes``.
    ///   - write: Takes whole lines of conflicts.
    package mutating func finish(onRead: ReadingObserver? = nil, _ write: ([UInt8]) throws -> Void) throws {
        try checkFailure()
        guard let held, let space = retention.space else { return }
        let files = try shards.map { _ in try SpillFile(space) }
        let runs = inParallel(shards, count: shards.count) { shard, index in
            Result { try shard.auditSpilled(files[index], space, onRead: onRead) }
        }
        var readers = [try held.entries()]
        for (file, runs) in zip(files, runs) {
            for run in try runs.get() where run.start < run.end { readers.append(try file.entries(from: run.start, to: run.end)) }
        }
        var output: [UInt8] = []
        var key = LineBuffer(capacity: 32)
        var findings = try MergedEntries(readers) { ($0.position, $0) }
        while let finding = try findings.next() {
            appendNumbered(finding.bytes[...], gap: Int(finding.number), &key, to: &output)
            guard output.count >= 1 << 18 else { continue }
            try write(output)
            output.removeAll(keepingCapacity: true)
        }
        self.held = nil
        if !output.isEmpty { try write(output) }
    }

    /// How many bytes of writes did not fit into memory and are yet to be audited.
    package var spilledBytes: Int64 { shards.reduce(0) { sum, shard in sum + shard.withLock { $0.spilled?.size ?? 0 } } }

    /// Writes the merged records, deleted ones left out, a line for each: in order of type and identity, or, with one record held at a time, in the order of
    /// the trace.
    ///
    /// - Precondition: ``finish(_:)`` has been called.
    package func writeState(_ write: ([UInt8]) throws -> Void) throws {
        let readers = try shards.flatMap { try $0.withLock { try $0.stateReaders() } }
        if readers.isEmpty {
            for (key, fields) in records() {
                try write(StateLine(key: key, fields: fields, edits: stateDetail == .edits ? edits(of: key) : nil).bytes)
            }
        } else if case .oneRecord = retention {
            var lines = try MergedEntries(readers) { ($0.position, try StateLine($0)) }
            while let line = try lines.next() { try write(line.bytes) }
        } else {
            var lines = try MergedEntries(readers) { entry in
                let line = try StateLine(entry)
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
        AuditLogReader.Location(file: inputs[Int(position >> 40)], line: Int(position & (1 << 40 - 1)))
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
    private let decode: (SpillFile.Entry) throws -> (key: Key, item: Item)
    private var heads = BinaryHeap<Head>()

    init(_ readers: [SpillFile.Reader], decode: @escaping (SpillFile.Entry) throws -> (key: Key, item: Item)) throws {
        (self.readers, self.decode) = (readers, decode)
        for index in readers.indices { try advance(index) }
    }

    private mutating func advance(_ reader: Int) throws {
        guard let entry = try readers[reader].next() else { return }
        let (key, item) = try decode(entry)
        heads.insert(Head(key: key, reader: reader, item: item))
    }

    /// The next, nil where there is none.
    mutating func next() throws -> Item? {
        guard let head = heads.removeFirst() else { return nil }
        try advance(head.reader)
        return head.item
    }
}
