import AuditLog
import ConflictAudit
import SyncLines
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
        /// The first line whose write carries the name of another.
        var firstDotCollision: Int?
    }

    let privacy: ValuePrivacy
    private let names: Locked<NameSearch>
    /// Whether names are still looked for: mostly they are found in the first lines, and then no lock is taken.
    private var isSearching: Bool
    /// The longest line written, in bytes.
    let maximumLineLength: Int
    var auditor: TraceAuditor
    private(set) var latest = Int64.min
    /// Writes that carry the name of another.
    private(set) var dotCollisions = 0
    /// Where conflicts are written; used again each time.
    private var buffer = LineBuffer()
    /// Lines that would have been longer than any reader reads, so that values were left out.
    private(set) var shortenedLines = 0

    init(privacy: ValuePrivacy, names: Locked<NameSearch>, maximumLineLength: Int, auditor: TraceAuditor) {
        self.privacy = privacy
        self.names = names
        isSearching = names.withLock { !$0.missing.isEmpty }
        self.maximumLineLength = maximumLineLength
        self.auditor = auditor
    }

    /// Takes what concerns this shard of a block, until `limit` bytes have been written; the rest of it stays where it is.
    mutating func audit(_ part: inout DecodedBlock.Part, limit: Int) -> Findings {
        var findings = Findings()
        buffer.truncate(to: 0)
        while buffer.count < limit, let line = part.nextLine {
            let hash = part.nextHash
            if let write = part.popWrite() {
                audit(write, hash: hash, at: line, isDotCollision: part.dotCollisions.contains(line), into: &findings)
            } else if let merge = part.popMerge() {
                latest = max(latest, merge.time.millisecondsSince1970)
                if isSearching { names.withLock { $0.observe(merge) } }
                append(auditor.observe(merge), at: line, to: &findings)
            } else if let measurement = part.popClock() {
                auditor.observe(measurement)
            }
        }
        findings.bytes = buffer.array
        return findings
    }

    private mutating func audit(_ write: TaggedWrite, hash: UInt64, at line: Int, isDotCollision: Bool, into findings: inout Findings) {
        latest = max(latest, write.timestamp.milliseconds)
        if isSearching { search(write) }
        let before = auditor.dotCollisions
        let conflicts = auditor.observe(write, hash: hash)
        if isDotCollision || auditor.dotCollisions > before {
            dotCollisions += 1
            if findings.firstDotCollision == nil { findings.firstDotCollision = line }
        }
        append(conflicts, at: line, to: &findings)
    }

    private mutating func append(_ conflicts: [Conflict], at line: Int, to findings: inout Findings) {
        for index in conflicts.indices {
            let start = buffer.count
            var gap = privacy.hidesNothing ? append(conflicts.span[index]) : append(privacy.applied(to: conflicts[index]))
            // The number is yet to come.
            if buffer.count - start > maximumLineLength - 32 {
                buffer.truncate(to: start)
                gap = append(ValuePrivacy.omitted.applied(to: conflicts[index]))
                shortenedLines += 1
            }
            findings.lines.append(Finding(line: line, start: start, gap: gap, end: buffer.count))
        }
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
    private mutating func append(_ conflict: Conflict) -> Int {
        LineEncoder.appendWithGap(conflict, source: .auditOfTrace, to: &buffer)
    }
}
