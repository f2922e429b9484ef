import SyncModel

/// A histogram of lengths of time, for percentiles: of bounded memory, and merged without loss.
///
/// Lengths are counted in whole milliseconds. Those below 128 ms are counted exactly; above, each power of two is divided into 64 buckets,
/// so that a percentile is at most 1/64 (1.6 %) above the true value and never below it. The smallest and the largest length are exact.
/// Source: the bucket layout of HdrHistogram (Tene).
///
/// - Complexity: at most 3,712 buckets; counting is O(log *n*) in the buckets used.
///
/// ```swift
/// var gaps = GapHistogram()
/// gaps.record(.milliseconds(1500))
/// print(gaps.percentile(0.5) ?? .zero)
/// ```
public struct GapHistogram: Hashable, Sendable {
    /// One bucket in use.
    package struct Bucket: Hashable, Sendable {
        /// Which bucket.
        package let index: Int
        /// The lengths counted in it.
        package var count: Int
    }

    /// The buckets in use, shortest first.
    package private(set) var buckets: [Bucket] = []
    /// The lengths counted.
    public private(set) var count = 0
    /// The shortest length, nil before any was counted.
    public var minimum: Duration? { minimumMilliseconds.map { .milliseconds($0) } }
    /// The longest length, nil before any was counted.
    public var maximum: Duration? { maximumMilliseconds.map { .milliseconds($0) } }

    package private(set) var minimumMilliseconds: Int64?
    package private(set) var maximumMilliseconds: Int64?

    /// An empty histogram.
    public init() {}

    /// Restores what ``buckets``, ``minimumMilliseconds`` and ``maximumMilliseconds`` said; nil where they contradict each other.
    package init?(buckets: [(index: Int, count: Int)], minimum: Int64?, maximum: Int64?) {
        self.buckets.reserveCapacity(buckets.count)
        for (index, count) in buckets {
            guard count > 0, (0..<Self.bucketCount).contains(index), index > self.buckets.last?.index ?? -1 else { return nil }
            self.buckets.append(Bucket(index: index, count: min(count, .largestCount)))
            self.count = self.count.addingCount(count)
        }
        switch (minimum, maximum, self.buckets.first, self.buckets.last) {
        case (nil, nil, nil, nil): break
        case (let minimum?, let maximum?, let first?, let last?):
            guard minimum >= 0, minimum <= maximum, Self.bucket(of: minimum) == first.index, Self.bucket(of: maximum) == last.index else {
                return nil
            }
            minimumMilliseconds = minimum
            maximumMilliseconds = maximum
        default: return nil
        }
    }

    /// Counts a length.
    ///
    /// - Parameter length: The length; less than 0 counts as 0.
    public mutating func record(_ length: Duration) { record(milliseconds: length.wholeMilliseconds) }

    package mutating func record(milliseconds: Int64) {
        let length = max(milliseconds, 0)
        add(Bucket(index: Self.bucket(of: length), count: 1))
        countExtremes(length, length)
    }

    /// Adds everything that another histogram counted.
    public mutating func merge(_ other: GapHistogram) {
        for bucket in other.buckets { add(bucket) }
        if let shortest = other.minimumMilliseconds, let longest = other.maximumMilliseconds { countExtremes(shortest, longest) }
    }

    /// The length that a share of all lengths does not exceed, by the nearest-rank rule; nil before any was counted.
    ///
    /// - Parameter share: From 0 to 1.
    public func percentile(_ share: Double) -> Duration? { percentileMilliseconds(share).map { .milliseconds($0) } }

    package func percentileMilliseconds(_ share: Double) -> Int64? {
        guard let minimum = minimumMilliseconds, let maximum = maximumMilliseconds else { return nil }
        let exact = min(max(share, 0), 1) * Double(count)
        let rank = max(1, Double(Int(exact)) < exact ? Int(exact) + 1 : Int(exact))
        var passed = 0
        for bucket in buckets {
            passed = passed.addingCount(bucket.count)
            if passed >= rank { return min(max(Self.upperBound(of: bucket.index), minimum), maximum) }
        }
        return maximum
    }

    package static let bucketCount = bucket(of: .max) + 1

    package static func bucket(of length: Int64) -> Int {
        guard length >= 128 else { return Int(clamping: length) }
        let power = 63 - length.leadingZeroBitCount
        return 128 + (power - 7) * 64 + Int(clamping: length >> Int64(power - 6)) - 64
    }

    /// The longest length that is counted in a bucket.
    package static func upperBound(of bucket: Int) -> Int64 {
        guard bucket >= 128 else { return Int64(bucket) }
        let shift = Int64((bucket - 128) / 64 + 1)
        let lowest = Int64((bucket - 128) % 64 + 64) << shift
        return lowest + ((1 << shift) - 1)
    }

    private mutating func countExtremes(_ shortest: Int64, _ longest: Int64) {
        minimumMilliseconds = min(minimumMilliseconds ?? shortest, shortest)
        maximumMilliseconds = max(maximumMilliseconds ?? longest, longest)
    }

    private mutating func add(_ bucket: Bucket) {
        count = count.addingCount(bucket.count)
        // Written out: with every conflict it is done, and a search by any predicate is not specialized across modules.
        var (low, high) = (0, buckets.count)
        while low < high {
            let middle = low + (high - low) / 2
            if buckets[middle].index < bucket.index { low = middle + 1 } else { high = middle }
        }
        if low < buckets.count, buckets[low].index == bucket.index {
            buckets[low].count = buckets[low].count.addingCount(bucket.count)
        } else {
            buckets.insert(bucket, at: low)
        }
    }
}
