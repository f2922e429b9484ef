/// Different numbers, counted up to a few: a set that is asked for each field of each row.
///
/// - Complexity: O(1) expected.
struct FewNumbers: Sendable {
    /// How many numbers are counted at most; others are passed over then.
    private let most: Int
    private(set) var count = 0
    /// Open addressing; 0 where a slot is free, of which at least half are.
    private var slots: [Int32] = []

    init(most: Int) { self.most = most }

    /// Counts a number that is not 0.
    mutating func insert(_ number: Int32) {
        if count == most { return }
        if 2 * count >= slots.count {
            let old = slots
            slots = [Int32](repeating: 0, count: max(8, 2 * old.count))
            for number in old where number != 0 { slots[slot(of: number)] = number }
        }
        let slot = slot(of: number)
        if slots[slot] == number { return }
        slots[slot] = number
        count += 1
    }

    /// Whether one of the numbers fulfils a condition.
    func contains(where isWanted: (Int32) -> Bool) -> Bool { slots.contains { $0 != 0 && isWanted($0) } }

    /// The slot of a number, or the free one that it would take.
    private func slot(of number: Int32) -> Int {
        let mask = slots.count - 1
        var slot = Int(UInt32(bitPattern: number) &* 0x9e37_79b1 >> 16) & mask
        while slots[slot] != 0, slots[slot] != number { slot = (slot + 1) & mask }
        return slot
    }
}
