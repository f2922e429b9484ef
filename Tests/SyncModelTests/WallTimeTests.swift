import SyncModel
import Testing

/// Instants of wall time.
@Suite struct WallTimeTests {
    private func time(_ milliseconds: Int64) -> WallTime { WallTime(millisecondsSince1970: milliseconds) }

    @Test func instantsAreOrderedAndDescribedInUTC() {
        #expect(time(-1) < time(0))
        #expect(!(time(0) < time(0)))
        #expect(time(1_768_485_900_000).description == "2026-01-15T14:05:00.000Z")
        #expect(HybridTimestamp(milliseconds: 7, counter: 3).wallTime == time(7))
    }

    @Test func instantsMoveByWholeMilliseconds() {
        #expect(time(1000) + .seconds(2) == time(3000))
        #expect(time(1000) - .milliseconds(1) == time(999))
        #expect(time(1000) + .microseconds(999) == time(1000))
        #expect(time(1000).duration(to: time(400)) == .milliseconds(-600))
        #expect(time(1000) - time(400) == .milliseconds(600))
    }

    @Test func extremesAreClampedRatherThanTrapping() {
        let (first, last) = (time(.min), time(.max))
        for later in [Duration.milliseconds(1), .milliseconds(Int64.max), .seconds(Int64.max)] {
            #expect(last + later == last)
            #expect(first - later == first)
            #expect(first.advanced(by: .zero - later) == first)
        }
        #expect(time(0) + .seconds(Int64.max) == last)
        #expect(time(-1) + .seconds(Int64.min) == first)
        #expect(time(0) - .seconds(Int64.min) == last)
        #expect(first + .milliseconds(Int64.max) == time(-1))
        #expect(first.duration(to: last) == .milliseconds(Int64.max) - .milliseconds(Int64.min))
        #expect(first - last == .milliseconds(Int64.min) - .milliseconds(Int64.max))
        #expect([first, last].allSatisfy { !$0.description.isEmpty })
    }
}
