import ConflictAudit
import ConflictAuditTesting
import Testing

/// The edit history of a data file kept by many people; what takes longer is in `HistoryTests`.
@Suite struct RealTraceTests {
    @Test func theConflictsAreExactlyThoseThatHappened() throws {
        let sink = CollectingAuditSink()
        let statistics = RealHistory.audited(try RealHistory.writes(), sink: sink).statistics
        #expect(statistics.writesObserved == 7103)
        #expect(statistics.totalConflicts == 910)
        #expect(statistics.byKind == [.updateUpdate: 641, .disjointUpdate: 210, .insertInsert: 55, .deleteUpdate: 4])
        #expect(statistics.bySeverity == [.benign: 633, .merged: 210, .lossy: 63, .destructive: 4])
        #expect(statistics.byBasis == [.causal: 910])
        #expect(statistics.withinWindow == 6)
        #expect(statistics.staleOverwrites == 1)
        #expect(statistics.dataLost == 67)
        #expect(sink.conflicts.count == 910)
        #expect(Set(sink.conflicts.map(\.id)).count == 910)
    }
}
