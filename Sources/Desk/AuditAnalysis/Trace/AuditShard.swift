import AuditLog
import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel
import SyncSystem

/// Audits the records that fall to one thread, and encodes their conflicts.
struct AuditShard: ~Copyable {
    /// A conflict's line, complete but for its number.
    struct Finding: Sendable {
        /// The line of the block whose write brought the conflict to light, from 0.
        let line: Int
        /// Where the text starts, where its number goes, and where it ends.
        let start: Int
        let gap: Int
        let end: Int
    }

    /// What a part of a block brought to light, in order.
    struct Findings: Sendable {
        var bytes: [UInt8] = []
        var lines: [Finding] = []
    }

    let privacy: ValuePrivacy
    private let names: Locked<NameSearch>
    /// Whether names are still looked for: mostly they are found in the first lines, and then no lock is taken.
    private var isSearching: Bool
    /// The longest line written, in bytes.
    let maximumLineLength: Int
    var auditor: TraceAuditor
    private(set) var latest = Int64.min
    /// Writes that carry the name of another, and the position of the first.
    private(set) var dotCollisions = 0
    private(set) var firstDotCollision: UInt64?
    /// How much is held in memory.
    let retention: Retention
    /// Writes to records that are not held in memory; nil where all are.
    var spilled: SpilledWrites?
    var coder: SpilledWriteCoder
    /// What is told of merged records in the end; nil where nobody wants them.
    let stateDetail: StateDetail?
    /// The records that are no longer held, as ``StateLine``s, and which of it is in order.
    var states: SpillFile?
    var stateRuns: [Run] = []
    /// With one record at a time: the position of its first write.
    var heldSince: UInt64 = 0
    /// Where a failure is told, which ends the audit.
    let failure: Locked<(any Error)?>
    /// With records one after the other: those that are finished.
    private var finished: Set<UInt64> = []
    /// Where conflicts are written; used again each time.
    private var buffer = LineBuffer()
    /// Lines that would have been longer than any reader reads, so that values were left out.
    private(set) var shortenedLines = 0

    init(
        privacy: ValuePrivacy, names: Locked<NameSearch>, maximumLineLength: Int, auditor: TraceAuditor, hashKey: HashKey,
        retention: Retention, stateDetail: StateDetail?, failure: Locked<(any Error)?>
    ) {
        self.stateDetail = stateDetail
        self.retention = retention
        self.failure = failure
        self.privacy = privacy
        self.names = names
        isSearching = names.withLock { !$0.missing.isEmpty }
        self.maximumLineLength = maximumLineLength
        self.auditor = auditor
        coder = SpilledWriteCoder(hashKey: hashKey)
    }

    /// Takes what concerns this shard of a block, until `limit` bytes have been written; the rest of it stays where it is.
    ///
    /// - Parameter start: The position of the block's first line.
    mutating func audit(_ part: inout DecodedBlock.Part, from start: UInt64, limit: Int) -> Findings {
        var findings = Findings()
        buffer.truncate(to: 0)
        while buffer.count < limit, let line = part.nextLine {
            let (hash, marks) = (part.nextHash, part.nextMarks)
            if let write = part.popWrite() {
                latest = max(latest, write.timestamp.milliseconds)
                if isSearching { search(write) }
                let item = SpilledWrites.Item(
                    write: write, hash: hash, position: start + UInt64(line), isDotCollision: marks.contains(.dotCollision),
                    isOpen: marks.contains(.openContext))
                if makeRoom(for: item) { append(audit(item), at: line, to: &findings) }
            } else if let merge = part.popMerge() {
                latest = max(latest, merge.time.millisecondsSince1970)
                if isSearching { names.withLock { $0.observe(merge) } }
                append(auditor.observe(merge), at: line, to: &findings)
            } else if let measurement = part.popClock() {
                auditor.observe(measurement)
                attempt { (shard) throws in try shard.spilled?.append(measurement, at: start + UInt64(line)) }
            }
        }
        findings.bytes = buffer.array
        return findings
    }

    /// Merges a write.
    mutating func audit(_ item: SpilledWrites.Item) -> [Conflict] {
        let before = auditor.dotCollisions
        let conflicts = auditor.observe(item.write, hash: item.hash, isOpen: item.isOpen)
        if item.isDotCollision || auditor.dotCollisions > before {
            dotCollisions += 1
            firstDotCollision = min(firstDotCollision ?? item.position, item.position)
        }
        return conflicts
    }

    /// Says whether a write is to be merged now, and keeps it for later where its record is not held and no more may be.
    private mutating func makeRoom(for item: SpilledWrites.Item) -> Bool {
        switch retention {
        case .everything: return true
        case .oneRecord:
            guard !auditor.holds(recordOf: item.write, hash: item.hash) else { return true }
            attempt { (shard) throws in
                try shard.releaseRecords(from: item.position)
                if shard.finished.count >= Self.finishedLimit { shard.finished.removeAll(keepingCapacity: true) }
                guard shard.finished.insert(item.hash).inserted else {
                    throw UngroupedRecord(key: item.write.key, position: item.position)
                }
            }
            return true
        case .some:
            guard spilled != nil, !auditor.holds(recordOf: item.write, hash: item.hash) else { return true }
            attempt { (shard) throws in try shard.spilled?.append(item, by: &shard.coder) }
            return false
        }
    }

    /// How many finished records are remembered, to notice one that comes back.
    static let finishedLimit = 1 << 20

    /// Does what may fail; after a failure, which is told once, nothing.
    mutating func attempt(_ body: (inout AuditShard) throws -> Void) {
        guard failure.withLock({ $0 == nil }) else { return }
        do {
            try body(&self)
        } catch {
            failure.withLock { if $0 == nil { $0 = error } }
        }
    }

    private mutating func append(_ conflicts: [Conflict], at line: Int, to findings: inout Findings) {
        for index in conflicts.indices {
            let (start, gap) = (buffer.count, append(conflicts[index]))
            findings.lines.append(Finding(line: line, start: start, gap: gap, end: buffer.count))
        }
    }

    /// The lines of conflicts, and where in each its number goes.
    mutating func lines(of conflicts: [Conflict]) -> [(gap: Int, bytes: [UInt8])] {
        conflicts.map { conflict in
            buffer.truncate(to: 0)
            let gap = append(conflict)
            return (gap, buffer.array)
        }
    }

    /// Appends a conflict's line.
    ///
    /// - Returns: Where its number goes.
    private mutating func append(_ conflict: Conflict) -> Int {
        let start = buffer.count
        let gap = privacy.hidesNothing ? appendWhole(conflict) : appendWhole(privacy.applied(to: conflict))
        // The number is yet to come.
        guard buffer.count - start > maximumLineLength - 32 else { return gap }
        buffer.truncate(to: start)
        shortenedLines += 1
        return appendWhole(ValuePrivacy.omitted.applied(to: conflict))
    }

    private mutating func search(_ write: TaggedWrite) {
        isSearching = names.withLock { names in
            names.observe(write)
            return !names.missing.isEmpty
        }
    }

    /// Appends a conflict's line, dated by the data, so that the same trace always gives the same lines.
    ///
    /// - Returns: Where its number goes.
    private mutating func appendWhole(_ conflict: Conflict) -> Int {
        LineEncoder.appendWithGap(conflict, source: .auditOfTrace, to: &buffer)
    }
}
