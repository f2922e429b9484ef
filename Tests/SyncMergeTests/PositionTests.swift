import SyncModel
import Testing

@testable import SyncMerge

/// What comes out when the hub's order of concurrent writes becomes known or another.
@Suite struct PositionTests {
    private func received(_ write: TaggedWrite, at position: UInt64) -> TaggedWrite {
        write.received(TaggedWrite.Receipt(milliseconds: nil, hubSequence: position))
    }

    @Test func theOtherWinnerIsTold() {
        let (phone, tablet) = (put("phone", at: 1, ["x": 1]), put("tablet", at: 1, ["x": 2]))
        var replica = OneRecord([received(phone, at: 1), received(tablet, at: 2)], rules: MergeRules(standard: .fields(.lastArrivalWins)))
        replica.decisions = []
        replica.merge(received(phone, at: 3))
        #expect(replica.decisions == ["x: phone:1 over tablet:1, policy"])
        #expect(replica.shown == ["x": 1])
    }

    @Test func deletesAreOrderedByTheirTimestamps() {
        let (phone, tablet) = (delete("phone", at: 2), delete("tablet", at: 1))
        var replica = OneRecord([received(phone, at: 1), received(tablet, at: 2)], rules: MergeRules(standard: .record(.lastArrivalWins)))
        replica.decisions = []
        replica.merge(received(phone, at: 3))
        #expect(replica.decisions == [])
        #expect(replica.winner(of: nil) == "phone:1")
    }
}
