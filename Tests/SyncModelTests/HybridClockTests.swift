import SyncModel
import Testing

/// The hybrid clock never runs backwards.
@Suite struct HybridClockTests {
    private func timestamp(_ milliseconds: Int64, _ counter: UInt32 = 0) -> HybridTimestamp {
        HybridTimestamp(milliseconds: milliseconds, counter: counter)
    }

    private func time(_ milliseconds: Int64) -> WallTime { WallTime(millisecondsSince1970: milliseconds) }

    @Test func theClockFollowsTheWallClockAndCountsWhileItIsBehind() {
        var clock = HybridClock()
        let walls: [Int64] = [1000, 1000, 1001, 500, 500, 1001, 1002, 9000, 1003]
        let expected = [
            timestamp(1000), timestamp(1000, 1), timestamp(1001), timestamp(1001, 1), timestamp(1001, 2), timestamp(1001, 3),
            timestamp(1002), timestamp(9000),
            timestamp(9000, 1),
        ]
        #expect(walls.map { clock.now(wall: time($0)) } == expected)
        #expect(clock.latest == timestamp(9000, 1))
    }

    @Test func theClockIsLaterThanWhatItHasObserved() throws {
        var clock = HybridClock()
        _ = clock.now(wall: time(1000))
        try clock.observe(timestamp(1500, 7), wall: time(1000))
        #expect(clock.now(wall: time(1000)) == timestamp(1500, 8))
        try clock.observe(timestamp(10), wall: time(1000))
        #expect(clock.now(wall: time(1000)) == timestamp(1500, 9))
        #expect(clock.now(wall: time(1501)) == timestamp(1501))
    }

    @Test func theClockContinuesAfterTheTimestampOfAnEarlierRun() {
        var clock = HybridClock(after: timestamp(5000, 3))
        #expect(clock.now(wall: time(1)) == timestamp(5000, 4))
    }

    @Test func aFullCounterMovesOnToTheNextMillisecond() {
        var clock = HybridClock(after: timestamp(1000, .max))
        #expect(clock.now(wall: time(1000)) == timestamp(1001))
        #expect(clock.now(wall: time(1001)) == timestamp(1001, 1))
    }

    @Test func aWallClockBefore1970DoesNotPullTheClockBack() {
        var clock = HybridClock()
        #expect(clock.now(wall: time(-5)) == timestamp(0, 1))
        #expect(clock.now(wall: time(.min)) == timestamp(0, 2))
    }

    @Test(
        arguments: [
            (60_999, true), (61_000, true), (61_001, false), (.max, false), (1000, true), (0, true), (.min, true),
        ] as [(Int64, Bool)])
    func aRemoteTimestampThatLeadsByMoreThanTheBoundIsRefused(remote: Int64, isAccepted: Bool) throws {
        var clock = HybridClock(after: timestamp(1))
        if isAccepted {
            try clock.observe(timestamp(remote), wall: time(1000))
            #expect(clock.latest == max(timestamp(1), timestamp(remote)))
        } else {
            let error = #expect(throws: HybridClock.LeadExceeded.self) { try clock.observe(timestamp(remote), wall: time(1000)) }
            #expect(error?.remote == timestamp(remote))
            #expect(error?.maximumLead == .seconds(60))
            #expect(clock.latest == timestamp(1))
        }
    }

    @Test func theBoundHoldsWhereTheLeadDoesNotFitInto64Bits() {
        var clock = HybridClock(maximumLead: .milliseconds(Int64.max))
        #expect(throws: HybridClock.LeadExceeded.self) { try clock.observe(timestamp(.max), wall: time(-1)) }
        #expect(throws: Never.self) { try clock.observe(timestamp(.max - 1), wall: time(-1)) }
    }

    @Test func theMessageNamesTheLeadAndTheBound() {
        var clock = HybridClock()
        let error = #expect(throws: HybridClock.LeadExceeded.self) { try clock.observe(timestamp(70_000), wall: time(1000)) }
        #expect(error?.description.contains("69000 ms ahead") == true)
        #expect(error?.description.contains("60000 ms allowed") == true)
    }

    @Test func aNegativeBoundTraps() async {
        await #expect(processExitsWith: .failure) { _ = HybridClock(maximumLead: .milliseconds(-1)) }
    }

    @Test func timestampsAreOrderedByMillisecondsThenCounter() {
        #expect(timestamp(1, 9) < timestamp(2))
        #expect(timestamp(1) < timestamp(1, 1))
        #expect(!(timestamp(1) < timestamp(1)))
        #expect(timestamp(0).description == "1970-01-01T00:00:00.000Z")
        #expect(timestamp(0, 2).description == "1970-01-01T00:00:00.000Z+2")
    }
}
