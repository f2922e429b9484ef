import SyncModel

/// A wait before the next attempt: longer after every failure, and not equal for two devices.
///
/// Source: Brooker, *Exponential Backoff and Jitter*, AWS Architecture Blog, 2015.
///
/// ```swift
/// let backoff = Backoff(base: .milliseconds(500), maximum: .seconds(60))
/// var configuration = SyncConfiguration()
/// configuration.backoff = backoff
/// ```
public struct Backoff: Hashable, Sendable {
    /// The longest wait after the first failure, in whole milliseconds; a millisecond or more.
    public var base: Duration

    /// The longest wait of all, in whole milliseconds.
    public var maximum: Duration

    /// The share of the wait that is random, from 0 to 1.
    public var jitter: Double

    /// A wait of up to a second after the first failure, doubled with every other up to five minutes, half of it left to chance, unless
    /// given.
    public init(base: Duration = .seconds(1), maximum: Duration = .seconds(300), jitter: Double = 0.5) {
        precondition(
            base >= .milliseconds(1) && maximum >= base && (0...1).contains(jitter),
            "base is at least a millisecond, maximum at least base, jitter from 0 to 1")
        self.base = base
        self.maximum = maximum
        self.jitter = jitter
    }

    /// The wait after a number of failures in a row.
    ///
    /// - Parameters:
    ///   - failures: 1 or more.
    ///   - random: A number drawn evenly from 0 up to 1.
    /// - Returns: Milliseconds, from 0 to ``maximum``.
    package func delay(afterFailures failures: Int, random: Double) -> Int64 {
        let doublings = min(max(failures, 1) - 1, 62)
        let (base, maximum) = (base.wholeMilliseconds, maximum.wholeMilliseconds)
        let (product, overflow) = base.multipliedReportingOverflow(by: 1 << doublings)
        let ceiling = overflow ? maximum : min(product, maximum)
        return ceiling - Int64(Double(ceiling) * jitter * min(max(random, 0), 1))
    }
}
