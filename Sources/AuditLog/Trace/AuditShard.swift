import ConflictAudit
import SyncModel

/// Audits the records that fall to one thread, and encodes their conflicts.
struct AuditShard: ~Copyable {
    /// A conflict's line, complete but for its number.
    struct Finding: Sendable {
        /// Where in the round the write stands whose arrival brought the conflict to light.
        let position: Int
        /// Where the line starts, where its number goes, and where it ends.
        let start: Int
        let gap: Int
        let end: Int
    }

    /// What one round of blocks brought to light, in order.
    struct Findings: Sendable {
        var bytes: [UInt8] = []
        var lines: [Finding] = []
        /// Where in the round the first write stands that carries the name of another.
        var firstMisnamed: Int?
        /// Where in the round to go on, nil at its end.
        var resume: Int?
    }

    let number: Int
    let privacy: ValuePrivacy
    /// The longest line written, in bytes.
    let maximumLineLength: Int
    var auditor: TraceAuditor
    private(set) var latest = Int64.min
    /// Where conflicts are written; used again each time.
    private var buffer = LineBuffer()
    /// Lines that would have been longer than any reader reads, so that values were left out.
    private(set) var shortenedLines = 0

    init(number: Int, privacy: ValuePrivacy, maximumLineLength: Int, auditor: TraceAuditor) {
        self.number = number
        self.privacy = privacy
        self.maximumLineLength = maximumLineLength
        self.auditor = auditor
    }

    /// Takes this shard's writes of a round of blocks, from a position on, until so many bytes have been written.
    mutating func audit(_ blocks: [DecodedBlock], from start: Int, limit: Int) -> Findings {
        var findings = Findings()
        buffer.truncate(to: 0)
        var position = 0
        for block in blocks {
            guard position + block.count > start else {
                position += block.count
                continue
            }
            let first = max(0, start - position)
            for index in first..<block.count {
                let owner = block.owners[index]
                guard owner == number || owner == DecodedBlock.everyone else { continue }
                if buffer.count >= limit {
                    findings.resume = position + index
                    findings.bytes = buffer.array
                    return findings
                }
                if let write = block.writes[index] {
                    audit(write, hash: block.hashes[index], at: position + index, into: &findings)
                } else {
                    observe(block.others[index])
                }
            }
            position += block.count
        }
        findings.bytes = buffer.array
        return findings
    }

    /// Takes a line that is no write.
    @inline(never) private mutating func observe(_ line: DecodedBlock.Other?) {
        if case .clock(let measurement)? = line { auditor.observe(measurement) }
    }

    private mutating func audit(_ write: TaggedWrite, hash: UInt64, at position: Int, into findings: inout Findings) {
        latest = max(latest, write.timestamp.milliseconds)
        let misnamed = auditor.misnamedWrites
        let conflicts = auditor.observe(write, hash: hash)
        if auditor.misnamedWrites > misnamed, findings.firstMisnamed == nil { findings.firstMisnamed = position }
        for index in conflicts.indices {
            let start = buffer.count
            var gap = privacy.hidesNothing ? append(conflicts.span[index]) : append(privacy.applied(to: conflicts[index]))
            // The number is yet to come.
            if buffer.count - start > maximumLineLength - 32 {
                buffer.truncate(to: start)
                gap = append(ValuePrivacy.omitted.applied(to: conflicts[index]))
                shortenedLines += 1
            }
            findings.lines.append(Finding(position: position, start: start, gap: gap, end: buffer.count))
        }
    }

    /// Appends a conflict's line, dated by the data, so that the same trace always gives the same lines.
    ///
    /// - Returns: Where its number goes.
    private mutating func append(_ conflict: Conflict) -> Int {
        LineEncoder.appendWithGap(conflict, source: .auditOfTrace, to: &buffer)
    }
}
