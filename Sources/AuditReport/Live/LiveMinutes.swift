import AuditAnalysis
import SyncModel

/// Conflicts and losses by minute, for as many minutes as a screen can be wide.
///
/// Where the whole time is asked for, the bins grow to 2, 4, 8 … minutes instead of leaving out what is old.
struct LiveMinutes {
    private static let limit = 240

    private let coversAll: Bool
    /// The minutes of one bin.
    private(set) var width: Int64 = 1
    private var bins: [Int64: ConflictTally.Count] = [:]

    init(coversAll: Bool) { self.coversAll = coversAll }

    var isEmpty: Bool { bins.isEmpty }

    mutating func add(at milliseconds: Int64, isLoss: Bool) {
        let range = RFC3339.range
        let minute = min(max(milliseconds, range.lowerBound), range.upperBound).dividedFlooring(by: 60_000)
        bins[minute.dividedFlooring(by: width), default: ConflictTally.Count()].add(
            ConflictTally.Count(conflicts: 1, losses: isLoss ? 1 : 0))
        if coversAll {
            while let first = bins.keys.min(), let last = bins.keys.max(), last - first >= Self.limit { widen() }
        } else if bins.count > 2 * Self.limit {
            for old in bins.keys.sorted().dropLast(Self.limit) { bins[old] = nil }
        }
    }

    private mutating func widen() {
        width *= 2
        var wider: [Int64: ConflictTally.Count] = [:]
        for (bin, count) in bins { wider[bin.dividedFlooring(by: 2), default: ConflictTally.Count()].add(count) }
        bins = wider
    }

    /// The last bins up to the latest that counted anything, oldest first, and when the first of them and the bin after the last begin.
    func last(_ count: Int) -> (counts: [ConflictTally.Count], begin: Int64, end: Int64) {
        guard let last = bins.keys.max(), count > 0 else { return ([], 0, 0) }
        // From the first that counted anything, where all fit: a log of an hour need not fill a wide screen with nothing.
        let begin = max(last - Int64(count) + 1, coversAll ? bins.keys.min() ?? last : .min)
        return ((begin...last).map { bins[$0] ?? ConflictTally.Count() }, begin * width * 60_000, (last + 1) * width * 60_000)
    }
}
