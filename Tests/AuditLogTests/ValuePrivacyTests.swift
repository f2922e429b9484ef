import AuditLog
import ConflictAudit
import SyncLines
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

    @Test func theNameOfARecordIsAValueOfItsField() throws {
        var named = conflict
        named.name = RecordName(field: "title", value: "Plan")
        let (title, email) = (
            ConflictStatistics.FieldKey(type: "Card", field: "title"), ConflictStatistics.FieldKey(type: "Card", field: "email")
        )
        #expect(ValuePrivacy.omitted.applied(to: named).name == nil)
        #expect(ValuePrivacy(.full, fields: [title: .omitted]).applied(to: named).name == nil)
        #expect(ValuePrivacy(.full, fields: [email: .omitted]).applied(to: named).name == named.name)
        #expect(ValuePrivacy(.omitted, fields: [title: .full]).applied(to: named).name == named.name)
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

    @Test func whatAWriteCarriesIsLeftOutAlike() {
        let write = TaggedWrite(
            dot: Dot(device: "a", sequence: 1), timestamp: HybridTimestamp(milliseconds: 1), key: conflict.key,
            operation: .put(["name": "x"]),
            seen: VersionVector(), carried: ["email": "secret"])
        let privacy = ValuePrivacy(.full, fields: [ConflictStatistics.FieldKey(type: "Card", field: "email"): .omitted])
        for (privacy, name) in [(ValuePrivacy.omitted, FieldValue.object(["$omitted": "a:1"])), (privacy, "x")] {
            let left = privacy.applied(to: write)
            #expect(left.fields == ["name": name] && left.carried == ["email": .object(["$omitted": "a:1"])])
            #expect(WriteLine.bare(left) == WriteLine.bare(privacy.applied(to: left)))
        }
    }
}
