import SyncBytes
import SyncModel
import SyncOracle
import Testing

@testable import AuditAnalysis

@Suite struct ValueMaskTests {
    /// The substitutes for values, in their order.
    private func masked(
        _ values: [FieldValue], keeping names: [String] = [], order: ValueMask.Order = .kept
    ) throws -> [FieldValue] {
        let maps = values.map { FieldMap(sortedNames: ["f"], values: [$0]) }
        let mask = try #require(ValueMask(maps, keeping: names, order: order))
        return maps.compactMap { mask.masked($0)["f"] }
    }

    private func json(_ text: String) throws -> FieldValue { try JSONParser.parse(text) }

    @Test func stringsBecomeLettersOfTheirLengthInOrder() throws {
        #expect(try masked(["Berlin", "Ann", "Bonn", "Anna", "Ann"]) == ["aaaaaa", "aaa", "aaab", "aaaa", "aaa"])
    }

    @Test func lengthIsThatOfCharacters() throws {
        #expect(try masked(["", "Zo\u{e9}", "Zoe\u{301}", "👩‍👩‍👧"]).map { $0.string?.count } == [0, 3, 3, 1])
        #expect(Set(try masked(["Zo\u{e9}", "Zoe\u{301}"])).count == 2)
    }

    @Test func shapesStay() throws {
        let value = try json(
            #"{"city":"Ulm","tags":["a","Ulm",null,true,12.50],"sum":{"$counter":42},"set":{"$add":["x"],"$remove":["Ulm"]},"#
                + #""cut":{"$truncated":5000,"start":"My d"},"gone":{"$omitted":"iPad:7"},"picture":{"$asset":"aGk="}}"#)
        let result = try #require(try masked([value])[0].object)
        #expect(result.count == 7)
        let objects = result.compactMap { $0.value.object?.sortedNames.map(\.rawValue) }
        #expect(Set(objects) == [["$counter"], ["$add", "$remove"], ["$truncated", "start"], ["$omitted"], ["$asset"]])
        let tags = try #require(result.first { $0.value.array != nil }?.value.array)
        let city = try #require(result.first { $0.value.string != nil }?.value)
        #expect(tags[1] == city && tags[2] == .null && tags[3] == true)
        #expect(try tags[4] == json("10.00"))
        let written = JSONText.string(.object(result))
        for secret in ["city", "Ulm", "iPad", "My d", "aGk=", "42", "12.5"] { #expect(!written.contains(secret), "\(secret)") }
        #expect(written.contains("5000"))
    }

    @Test(arguments: [
        ("42", "10"), ("-42", "-10"), ("0", "0"), ("-0.00", "-0.00"), ("0.07", "0.01"), ("3.14", "1.00"), ("7", "1"), ("1", "2"),
        ("9223372036854775807", "1000000000000000000"), ("6.02e23", "1.00e23"), ("1e308", "1e308"), ("10", "11"),
    ])
    func numberKeepsItsDigitsAndSign(number: String, other: String) throws {
        #expect(JSONText.string(try masked([try json(number)])[0]) == other)
    }

    /// Nine of nine digits are taken: there is no way but to use them all.
    @Test func numbersOfAllDigitsStayInOrder() throws {
        let numbers = (1...9).map { FieldValue.number(JSONNumber($0)) }
        #expect(try masked(numbers) == numbers)
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func orderAndEqualityStay(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var texts: [String] = []
        for _ in 0...random.below(30) {
            let (whole, fraction) = (random.below(3), random.below(3))
            func digits(_ count: Int) -> String { (0..<count).map { _ in String(1 + random.below(9)) }.joined() }
            let sign = random.percent(30) ? "-" : ""
            texts.append(sign + (whole == 0 ? "0" : digits(whole)) + (fraction == 0 ? "" : "." + digits(fraction)))
            texts.append("\"" + (0..<random.below(6)).map { _ in random.percent(50) ? "x" : "é" }.joined() + "\"")
        }
        let values = try texts.map(json)
        let others = try masked(values)
        for (value, other) in zip(values, others) {
            for (second, secondOther) in zip(values, others) {
                #expect((value < second) == (other < secondOther), "seed \(seed): \(value) and \(second)")
                #expect((value == second) == (other == secondOther), "seed \(seed): \(value) and \(second)")
            }
        }
    }

    @Test func moreValuesOfALengthThanLettersAreStillDifferent() throws {
        let many = (0..<3000).compactMap { Unicode.Scalar(0x1_0000 + $0).map { FieldValue.string(String($0)) } }
        #expect(ValueMask(many.map { FieldMap(sortedNames: ["f"], values: [$0]) }, keeping: [], order: .kept) == nil)
        let others = try masked(many, order: .any)
        #expect(Set(others).count == 3000 && Set(others).isDisjoint(with: many))
        #expect(others.allSatisfy { $0.string?.count == 1 })
    }

    @Test func namesOfRecordsMayStay() throws {
        #expect(try masked(["aaa", "Ann", "L7"], keeping: ["aaa", "L7"]) == ["aaa", "aab", "L7"])
    }

    @Test func noValueIsItsOwnSubstitute() throws {
        let values: [FieldValue] = ["a", "b", "c", "aa", "ab", "ba", 11, 12]
        #expect(Set(try masked(values)).isDisjoint(with: values))
    }
}
