/// A wait before the next attempt: longer after every failure, and not equal for two devices.
///
/// Source: Brooker, *Exponential Backoff and Jitter*, AWS Architecture Blog, 2015.
///
/// ```swift
/// let backoff = Backoff(base: 500, maximum: 60_000)
/// var configuration = SyncConfiguration()
/// configuration.backoff = backoff
/// ```
public struct Backoff: Hashable, Sendable {
    /// The longest wait after the first failure, in milliseconds; 1 or more.
    public var base: Int64

    /// The longest wait of all, in milliseconds.
    public var maximum: Int64

    /// The share of the wait that is random, from 0 to 1.
    public var jitter: Double

    /// A wait of up to a second after the first failure, doubled with every other up to five minutes, half of it left to chance, unless given.
    public init(base: Int64 = 1000, maximum: Int64 = 300_000, jitter: Double = 0.5) {
        precondition(
            base >= 1 && maximum >= base && (0...1).contains(jitter), "base is at least 1, maximum at least base, jitter from 0 to 1")
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
        let (product, overflow) = base.multipliedReportingOverflow(by: 1 << doublings)
        let ceiling = overflow ? maximum : min(product, maximum)
        return ceiling - Int64(Double(ceiling) * jitter * min(max(random, 0), 1))
    }
}
