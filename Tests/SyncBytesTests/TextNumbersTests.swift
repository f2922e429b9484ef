import SyncBytes
import SyncOracle
import Testing

@Suite struct TextNumbersTests {
    /// Against a dictionary, with texts of all lengths that differ in any byte.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func textsAreNumberedInTheirOrder(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var texts = TextNumbers()
        var known: [[UInt8]: Int] = [:]
        for _ in 0..<5000 {
            var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: Int.random(in: 0...20, using: &random))
            if !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = [0, 1, 0x61, 0x7f].randomElement(using: &random) ?? 0
            }
            #expect(texts.known(bytes.span) == known[bytes])
            let number = texts.number(of: bytes.span)
            #expect(number == known[bytes] ?? known.count)
            known[bytes] = number
            #expect(Array(texts.text(number).utf8) == bytes)
        }
        #expect(texts.count == known.count)
        #expect(known.allSatisfy { Array(texts.text($1).utf8) == $0 })
    }

    @Test(arguments: [
        ("", "", 0), ("plan", "plan", 4), ("plan", "plans", 4), ("a plan of mine", "a new plan of mine", 14), ("abab", "ab", 2),
        ("one text that is long", "one that is long", 16), ("x", "y", 0),
    ])
    func whatTwoTextsHaveInCommon(one: String, other: String, kept: Int) {
        var texts = TextNumbers()
        let numbers = (texts.number(of: one), texts.number(of: other))
        #expect(texts.commonEnds(numbers.0, numbers.1) == (kept, min(one.utf8.count, other.utf8.count)))
        #expect(texts.commonEnds(numbers.1, numbers.0).kept == kept)
    }
}
