package import ConflictAudit
import SyncBytes

/// How many different conflicts there are among those counted, each by its id: exact while they are few, then estimated by a HyperLogLog.
///
/// What it holds depends on the set of ids alone, not on their order or on how often each came, so that merging the counts of parts gives
/// the count of the whole. A value type of at most 16 KiB.
///
/// Sources: Flajolet, Fusy, Gandouet and Meunier, *HyperLogLog*, 2007; the estimate by Ertl, *New cardinality estimation algorithms for
/// HyperLogLog sketches*, 2017, which needs no table of corrections.
package struct DistinctCount: Hashable, Sendable {
    /// How far the estimate is off, as a share of the count: 1.04 / √16384, the standard deviation of many such estimates.
    package static let standardError = 0.008_125

    static let precision = 14
    static let registerCount = 1 << precision
    /// The highest value of a register: one more than the zeros that the rest of the hash can begin with.
    static let highestRegister = UInt8(64 - precision + 1)
    /// How many ids are kept as they are.
    static let exactLimit = 1024

    /// The ids while they are few; then empty.
    package private(set) var ids: Set<ConflictID> = []
    /// For each register the longest run of zeros, plus 1, among the hashes that fell to it; empty while the ids are kept.
    private(set) var registers: [UInt8] = []

    /// Nothing counted.
    package init() {}

    /// From what a summary in JSON holds; nil where it is not what a count would hold.
    init?(ids: Set<ConflictID>) {
        guard ids.count <= Self.exactLimit else { return nil }
        self.ids = ids
    }

    /// From what a summary in JSON holds; nil where it is not what a count would hold.
    init?(registers: [UInt8]) {
        guard registers.count == Self.registerCount, registers.allSatisfy({ $0 <= Self.highestRegister }) else { return nil }
        self.registers = registers
    }

    /// Whether ``count`` is exact.
    package var isExact: Bool { registers.isEmpty }

    /// How many different ids there were.
    ///
    /// - Complexity: O(1) while it is exact, else O(*n*) in the registers.
    package var count: Int {
        // Registers that nobody counted may stand for infinitely many.
        isExact ? ids.count : Int(min(estimate.rounded(), 1e15))
    }

    /// Counts a conflict.
    ///
    /// - Complexity: O(1).
    @inline(__always) package mutating func insert(_ id: ConflictID) {
        if registers.isEmpty { return insertExactly(id) }
        insertIntoRegisters(id)
    }

    private mutating func insertExactly(_ id: ConflictID) {
        ids.insert(id)
        if ids.count > Self.exactLimit { estimateFromNowOn() }
    }

    @inline(__always) private mutating func insertIntoRegisters(_ id: ConflictID) {
        // Other programs may write ids that are not hashes.
        let hash = FNV1a.mixed(id.rawValue)
        let index = Int(clamping: hash >> UInt64(64 - Self.precision))
        // The bit behind the hash ends a run of zeros only.
        let rank = UInt8(truncatingIfNeeded: (hash << UInt64(Self.precision) | 1 << UInt64(Self.precision - 1)).leadingZeroBitCount + 1)
        if rank > registers[index] { registers[index] = rank }
    }

    /// Adds what another count has seen.
    ///
    /// - Complexity: O(*n*) in the registers.
    package mutating func merge(_ other: DistinctCount) {
        if other.isExact {
            for id in other.ids { insert(id) }
            return
        }
        if isExact { estimateFromNowOn() }
        for index in registers.indices { registers[index] = max(registers[index], other.registers[index]) }
    }

    private mutating func estimateFromNowOn() {
        registers = [UInt8](repeating: 0, count: Self.registerCount)
        for id in ids { insertIntoRegisters(id) }
        ids = []
    }

    /// Ertl, 2017, algorithm 6.
    private var estimate: Double {
        var histogram = [Int](repeating: 0, count: Int(Self.highestRegister) + 1)
        for register in registers { histogram[Int(register)] += 1 }
        let total = Double(Self.registerCount)
        var sum = total * Self.tau(1 - Double(histogram[Int(Self.highestRegister)]) / total)
        for value in stride(from: Int(Self.highestRegister) - 1, through: 1, by: -1) { sum = 0.5 * (sum + Double(histogram[value])) }
        sum += total * Self.sigma(Double(histogram[0]) / total)
        // 1 / (2 ln 2)
        return 0.721_347_520_444_481_7 * total * total / sum
    }

    /// The sum of x^(2^k) · 2^(k-1) over k from 1 on, plus x.
    private static func sigma(_ share: Double) -> Double {
        if share == 1 { return .infinity }
        var (power, weight, sum) = (share, 1.0, share)
        while true {
            power *= power
            let before = sum
            sum += power * weight
            weight += weight
            if sum == before { return sum }
        }
    }

    /// A third of what remains of 1 − x after the sum of (1 − x^(2^−k))² · 2^−k over k from 1 on.
    private static func tau(_ share: Double) -> Double {
        if share == 0 || share == 1 { return 0 }
        var (root, weight, rest) = (share, 1.0, 1 - share)
        while true {
            root = root.squareRoot()
            let before = rest
            weight *= 0.5
            rest -= (1 - root) * (1 - root) * weight
            if rest == before { return rest / 3 }
        }
    }
}
