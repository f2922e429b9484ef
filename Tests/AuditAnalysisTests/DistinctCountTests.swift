import AuditAnalysis
import ConflictAudit
import SyncOracle
import Testing

@Suite struct DistinctCountTests {
    private func count(_ ids: some Sequence<UInt64>) -> DistinctCount {
        var count = DistinctCount()
        for id in ids { count.insert(ConflictID(rawValue: id)) }
        return count
    }

    private func randomIDs(_ number: Int, seed: UInt64) -> [UInt64] {
        var generator = SplitMix64(seed: seed)
        return (0..<number).map { _ in generator.next() }
    }

    @Test func fewAreCountedExactly() {
        #expect(DistinctCount().count == 0)
        for number in [1, 2, 500, 1024] {
            let ids = randomIDs(number, seed: UInt64(number))
            let twice = count(ids + ids)
            #expect(twice.isExact)
            #expect(twice.count == number)
        }
        #expect(!count(randomIDs(1025, seed: 1)).isExact)
    }

    /// The error that is stated: the root of the mean square over many estimates, and no single one far out.
    @Test(arguments: [1025, 3_000, 20_000, 150_000])
    func theErrorIsTheOneStated(number: Int) {
        let trials = number > 100_000 ? histories(2, of: 10) : histories(12, of: 40)
        var squares = 0.0
        for seed in 1...trials {
            let error = Double(count(randomIDs(number, seed: UInt64(seed))).count) / Double(number) - 1
            #expect(abs(error) < 4.5 * DistinctCount.standardError, "seed \(seed)")
            squares += error * error
        }
        // The mean of so few squares itself varies by about a fifth.
        #expect((squares / Double(trials)).squareRoot() < 1.5 * DistinctCount.standardError)
    }

    /// Other programs may number their conflicts.
    @Test func idsInARowAreNoWorseThanHashes() {
        for number in [2_000, 50_000, 200_000] {
            for step: UInt64 in [1, 256, 1 << 40] {
                let estimate = count((0..<UInt64(number)).lazy.map { $0 &* step }).count
                #expect(abs(Double(estimate) / Double(number) - 1) < 4.5 * DistinctCount.standardError, "step \(step)")
            }
        }
    }

    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func partsInAnyOrderGiveTheWhole(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        // Ids that come again in other parts; sums below, at and above what is kept exactly.
        let ids = randomIDs([10, 1024, 1025, 5_000][Int(seed % 4)], seed: seed)
        let parts = (0..<5).map { _ in ids.filter { _ in Int.random(in: 0..<3, using: &generator) > 0 } } + [ids, []]
        let whole = count(ids)
        var forward = DistinctCount()
        for part in parts { forward.merge(count(part)) }
        var backward = DistinctCount()
        for part in parts.reversed() {
            var sum = count(part)
            sum.merge(backward)
            backward = sum
        }
        #expect(forward == whole)
        #expect(backward == whole)
        #expect(count(ids.shuffled(using: &generator) + ids) == whole)
    }

    @Test func registersAreLettersAndBack() throws {
        let whole = count(randomIDs(40_000, seed: 9))
        #expect(whole.letters.utf8.count == 16_384)
        #expect(DistinctCount(letters: whole.letters) == whole)
        #expect(DistinctCount(letters: String(repeating: "z", count: 16_384)) != nil)
        for bad in [
            "", "A", String(repeating: "A", count: 16_383), String(repeating: "0", count: 16_384), String(repeating: "é", count: 8_192),
        ] {
            #expect(DistinctCount(letters: bad) == nil)
        }
    }

    /// Registers that no ids give, as an attacker may write them, still give a number.
    @Test func registersOfEveryExtremeGiveACount() throws {
        for letter in ["A", "z", "Z"] {
            let count = try #require(DistinctCount(letters: String(repeating: letter, count: 16_384)))
            #expect(count.count >= 0)
        }
    }
}
