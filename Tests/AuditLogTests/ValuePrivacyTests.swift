import AuditLog
import ConflictAudit
import SyncMerge
import SyncModel
import Testing

@Suite struct ValuePrivacyTests {
    private let conflict = RoundTripTests.conflict

    @Test func omittedLeavesNoValue() {
        let bare = ValuePrivacy.omitted.applied(to: conflict)
        #expect(bare.winner.value == nil && bare.loser.value == nil && bare.ancestor == nil && bare.result == nil)
        #expect(bare.winner.dot == conflict.winner.dot)
        #expect(ValuePrivacy.full.applied(to: conflict) == conflict)
    }

    @Test func aFieldMayHaveARuleOfItsOwn() {
        let email = ConflictStatistics.FieldKey(type: "Card", field: "email")
        #expect(ValuePrivacy(.omitted, fields: [email: .full]).applied(to: conflict) == conflict)
        #expect(ValuePrivacy(.full, fields: [email: .omitted]).applied(to: conflict).loser.value == nil)
    }

    @Test func wholeRecordsKeepTheFieldsThatMayBeKept() {
        let side = Conflict.Side(
            dot: conflict.winner.dot, timestamp: conflict.winner.timestamp, operation: .put, value: ["email": 1, "name": 2])
        let whole = Conflict(
            id: conflict.id, kind: .disjointUpdate, severity: .merged, basis: .causal, key: conflict.key, field: nil, winner: side,
            loser: side,
            gap: .zero, withinWindow: true, window: .zero, policy: "p", resolution: .merged, reason: .newer,
            clockSuspect: false)
        let privacy = ValuePrivacy(.full, fields: [ConflictStatistics.FieldKey(type: "Card", field: "email"): .omitted])
        #expect(privacy.applied(to: whole).winner.value == ["name": 2])
    }
}
