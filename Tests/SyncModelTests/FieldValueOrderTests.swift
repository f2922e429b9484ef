import SyncBytes
import Testing

@testable import SyncModel

/// The order of values.
@Suite struct FieldValueOrderTests {
    /// Each sorts before all that follow it.
    private static let ordered: [FieldValue] = [
        .null, false, true, -2, 1.5, 10, "", "B", "a", "ab", "é", [], [.null], [1], [1, 0], [1, [2]], [2], [[]], [["a"]], [["a"], 1], [:],
        ["a": 1], ["a": 1, "b": 0], ["a": 2], ["b": .null], ["b": ["c": 1]], ["b": ["c": 1, "d": 0]],
    ]

    @Test func everyValueSortsBeforeThoseThatFollow() {
        for (index, value) in Self.ordered.enumerated() {
            #expect(!(value < value))
            for later in Self.ordered[(index + 1)...] { #expect(value < later && !(later < value)) }
        }
    }

    @Test func equalNumbersAreEqualHoweverTheyAreWritten() {
        let (one, other) = (FieldValue.number(JSONNumber(validated: "1.50")), FieldValue.number(JSONNumber(validated: "15e-1")))
        #expect(!([one] < [other]) && !([other] < [one]))
        #expect([one, 1] < [other, 2] as FieldValue)
    }

    /// With a comparison of each pair both ways, the time doubled with every level.
    @Test(.timeLimit(.minutes(10)), arguments: [true, false]) func deepValuesAreComparedInOnePass(isArray: Bool) {
        func nested(_ value: FieldValue) -> FieldValue {
            (0..<500).reduce(value) { inner, _ in isArray ? [inner] : ["a": inner] }
        }
        #expect(nested(1) < nested(2))
        #expect(!(nested(2) < nested(1)) && !(nested(1) < nested(1)))
    }
}
