import ConflictAudit
import SyncModel

/// Audits the records that fall to one thread, and encodes their conflicts.
struct AuditShard {
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
    }

    /// Who a line says has logged it, where no device did.
    static let source: DeviceID = "syncaudit"

    let number: Int
    let privacy: ValuePrivacy
    var auditor: TraceAuditor
    private(set) var latest = Int64.min

    init(number: Int, privacy: ValuePrivacy, auditor: TraceAuditor) {
        self.number = number
        self.privacy = privacy
        self.auditor = auditor
    }

    /// Takes this shard's writes of a round of blocks.
    mutating func audit(_ blocks: [DecodedBlock]) -> Findings {
        var findings = Findings()
        var buffer = LineBuffer()
        var position = 0
        for block in blocks {
            for item in block.items {
                switch item {
                case .write(let write, number): audit(write, at: position, into: &findings, &buffer)
                case .clock(let measurement): auditor.observe(measurement)
                case .write, .unread, .tooLong: break
                }
                position += 1
            }
        }
        findings.bytes = buffer.array
        return findings
    }

    private mutating func audit(_ write: TaggedWrite, at position: Int, into findings: inout Findings, _ buffer: inout LineBuffer) {
        latest = max(latest, write.timestamp.milliseconds)
        let misnamed = auditor.misnamedWrites
        let conflicts = auditor.observe(write)
        if auditor.misnamedWrites > misnamed, findings.firstMisnamed == nil { findings.firstMisnamed = position }
        for conflict in conflicts {
            let start = buffer.count
            // Dated by the data, so that the same trace always gives the same lines.
            let event = AuditEvent(at: conflict.milliseconds, .conflict(privacy.applied(to: conflict)))
            let gap = LineEncoder.appendWithGap(event, sequence: nil, source: Self.source, to: &buffer)
            findings.lines.append(Finding(position: position, start: start, gap: gap, end: buffer.count))
        }
    }
}
