import SyncModel
import SyncOracle
import Testing

/// Short texts are compared by the words that hold them; that must be the order of their bytes, however long they are and however they came to be.
@Suite struct ShortTextTests {
    private static func texts(_ random: inout SplitMix64) -> [String] {
        let letters: [Unicode.Scalar] = ["\u{0}", "a", "b", "\u{7f}", "\u{80}", "\u{e9}", "\u{ffff}", "\u{1f600}"]
        return (0..<200).map { _ in
            var text = ""
            // A text that was once long need not be kept as a short one.
            if random.percent(30) { text.reserveCapacity(64) }
            for _ in 0..<random.below(random.percent(50) ? 4 : 18) { text.unicodeScalars.append(letters[random.below(letters.count)]) }
            return text
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func orderAndEqualityAreThoseOfTheBytes(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let texts = Self.texts(&random)
        for one in texts {
            for other in texts {
                let (left, right) = (FieldName(one), FieldName(other))
                #expect((left == right) == one.utf8.elementsEqual(other.utf8))
                #expect((left < right) == one.utf8.lexicographicallyPrecedes(other.utf8))
                if left == right { #expect(left.hashValue == right.hashValue) }
            }
        }
    }
}
