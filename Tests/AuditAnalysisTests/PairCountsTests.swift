import SyncOracle
import Testing

@testable import AuditAnalysis
@testable import AuditLog

/// A table of pairs holds what a dictionary would.
@Suite struct PairCountsTests {
    private struct Pair: Hashable {
        let winner: Int
        let loser: Int
    }

    private struct Counted {
        var table = PairCounts()
        var twin: [Pair: [Int]] = [:]

        /// Counts conflicts of devices with some numbers.
        mutating func count(_ number: Int, of devices: [Int], _ random: inout SplitMix64) {
            var lines: [ScannedLine] = []
            var losses: [UInt8] = []
            for _ in 0..<number {
                var line = ScannedLine()
                let pair = Pair(winner: devices[random.below(devices.count)], loser: devices[random.below(devices.count)])
                (line.device, line.loser) = (Int32(pair.winner), Int32(pair.loser))
                lines.append(line)
                losses.append(UInt8(random.below(2)))
                twin[pair, default: [0, 0]][0] += 1
                twin[pair, default: [0, 0]][1] += Int(losses[losses.count - 1])
            }
            // Every line but the first is a conflict.
            let places = (1..<max(1, number)).map(Int32.init)
            table.makeRoom(for: places.count, upTo: lines.map { Int(max($0.device, $0.loser)) }.max() ?? 0)
            table.count(lines.span, at: places.span, losses: losses.span)
            let first = Pair(winner: Int(lines[0].device), loser: Int(lines[0].loser))
            twin[first, default: [0, 0]][0] -= 1
            twin[first, default: [0, 0]][1] -= Int(losses[0])
            if twin[first]?[0] == 0 { twin[first] = nil }
        }

        func check(sourceLocation: SourceLocation = #_sourceLocation) {
            var found: [Pair: [Int]] = [:]
            table.forEach { winner, loser, count in
                let pair = Pair(winner: winner, loser: loser)
                #expect(found[pair] == nil, sourceLocation: sourceLocation)
                found[pair] = [Int(count.conflicts), Int(count.losses)]
            }
            #expect(found == twin, sourceLocation: sourceLocation)
        }
    }

    /// Few devices, as many as have places of their own, more than that, and numbers far apart.
    private static let devices = [
        Array(0..<1), Array(0..<20), Array(0..<200), Array(250..<260), Array(0..<300), Array(0..<3000),
        (0..<100).map { $0 * 256 }, [0, 255, 256, 65_535, 65_536, Int(Int32.max) - 1],
    ]

    @Test(arguments: devices.indices) func everyPairIsCounted(index: Int) {
        var random = SplitMix64(seed: UInt64(index))
        var counted = Counted()
        for number in [1, 2, 100, 5000, 30_000] {
            counted.count(number, of: Self.devices[index], &random)
            counted.check()
        }
    }

    @Test(arguments: devices.indices) func whatAnotherCountedIsAddedByItsNumbersHere(index: Int) {
        var random = SplitMix64(seed: UInt64(100 + index))
        let other = Array(0..<(1 + random.below(300)))
        var numbers = Self.devices[index]
        while numbers.count < other.count { numbers.append(numbers.count * 7) }
        numbers.shuffle(using: &random)
        var (here, there) = (Counted(), Counted())
        here.count(1 + random.below(20_000), of: Self.devices[index], &random)
        there.count(1 + random.below(20_000), of: other, &random)
        here.table.merge(there.table, numbers)
        for (pair, count) in there.twin {
            let pair = Pair(winner: numbers[pair.winner], loser: numbers[pair.loser])
            here.twin[pair] = zip(here.twin[pair] ?? [0, 0], count).map { $0 + $1 }
        }
        here.check()
    }
}
