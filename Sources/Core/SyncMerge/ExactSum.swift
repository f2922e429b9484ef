import SyncModel

/// A sum of 64-bit integers that does not overflow, kept in two halves of 32 bits with room above each.
///
/// Exact for up to 2³¹ numbers.
struct ExactSum: Sendable {
    /// The sum of the numbers' upper halves, and that of their lower ones.
    private var (high, low): (Int64, Int64) = (0, 0)

    /// 0.
    init() {}

    mutating func add(_ number: Int64) {
        high += number >> 32
        low += number & 0xffff_ffff
    }

    mutating func subtract(_ number: Int64) {
        high -= number >> 32
        low -= number & 0xffff_ffff
    }

    /// The sum.
    var number: JSONNumber {
        // What the lower half has over goes up, so that it is from 0 up to 2³².
        let (high, low) = (high + (low >> 32), low & 0xffff_ffff)
        if let upper = Int32(exactly: high) { return JSONNumber((Int64(upper) << 32) | low) }
        let isNegative = high < 0
        let upper = isNegative ? (low == 0 ? -high : -high - 1) : high
        let lower = isNegative && low != 0 ? (1 << 32) - low : low
        // Nine digits at a time fit beside 32 bits.
        let billion: Int64 = 1_000_000_000
        let rest = ((upper % billion) << 32) + lower
        let digits = String(rest % billion)
        let leading = (UInt64(upper / billion) << 32) + UInt64(rest / billion)
        return JSONNumber(
            validated: (isNegative ? "-" : "") + String(leading) + String(repeating: "0", count: 9 - digits.utf8.count) + digits)
    }
}
