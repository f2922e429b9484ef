import ConflictAudit
import SyncMonitoring
import Testing

@Suite struct RefreshPolicyTests {
    @Test(arguments: [
        (false, false, false, RefreshDecision.nothing),
        (false, false, true, .nothing),
        (false, true, false, .nothing),
        (false, true, true, .nothing),
        (true, false, false, .deferred),
        (true, false, true, .refresh),
        (true, true, false, .deferred),
        (true, true, true, .deferred),
    ])
    func everySituationHasItsDecision(hasRemoteChange: Bool, hasUnsavedEdits: Bool, isInForeground: Bool, decision: RefreshDecision) {
        let situation = RefreshSituation(
            hasRemoteChange: hasRemoteChange, hasUnsavedEdits: hasUnsavedEdits, isInForeground: isInForeground)
        #expect(situation.decision == decision)
    }
}
