import AuditLog
import ConflictAudit
import SyncModel
import SyncOracle

/// The edit history of a data file kept by 1,352 people, with exact causality, among the package's samples.
enum RealHistory {
    static func writes() throws -> [TaggedWrite] {
        var reader = AuditLogReader()
        var writes: [TaggedWrite] = []
        try reader.read(path: sample("traces/languages-writes.jsonl.gz")) { line, _ in
            if case .write(let write) = line.event.content { writes.append(write) }
        }
        return writes
    }

    static func audited(_ writes: [TaggedWrite], sink: some AuditSink = BroadcastingAuditSink([])) -> TraceAuditor {
        var auditor = TraceAuditor(sink: sink)
        for write in writes { auditor.observe(write) }
        return auditor
    }
}
