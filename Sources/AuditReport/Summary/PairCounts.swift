import AuditLog

/// Conflicts by the numbers of winner and loser.
///
/// The counts stand in the table itself, so that counting looks at one place in memory.
struct PairCounts {
    /// A pair and its count.
    struct Entry: BitwiseCopyable {
        /// The winner's number in the upper half, the loser's plus 1 in the lower; 0 where there is no pair.
        fileprivate var key: UInt64 = 0
        fileprivate(set) var count = SmallCount()

        var winner: Int { Int(truncatingIfNeeded: key >> 32) }
        var loser: Int { Int(truncatingIfNeeded: key & 0xffff_ffff) - 1 }
    }

    private var entries = [Entry](repeating: Entry(), count: 64)
    private var used = 0

    /// How many pairs there are.
    var count: Int { used }

    /// Sees to it that so many more pairs find room.
    mutating func makeRoom(for more: Int) {
        guard (used + more) * 3 > entries.count * 2 else { return }
        let old = entries
        var count = old.count
        while (used + more) * 3 > count * 2 { count *= count < 1 << 14 ? 4 : 2 }
        entries = [Entry](repeating: Entry(), count: count)
        for entry in old where entry.key != 0 { entries[search(entry.key)] = entry }
    }

    /// Counts conflicts, for which there must be room.
    mutating func count(_ lines: Span<ScannedLine>, at places: Span<Int32>, losses: Span<UInt8>) {
        used += Self.count(lines, at: places, losses: losses, in: &entries)
    }

    private static func count(
        _ lines: Span<ScannedLine>, at places: Span<Int32>, losses: Span<UInt8>, in array: inout [Entry]
    ) -> Int {
        var entries = array.mutableSpan
        let mask = entries.count - 1
        var new = 0
        for index in places.indices {
            let line = Int(places[index])
            let key = key(winner: lines[line].device, loser: lines[line].loser)
            var place = hash(key) & mask
            while entries[place].key != key {
                if entries[place].key == 0 {
                    entries[place].key = key
                    new += 1
                } else {
                    place = (place + 1) & mask
                }
            }
            entries[place].count.add(Int(losses[line]))
        }
        return new
    }

    /// Looks where a pair would be counted, to bring the place into the cache.
    @inline(__always) func touch(winner: Int32, loser: Int32) -> UInt64 { entries[start(of: Self.key(winner: winner, loser: loser))].key }

    @inline(__always) private static func key(winner: Int32, loser: Int32) -> UInt64 {
        UInt64(UInt32(bitPattern: winner)) << 32 | UInt64(UInt32(bitPattern: loser)) + 1
    }

    /// Adds what was counted by other numbers of devices.
    mutating func merge(_ other: PairCounts, _ devices: [Int]) {
        for pair in other.all {
            let key = UInt64(devices[pair.winner]) << 32 | UInt64(devices[pair.loser]) + 1
            var place = search(key)
            if entries[place].key == 0 {
                makeRoom(for: 1)
                place = search(key)
                entries[place].key = key
                used += 1
            }
            entries[place].count.add(pair.count)
        }
    }

    /// The pairs that were counted, in no order.
    var all: LazyFilterSequence<[Entry]> { entries.lazy.filter { $0.key != 0 } }

    private func search(_ key: UInt64) -> Int {
        var place = start(of: key)
        while entries[place].key != key, entries[place].key != 0 { place = (place + 1) & (entries.count - 1) }
        return place
    }

    @inline(__always) private func start(of key: UInt64) -> Int { Self.hash(key) & (entries.count - 1) }

    /// The numbers are ours, given in the order of coming: nobody can choose pairs that fall together, but for a few.
    ///
    /// The pairs of the first 255 devices, which are all in most logs, stand by winner, so that who goes through them all stays in one place for long.
    @inline(__always) private static func hash(_ key: UInt64) -> Int {
        let isEarly = key & 0xffff_ff00_ffff_ff00 == 0
        return Int(truncatingIfNeeded: isEarly ? key >> 24 | key & 0xff : (key &* 0x9e37_79b9_7f4a_7c15) >> 32)
    }
}
