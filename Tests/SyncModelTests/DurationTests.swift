import SyncModel
import Testing

/// Durations in whole milliseconds.
@Suite struct DurationTests {
    @Test(arguments: [Int64.min, .min + 1, -1500, -1, 0, 1, 999, 1000, 300_000, .max - 1, .max])
    func millisecondsThereAndBackAreEqual(milliseconds: Int64) {
        #expect(Duration.milliseconds(milliseconds).wholeMilliseconds == milliseconds)
    }

    @Test func partsOfAMillisecondAreLeftOff() {
        #expect(Duration.microseconds(1999).wholeMilliseconds == 1)
        #expect(Duration.microseconds(-1999).wholeMilliseconds == -1)
        #expect(Duration.nanoseconds(999_999).wholeMilliseconds == 0)
    }

    @Test func durationsThatFitNoInt64AreClamped() {
        #expect(Duration.seconds(Int64.max).wholeMilliseconds == .max)
        #expect(Duration.seconds(Int64.min).wholeMilliseconds == .min)
        #expect((Duration.seconds(Int64.max) + .seconds(Int64.max)).wholeMilliseconds == .max)
        #expect((Duration.milliseconds(Int64.max) + .microseconds(1)).wholeMilliseconds == .max)
        #expect((Duration.milliseconds(Int64.min) - .microseconds(1)).wholeMilliseconds == .min)
    }
}
