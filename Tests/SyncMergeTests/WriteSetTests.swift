import SyncOracle
import Testing

@testable import SyncMerge

/// Sets of writes by their indices.
@Suite struct WriteSetTests {
    @Test(arguments: [1, 63, 64, 65, 1000]) func aSetHoldsTheIndicesInsertedAndNoOthers(limit: Int) {
        var random = SplitMix64(seed: UInt64(limit))
        var (set, expected) = (WriteSet(), Set<Int>())
        #expect(set.isEmpty)
        for _ in 0..<(limit / 2 + 1) {
            let index = random.below(limit)
            set.insert(index)
            expected.insert(index)
            #expect(!set.isEmpty)
        }
        #expect((0..<limit + 200).filter(set.contains) == expected.sorted())
    }
}
