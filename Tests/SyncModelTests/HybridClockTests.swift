import SyncModel
import Testing

/// The hybrid clock never runs backwards.
@Suite struct HybridClockTests {
    private func moment(_ milliseconds: Int64, _ counter: UInt32 = 0) -> HybridTimestamp {
        HybridTimestamp(milliseconds: milliseconds, counter: counter)
    }

    private func time(_ milliseconds: Int64) -> WallTime { WallTime(millisecondsSince1970: milliseconds) }

    @Test func theClockFollowsTheWallClockAndCountsWhileItIsBehind() {
        var clock = HybridClock()
        let walls: [Int64] = [1000, 1000, 1001, 500, 500, 1001, 1002, 9000, 1003]
        let expected = [
            moment(1000), moment(1000, 1), moment(1001), moment(1001, 1), moment(1001, 2), moment(1001, 3), moment(1002), moment(9000),
            moment(9000, 1),
        ]
        #expect(walls.map { clock.now(wall: time($0)) } == expected)
        #expect(clock.latest == moment(9000, 1))
    }

    @Test func theClockIsLaterThanWhatItHasObserved() throws {
        var clock = HybridClock()
        _ = clock.now(wall: time(1000))
        try clock.observe(moment(1500, 7), wall: time(1000))
        #expect(clock.now(wall: time(1000)) == moment(1500, 8))
        try clock.observe(moment(10), wall: time(1000))
        #expect(clock.now(wall: time(1000)) == moment(1500, 9))
        #expect(clock.now(wall: time(1501)) == moment(1501))
    }

    @Test func theClockContinuesAfterTheTimestampOfAnEarlierRun() {
        var clock = HybridClock(after: moment(5000, 3))
        #expect(clock.now(wall: time(1)) == moment(5000, 4))
    }

    @Test func aFullCounterMovesOnToTheNextMillisecond() {
        var clock = HybridClock(after: moment(1000, .max))
        #expect(clock.now(wall: time(1000)) == moment(1001))
        #expect(clock.now(wall: time(1001)) == moment(1001, 1))
    }

    @Test func aWallClockBefore1970DoesNotPullTheClockBack() {
        var clock = HybridClock()
        #expect(clock.now(wall: time(-5)) == moment(0, 1))
        #expect(clock.now(wall: time(.min)) == moment(0, 2))
    }

    @Test(
        arguments: [
            (60_999, true), (61_000, true), (61_001, false), (.max, false), (1000, true), (0, true), (.min, true),
        ] as [(Int64, Bool)])
    func aRemoteTimestampThatLeadsByMoreThanTheBoundIsRefused(remote: Int64, isAccepted: Bool) throws {
        var clock = HybridClock(after: moment(1))
        if isAccepted {
            try clock.observe(moment(remote), wall: time(1000))
            #expect(clock.latest == max(moment(1), moment(remote)))
        } else {
            let error = #expect(throws: HybridClock.LeadExceeded.self) { try clock.observe(moment(remote), wall: time(1000)) }
            #expect(error?.remote == moment(remote))
            #expect(error?.maximumLead == .seconds(60))
            #expect(clock.latest == moment(1))
        }
    }

    @Test func theBoundHoldsWhereTheLeadDoesNotFitInto64Bits() {
        var clock = HybridClock(maximumLead: .milliseconds(Int64.max))
        #expect(throws: HybridClock.LeadExceeded.self) { try clock.observe(moment(.max), wall: time(-1)) }
        #expect(throws: Never.self) { try clock.observe(moment(.max - 1), wall: time(-1)) }
    }

    @Test func theMessageNamesTheLeadAndTheBound() {
        var clock = HybridClock()
        let error = #expect(throws: HybridClock.LeadExceeded.self) { try clock.observe(moment(70_000), wall: time(1000)) }
        #expect(error?.description.contains("69000 ms ahead") == true)
        #expect(error?.description.contains("60000 ms allowed") == true)
    }

    @Test func aNegativeBoundTraps() async {
        await #expect(processExitsWith: .failure) { _ = HybridClock(maximumLead: .milliseconds(-1)) }
    }

    @Test func timestampsAreOrderedByMillisecondsThenCounter() {
        #expect(moment(1, 9) < moment(2))
        #expect(moment(1) < moment(1, 1))
        #expect(!(moment(1) < moment(1)))
        #expect(moment(0).description == "1970-01-01T00:00:00.000Z")
        #expect(moment(0, 2).description == "1970-01-01T00:00:00.000Z+2")
    }
}
