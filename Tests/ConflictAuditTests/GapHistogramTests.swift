import ConflictAudit
import SyncModel
import SyncOracle
import Testing

/// Percentiles of gaps.
@Suite struct GapHistogramTests {
    private static let shares = [0, 0.001, 0.1, 0.25, 0.5, 0.9, 0.95, 0.99, 0.999, 1]

    /// The length at a rank of a sorted list, by the nearest-rank rule.
    private func exact(_ share: Double, _ sorted: [Int64]) -> Int64 {
        sorted[max(Int((share * Double(sorted.count)).rounded(.up)), 1) - 1]
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func percentilesAreAtMostA64thAboveTheTrueOnesAndNeverBelow(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var histogram = GapHistogram()
        var lengths: [Int64] = []
        let bits = 1 + Int(seed)
        for _ in 0..<(1 + random.below(400)) {
            let length = Int64(random.next() >> UInt64(64 - bits))
            lengths.append(length)
            histogram.record(.milliseconds(length))
        }
        lengths.sort()
        for share in Self.shares {
            let truth = exact(share, lengths)
            let answer = try #require(histogram.percentile(share)).wholeMilliseconds
            #expect(answer >= truth, "seed \(seed), share \(share)")
            #expect(answer - truth <= truth / 64, "seed \(seed), share \(share)")
        }
        #expect(histogram.minimum == lengths.first.map { .milliseconds($0) })
        #expect(histogram.maximum == lengths.last.map { .milliseconds($0) })
        #expect(histogram.percentile(1) == histogram.maximum)
        #expect(histogram.count == lengths.count)
    }

    @Test func shortLengthsAreExact() {
        var histogram = GapHistogram()
        for length in 0..<128 as Range<Int64> { histogram.record(.milliseconds(length)) }
        for percent in 1...100 {
            let length = Int((Double(percent) / 100 * 128).rounded(.up)) - 1
            #expect(histogram.percentile(Double(percent) / 100) == .milliseconds(length))
        }
    }

    @Test(arguments: [0, 1, 127, 128, 129, 300_000, .max - 1, .max] as [Int64])
    func aSingleLengthIsEveryPercentile(length: Int64) {
        var histogram = GapHistogram()
        histogram.record(.milliseconds(length))
        for share in Self.shares { #expect(histogram.percentile(share) == .milliseconds(length)) }
    }

    @Test func emptyHasNoPercentileAndNegativeLengthsCountAs0() {
        var histogram = GapHistogram()
        #expect(histogram.percentile(0.5) == nil)
        #expect(histogram.minimum == nil)
        histogram.record(.milliseconds(-5))
        histogram.record(.milliseconds(10))
        #expect(histogram.minimum == .zero)
        #expect(histogram.percentile(-1) == .zero)
        #expect(histogram.percentile(2) == .milliseconds(10))
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func mergedPartsEqualTheWholeAndSavedOnesAreRestored(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var whole = GapHistogram()
        var parts = [GapHistogram(), GapHistogram()]
        for _ in 0..<random.below(200) {
            let length = Int64(random.next() >> UInt64(1 + random.below(63)))
            whole.record(milliseconds: length)
            parts[random.below(2)].record(milliseconds: length)
        }
        var merged = parts[0]
        merged.merge(parts[1])
        #expect(merged == whole, "seed \(seed)")
        var reversed = parts[1]
        reversed.merge(parts[0])
        #expect(reversed == whole, "seed \(seed)")
        let restored = GapHistogram(
            buckets: whole.buckets.map { ($0.index, $0.count) }, minimum: whole.minimumMilliseconds,
            maximum: whole.maximumMilliseconds)
        #expect(restored == whole, "seed \(seed)")
    }

    @Test func memoryIsBounded() {
        var random = SplitMix64(seed: 1)
        var histogram = GapHistogram()
        for _ in 0..<20_000 { histogram.record(milliseconds: Int64(random.next() >> UInt64(1 + random.below(63)))) }
        #expect(histogram.buckets.count <= 3712)
        #expect(histogram.buckets.map(\.index) == histogram.buckets.map(\.index).sorted())
    }

    @Test func contradictionsAreRefused() {
        #expect(GapHistogram(buckets: [], minimum: nil, maximum: nil) == GapHistogram())
        #expect(GapHistogram(buckets: [(5, 1)], minimum: 5, maximum: 5) != nil)
        #expect(GapHistogram(buckets: [(5, 1)], minimum: nil, maximum: nil) == nil)
        #expect(GapHistogram(buckets: [], minimum: 1, maximum: 1) == nil)
        #expect(GapHistogram(buckets: [(5, 0)], minimum: 5, maximum: 5) == nil)
        #expect(GapHistogram(buckets: [(5, -1)], minimum: 5, maximum: 5) == nil)
        #expect(GapHistogram(buckets: [(6, 1), (5, 1)], minimum: 5, maximum: 6) == nil)
        #expect(GapHistogram(buckets: [(5, 1), (5, 1)], minimum: 5, maximum: 5) == nil)
        #expect(GapHistogram(buckets: [(-1, 1)], minimum: 0, maximum: 0) == nil)
        #expect(GapHistogram(buckets: [(3712, 1)], minimum: .max, maximum: .max) == nil)
        #expect(GapHistogram(buckets: [(3711, 1)], minimum: .max, maximum: .max) != nil)
        #expect(GapHistogram(buckets: [(5, 1)], minimum: 4, maximum: 5) == nil)
        #expect(GapHistogram(buckets: [(5, 1), (9, 1)], minimum: 9, maximum: 5) == nil)
    }
}
