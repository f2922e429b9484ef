import ConflictAudit
import Testing

@Suite struct BroadcastingTests {
    private struct Keeper: AuditSink, ConflictKeeper {
        func record(_ event: AuditEvent) {}
        func keptConflicts(among ids: Set<ConflictID>) -> Set<ConflictID>? { ids }
        var conflictKeeper: (any ConflictKeeper)? { self }
    }

    @Test func theFirstSinkThatKeepsConflictsIsAsked() {
        let sinks = BroadcastingAuditSink([BroadcastingAuditSink([]), Keeper()])
        #expect(sinks.conflictKeeper?.keptConflicts(among: [ConflictID(rawValue: 1)]) == [ConflictID(rawValue: 1)])
        #expect(BroadcastingAuditSink([]).conflictKeeper == nil)
    }
}
