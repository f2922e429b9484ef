import AuditLog
import SyncBytes
import SyncModel

/// Conflicts by the numbers of winner and loser.
///
/// The pairs of the first devices, which are all in most logs, have a slot each; the others are looked for in a table that holds their
/// counts, so that counting reads one slot.
struct PairCounts {
    private struct Entry: BitwiseCopyable {
        /// The winner's number in the upper half, the loser's plus 1 in the lower; 0 where there is no pair.
        var key: UInt64 = 0
        var count = SmallCount()
    }

    /// By winner and then by loser.
    private var early = ContiguousArray<SmallCount>(repeating: SmallCount(), count: 256)
    /// The logarithm of how many devices have slots.
    private var sideBits = 4
    private static let maximumSideBits = 8

    /// The pairs of which one device or both have no slot; none where more could get one.
    private var entries = ContiguousArray<Entry>(repeating: Entry(), count: 64)
    private var used = 0
    private let hashKey = HashKey()

    /// Makes room for more pairs of devices with numbers up to `highest`.
    mutating func makeRoom(for more: Int, upTo highest: Int) {
        makeRoom(upTo: highest)
        // Where all devices have slots, there are no others.
        if highest >= 1 << sideBits { makeRoom(for: more) }
    }

    /// Gives devices slots, as many of them as get any.
    private mutating func makeRoom(upTo highest: Int) {
        guard highest >= 1 << sideBits, sideBits < Self.maximumSideBits else { return }
        let (old, oldBits) = (early, sideBits)
        while highest >= 1 << sideBits, sideBits < Self.maximumSideBits { sideBits += 1 }
        early = ContiguousArray(repeating: SmallCount(), count: 1 << (2 * sideBits))
        for (index, count) in old.enumerated() where count.conflicts > 0 {
            early[(index >> oldBits) << sideBits | index & (1 << oldBits - 1)] = count
        }
    }

    private mutating func makeRoom(for more: Int) {
        guard (used + more) * 3 > entries.count * 2 else { return }
        let old = entries
        var count = old.count
        while (used + more) * 3 > count * 2 { count *= count < 1 << 14 ? 4 : 2 }
        entries = ContiguousArray(repeating: Entry(), count: count)
        for entry in old where entry.key != 0 { entries[search(entry.key)] = entry }
    }

    /// Counts conflicts, for which there must be room.
    mutating func count(_ lines: Span<ScannedLine>, at lineIndices: Span<Int32>, losses: Span<UInt8>) {
        used += Self.count(lines, at: lineIndices, losses: losses, in: &early, sideBits, &entries, hashKey)
    }

    private static func count(
        _ lines: Span<ScannedLine>, at lineIndices: Span<Int32>, losses: Span<UInt8>, in earlyArray: inout ContiguousArray<SmallCount>,
        _ sideBits: Int,
        _ lateArray: inout ContiguousArray<Entry>, _ hashKey: HashKey
    ) -> Int {
        var early = earlyArray.mutableSpan
        var entries = lateArray.mutableSpan
        let mask = entries.count - 1
        let hashStart = Self.hashStart(hashKey)
        var new = 0
        for index in lineIndices.indices {
            let line = Int(lineIndices[index])
            let (winner, loser) = (Int(lines[line].device), Int(lines[line].loser))
            if (winner | loser) >> sideBits == 0 {
                early[winner << sideBits | loser].add(Int(losses[line]))
                continue
            }
            let key = key(winner, loser)
            var slot = Int(truncatingIfNeeded: hashKey.mix(key, into: hashStart)) & mask
            while entries[slot].key != key {
                if entries[slot].key == 0 {
                    entries[slot].key = key
                    new += 1
                } else {
                    slot = (slot + 1) & mask
                }
            }
            entries[slot].count.add(Int(losses[line]))
        }
        return new
    }

    /// Reads the slot where a pair would be counted, to bring it into the cache.
    @inline(__always) func touch(winner: Int32, loser: Int32) -> UInt64 {
        let (winner, loser) = (Int(winner), Int(loser))
        if (winner | loser) >> sideBits == 0 { return UInt64(early[winner << sideBits | loser].conflicts) }
        return entries[start(of: Self.key(winner, loser))].key
    }

    @inline(__always) private static func key(_ winner: Int, _ loser: Int) -> UInt64 {
        UInt64(UInt32(truncatingIfNeeded: winner)) << 32 | UInt64(UInt32(truncatingIfNeeded: loser)) + 1
    }

    /// Adds what was counted by other numbers of devices.
    mutating func merge(_ other: PairCounts, _ devices: [Int]) {
        // All at once: to enter what comes in the order of another table into one that grows by and by takes ever longer.
        makeRoom(for: other.used, upTo: devices.max() ?? 0)
        other.forEach { winner, loser, count in add(count, devices[winner], devices[loser]) }
    }

    private mutating func add(_ count: SmallCount, _ winner: Int, _ loser: Int) {
        if (winner | loser) >> sideBits == 0 {
            early[winner << sideBits | loser].add(count)
            return
        }
        let key = Self.key(winner, loser)
        var slot = search(key)
        if entries[slot].key == 0 {
            makeRoom(for: 1)
            slot = search(key)
            entries[slot].key = key
            used += 1
        }
        entries[slot].count.add(count)
    }

    /// Calls a function with the numbers and the count of each pair that was counted, in an order that is the same until more are.
    func forEach(_ body: (_ winner: Int, _ loser: Int, _ count: SmallCount) -> Void) {
        for (index, count) in early.enumerated() where count.conflicts > 0 { body(index >> sideBits, index & (1 << sideBits - 1), count) }
        for entry in entries where entry.key != 0 {
            body(Int(truncatingIfNeeded: entry.key >> 32), Int(truncatingIfNeeded: entry.key & 0xffff_ffff) - 1, entry.count)
        }
    }

    private func search(_ key: UInt64) -> Int {
        var slot = start(of: key)
        while entries[slot].key != key, entries[slot].key != 0 { slot = (slot + 1) & (entries.count - 1) }
        return slot
    }

    /// Keyed, so that nobody can choose pairs that fall together.
    @inline(__always) private func start(of key: UInt64) -> Int {
        Int(truncatingIfNeeded: hashKey.mix(key, into: Self.hashStart(hashKey))) & (entries.count - 1)
    }

    @inline(__always) private static func hashStart(_ hashKey: HashKey) -> UInt64 { hashKey.start(count: 8) }
}
