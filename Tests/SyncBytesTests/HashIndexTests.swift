import SyncBytes
import SyncOracle
import Testing

/// Indices by hashes.
@Suite struct HashIndexTests {
    /// Few hashes, so that most elements share theirs, or many, as keyed hashes are; all of the first kind begin in two slots.
    @Test(
        arguments: [3, .max] as [UInt64], [1, 2] as [UInt64])
    func anElementIsFoundWhereADictionaryHasIt(hashes: UInt64, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let spread: UInt64 = hashes == .max ? 1 : 1 << 32
        var (index, names, known) = (HashIndex(), [UInt64](), [UInt64: Int]())
        func hash(_ name: UInt64) -> UInt64 { name % hashes &* spread }
        for _ in 0..<2_000 {
            let name = random.next() % 700 &* (hashes == .max ? 0x9e37_79b9_7f4a_7c15 : 1)
            let found = index.find(hash(name)) { names[$0] == name }
            #expect(found == known[name])
            guard found == nil else { continue }
            names.append(name)
            index.insert(names.count - 1, hash: hash(name))
            known[name] = names.count - 1
        }
        #expect(index.count == known.count && known.count > 500)
    }

    @Test func aReplacedElementIsFoundByItsNewIndexOnly() {
        var index = HashIndex(capacity: 4)
        for number in 0..<40 { index.insert(number, hash: UInt64(number % 2) << 32) }
        index.replace(7, hash: 1 << 32, with: 1_000)
        #expect(index.find(1 << 32) { $0 == 7 } == nil)
        #expect(index.find(1 << 32) { $0 == 1_000 } == 1_000)
        #expect(index.find(0) { $0 == 38 } == 38)
    }

    @Test func anIndexThatIsEmptyOrWasEmptiedFindsNothing() {
        var index = HashIndex()
        #expect(index.find(0) { _ in true } == nil && index.touch(0) == nil)
        index.insert(0, hash: 5)
        index.removeAll()
        #expect(index.find(5) { _ in true } == nil && index.count == 0)
    }
}
