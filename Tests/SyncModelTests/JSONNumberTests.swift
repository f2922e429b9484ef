import SyncModel
import Testing

/// Numbers keep their text and compare by their decimal value.
@Suite struct JSONNumberTests {
    private func number(_ text: String) -> JSONNumber { JSONNumber(validated: text) }

    @Test(
        arguments: [
            ("1", "1.0"), ("1", "10e-1"), ("1", "0.1e1"), ("1", "1E+0"), ("100", "1e2"), ("0", "-0"), ("0", "0.000"), ("0", "0e999"),
            ("-1.50", "-15e-1"), ("0.30", "0.3"), ("18446744073709551616", "18446744073709551616.0"), ("1e308", "10e307"),
            ("5e-324", "0.5e-323"), ("1200", "12e2"), ("0.0012", "12E-4"),
        ])
    func equalNumbersHaveEqualHashesWhateverTheSpelling(one: String, other: String) {
        #expect(number(one) == number(other))
        #expect(number(one).hashValue == number(other).hashValue)
        #expect(!(number(one) < number(other)))
        #expect(!(number(other) < number(one)))
        #expect(number(one).text == one)
    }

    /// An exponent of any length is compared, and makes no whole number.
    @Test(arguments: ["0.01e-9223372036854775808", "1e-99999999999999999999", "0.0001e-9223372036854775807", "1.5e-9223372036854775808"])
    func numbersTooCloseToZeroForAnybody(text: String) {
        #expect(number(text).integer == nil && number(text) != number("1") && number(text) != number("0"))
        #expect(number("0") < number(text) && number(text) < number("5e-324") && number(text) == number(text))
        #expect(!number(text).canonicalText.isEmpty)
    }

    @Test func everyPairOfAnAscendingListIsComparedByValue() {
        let texts = [
            "-1e308", "-18446744073709551617", "-18446744073709551616", "-2", "-1.5", "-1.25", "-1", "-0.1", "-1e-324", "0", "5e-324",
            "1e-300", "0.09", "0.1", "0.10000000000000000000001", "0.11", "0.9", "1", "1.0000000000000000000001", "9", "10", "11", "99",
            "100", "9007199254740992", "9007199254740993", "18446744073709551616", "1e20", "1.1e20", "1e300", "1e308",
        ]
        for (index, text) in texts.enumerated() {
            for (other, later) in texts.enumerated() {
                #expect((number(text) < number(later)) == (index < other), "\(text) < \(later)")
                #expect((number(text) == number(later)) == (index == other), "\(text) == \(later)")
            }
        }
    }

    @Test func hugeExponentsCostNoProportionalTimeOrMemory() {
        #expect(number("1e-99999999999999") < number("1e99999999999999"))
        #expect(number("1e999999999").integer == nil)
        #expect(number("1e-999999999").integer == nil)
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("0.0", 0), ("-0.000e7", 0), ("7", 7), ("-7", -7), ("7.0", 7), ("70e-1", 7), ("0.7e1", 7), ("1e3", 1000),
            ("1.5", nil),
            ("1e-1", nil), ("9223372036854775807", .max), ("9223372036854775807.00", .max), ("-9223372036854775808", .min),
            ("-9223372036854775808.0", .min), ("9223372036854775808", nil), ("9223372036854775808.0", nil),
            ("1e18", 1_000_000_000_000_000_000),
            ("9e18", 9_000_000_000_000_000_000), ("1e19", nil),
        ] as [(String, Int64?)])
    func wholeNumbersThatFitAreIntegers(text: String, expected: Int64?) {
        #expect(number(text).integer == expected)
    }

    @Test func doublesHaveTheirShortestSpellingAndNoInfinities() {
        #expect(JSONNumber(0.1)?.text == "0.1")
        #expect(JSONNumber(1.0)?.text == "1.0")
        #expect(JSONNumber(1e300)?.double == 1e300)
        #expect(JSONNumber(-0.0).map { $0 == JSONNumber(0) } == true)
        #expect(JSONNumber(Double.infinity) == nil)
        #expect(JSONNumber(-Double.infinity) == nil)
        #expect(JSONNumber(Double.nan) == nil)
        #expect(JSONNumber(UInt64.max).text == "18446744073709551615")
    }
}
