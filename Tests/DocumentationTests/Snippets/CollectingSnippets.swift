import ConflictAudit
import ConflictAuditTesting
import Testing

@Suite struct CollectingSnippets {
    @Test func collecting() {
        let writes = Samples.writes
        let log = CollectingAuditSink()
        var auditor = TraceAuditor(sink: log)
        for write in writes { auditor.observe(write) }
        assert(log.conflicts.allSatisfy { !$0.severity.isLoss })
        #expect(log.conflicts.count == 1)
    }
}
