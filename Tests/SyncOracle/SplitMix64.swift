/// A small generator of random numbers that gives the same numbers for the same seed on every platform.
///
/// Source: Steele, Lea and Flood, *Fast Splittable Pseudorandom Number Generators*, OOPSLA 2014.
package struct SplitMix64: RandomNumberGenerator {
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

    /// A number below the bound, 0 or more.
    ///
    /// The bias is far below what a test could notice.
    package mutating func below(_ bound: Int) -> Int {
        Int(next() % UInt64(bound))
    }

    /// True in so many of a hundred cases.
    package mutating func percent(_ share: Int) -> Bool {
        below(100) < share
    }

    /// The elements in random order.
    package mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        elements.shuffled(using: &self)
    }
}
