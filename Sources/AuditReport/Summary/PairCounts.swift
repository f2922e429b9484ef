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

    /// Counts one more of a pair.
    @inline(__always) mutating func count(_ losses: Int, winner: Int32, loser: Int32) {
        let place = place(of: UInt64(UInt32(bitPattern: winner)) << 32 | UInt64(UInt32(bitPattern: loser)) + 1)
        entries[place].count.add(losses)
    }

    /// Looks where a pair would be counted, to bring the place into the cache.
    @inline(__always) func touch(winner: Int32, loser: Int32) -> UInt64 {
        let key = UInt64(UInt32(bitPattern: winner)) << 32 | UInt64(UInt32(bitPattern: loser)) + 1
        return entries[start(of: key)].key
    }

    /// Adds to the count of a pair.
    mutating func add(_ count: SmallCount, winner: Int, loser: Int) {
        let place = place(of: UInt64(winner) << 32 | UInt64(loser) + 1)
        entries[place].count.add(count)
    }

    /// The pairs that were counted, in no order.
    var all: [Entry] { entries.filter { $0.key != 0 } }

    /// Where a pair stands, or now does.
    @inline(__always) private mutating func place(of key: UInt64) -> Int {
        let place = search(key)
        return entries[place].key == key ? place : add(key, at: place)
    }

    @inline(__always) private func search(_ key: UInt64) -> Int {
        var place = start(of: key)
        while entries[place].key != key, entries[place].key != 0 { place = (place + 1) & (entries.count - 1) }
        return place
    }

    @inline(__always) private func start(of key: UInt64) -> Int {
        // The numbers are ours, given in the order of coming: nobody can choose pairs that fall together.
        Int(truncatingIfNeeded: (key &* 0x9e37_79b9_7f4a_7c15) >> 32) & (entries.count - 1)
    }

    @inline(never) private mutating func add(_ key: UInt64, at place: Int) -> Int {
        used += 1
        guard used * 3 > entries.count * 2 else {
            entries[place].key = key
            return place
        }
        let old = all
        entries = [Entry](repeating: Entry(), count: entries.count * 2)
        for entry in old { entries[search(entry.key)] = entry }
        let place = search(key)
        entries[place].key = key
        return place
    }
}
