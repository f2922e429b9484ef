/// A seeded generator: the same numbers everywhere.
///
/// Source: Steele, Lea and Flood, *Fast Splittable Pseudorandom Number Generators*, 2014.
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// True in so many of a thousand cases.
    mutating func happens(perMille: Int) -> Bool { Int.random(in: 0..<1000, using: &self) < perMille }

    /// One of some items.
    mutating func pick<Item>(_ items: [Item]) -> Item { items[Int.random(in: 0..<items.count, using: &self)] }

    /// One of some items, each as often as its weight says.
    mutating func pick<Item>(_ items: [(weight: Int, item: Item)]) -> Item {
        var rest = Int.random(in: 0..<items.reduce(0) { $0 + $1.weight }, using: &self)
        for (weight, item) in items {
            if rest < weight { return item }
            rest -= weight
        }
        return items[items.count - 1].item
    }
}
