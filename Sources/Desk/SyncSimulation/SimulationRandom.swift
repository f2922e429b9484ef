/// A small generator of random numbers that gives the same numbers for the same seed on every platform.
///
/// Source: Steele, Lea and Flood, *Fast Splittable Pseudorandom Number Generators*, OOPSLA 2014.
package struct SimulationRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// From 0 up to 1.
    package mutating func fraction() -> Double {
        Double(next() >> 11) / Double(UInt64(1) << 53)
    }

    /// True with a probability.
    package mutating func chance(_ probability: Double) -> Bool {
        fraction() < probability
    }

    /// A whole number of a range that is not empty.
    package mutating func within(_ range: ClosedRange<Int64>) -> Int64 {
        range.lowerBound + Int64(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    /// A number below the bound, which is at least 1.
    package mutating func below(_ bound: Int) -> Int {
        Int(clamping: next() % UInt64(bound))
    }

    /// One of some elements, of which there is at least one.
    package mutating func pick<Elements: RandomAccessCollection>(_ elements: Elements) -> Elements.Element {
        elements[elements.index(elements.startIndex, offsetBy: below(elements.count))]
    }
}
