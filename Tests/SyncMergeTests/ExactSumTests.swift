import SyncModel
import SyncOracle
import Testing

@testable import SyncMerge

@Suite struct ExactSumTests {
    /// A sum by decimal digits, as on paper.
    private func decimal(_ numbers: [Int64]) -> String {
        var (positive, negative) = ([0], [0])
        for number in numbers {
            var (carry, digits) = (0, String(number.magnitude).reversed().map { Int(String($0)) ?? 0 }[...])
            var sum = number < 0 ? negative : positive
            var index = 0
            while carry > 0 || !digits.isEmpty {
                if index == sum.count { sum.append(0) }
                let total = sum[index] + carry + (digits.popFirst() ?? 0)
                (sum[index], carry) = (total % 10, total / 10)
                index += 1
            }
            if number < 0 { negative = sum } else { positive = sum }
        }
        let width = max(positive.count, negative.count)
        func padded(_ digits: [Int]) -> [Int] { Array((digits + Array(repeating: 0, count: width - digits.count)).reversed()) }
        var (larger, smaller, sign) = (padded(positive), padded(negative), "")
        if larger.lexicographicallyPrecedes(smaller) { (larger, smaller, sign) = (smaller, larger, "-") }
        var (borrow, difference) = (0, [Int]())
        for (one, other) in zip(larger, smaller).reversed() {
            let digit = one - other - borrow
            borrow = digit < 0 ? 1 : 0
            difference.append(digit < 0 ? digit + 10 : digit)
        }
        let text = difference.reversed().drop { $0 == 0 }.map(String.init).joined()
        return text.isEmpty ? "0" : sign + text
    }

    @Test(arguments: 0..<200) func itIsTheSumOnPaper(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let edges: [Int64] = [.min, .max, -1, 0, 1, 1 << 32, -(1 << 32), (1 << 32) - 1, 1 << 31]
        let numbers = (0..<random.below(40)).map { _ in
            random.percent(60) ? edges[random.below(edges.count)] : Int64(bitPattern: random.next()) >> Int64(random.below(64))
        }
        var sum = ExactSum()
        for number in numbers { sum.add(number) }
        #expect(sum.number.text == decimal(numbers), "\(numbers)")
        let gone = numbers.count / 2
        for number in numbers[..<gone] { sum.subtract(number) }
        #expect(sum.number.text == decimal(Array(numbers[gone...])), "\(numbers)")
    }
}
