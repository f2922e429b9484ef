import AuditAnalysis
import SyncBytes
import SyncModel

/// Conflicts and losses by minute, in bounded memory.
///
/// Where the whole time is asked for, bars stand for 2, 4, 8 … minutes instead of leaving out what is old. What a wrong clock has dated is
/// counted apart: a single conflict of next year would leave no room for those of today.
struct LiveMinutes {
    /// The bars of a chart.
    struct Chart {
        var counts: [ConflictTally.Count] = []
        /// When the first bar begins, and the one after the last, in milliseconds since 1970.
        var begin: Int64 = 0
        var end: Int64 = 0
        /// The minutes of one bar.
        var width: Int64 = 1
        /// The conflicts that no bar counts: those dated later than they can be, or far from all others.
        var ahead = 0
        /// The conflicts before the first bar.
        var before = 0
    }

    private static let limit = 4_096
    /// How far beyond the clock of this computer the clock of a device may be, in milliseconds.
    static let tolerance: Int64 = 300_000
    /// So many conflicts tell when most of them were; of fewer none is far from the others.
    private static let enough = 20

    private let coversAll: Bool
    /// The minutes of one bin.
    private var width: Int64 = 1
    private var bins: [Int64: ConflictTally.Count] = [:]
    private var ahead = 0
    /// The conflicts of bins that were forgotten.
    private var forgotten = 0

    init(coversAll: Bool) { self.coversAll = coversAll }

    /// Counts a conflict.
    ///
    /// - Parameter now: The time by the clock of this computer.
    mutating func add(at milliseconds: Int64, isLoss: Bool, now: Int64) {
        if Self.isAhead(milliseconds, of: now) {
            ahead += 1
            return
        }
        let minute = min(max(milliseconds, RFC3339.range.lowerBound), RFC3339.range.upperBound).dividedFlooring(by: 60_000)
        bins[minute.dividedFlooring(by: width), default: ConflictTally.Count()].add(
            ConflictTally.Count(conflicts: 1, losses: isLoss ? 1 : 0))
        guard bins.count > Self.limit else { return }
        if coversAll {
            while bins.count > Self.limit { widen() }
        } else {
            for old in bins.keys.sorted().dropLast(Self.limit / 2) { forgotten += bins.removeValue(forKey: old)?.conflicts ?? 0 }
        }
    }

    /// Whether a time is later than any clock can show that is right.
    static func isAhead(_ milliseconds: Int64, of now: Int64) -> Bool { milliseconds > now && milliseconds - now > tolerance }

    private mutating func widen() {
        width *= 2
        var wider: [Int64: ConflictTally.Count] = [:]
        for (bin, count) in bins { wider[bin.dividedFlooring(by: 2), default: ConflictTally.Count()].add(count) }
        bins = wider
    }

    /// The last bars up to the latest that counted anything, oldest first.
    ///
    /// - Parameter count: How many bars there is room for.
    func chart(_ count: Int) -> Chart {
        var keys = bins.keys.sorted()
        var chart = Chart(ahead: ahead)
        if coversAll { chart.ahead += dropFar(&keys) }
        guard let first = keys.first, let last = keys.last, count > 0 else { return chart }
        var factor: Int64 = 1
        func bar(_ bin: Int64) -> Int64 { bin.dividedFlooring(by: factor) }
        if coversAll { while bar(last) - bar(first) >= Int64(count) { factor *= 2 } }
        // From the first that counted anything, where all fit: a log of an hour need not fill a wide screen with nothing.
        let begin = max(bar(last) - Int64(count) + 1, coversAll ? bar(first) : .min)
        chart.width = width * factor
        chart.counts = Array(repeating: ConflictTally.Count(), count: Int(clamping: bar(last) - begin + 1))
        chart.before = forgotten
        for key in keys {
            guard let count = bins[key] else { continue }
            if bar(key) >= begin { chart.counts[Int(clamping: bar(key) - begin)].add(count) } else { chart.before += count.conflicts }
        }
        (chart.begin, chart.end) = (begin * chart.width * 60_000, (bar(last) + 1) * chart.width * 60_000)
        return chart
    }

    /// Leaves out the few conflicts at the end between which and all others there is more time than twice that of all others.
    ///
    /// - Returns: How many they are.
    private func dropFar(_ keys: inout [Int64]) -> Int {
        let total = keys.reduce(0) { $0 + (bins[$1]?.conflicts ?? 0) }
        var dropped = 0
        var (index, count) = (keys.count, 0)
        while index > 1, let first = keys.first {
            index -= 1
            count += bins[keys[index]]?.conflicts ?? 0
            guard count <= max(1, total / 100), total - count >= Self.enough else { break }
            if keys[index] - keys[index - 1] > 2 * max(keys[index - 1] - first, 60 / width) {
                keys.removeSubrange(index...)
                dropped = count
            }
        }
        return dropped
    }
}
