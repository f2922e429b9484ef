import SeededRandom

extension SplitMix64 {
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
