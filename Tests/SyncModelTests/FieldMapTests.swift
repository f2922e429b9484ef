import SyncBytes
import SyncModel
import Testing

/// Field maps.
@Suite struct FieldMapTests {
    private func element(_ name: FieldName, _ value: FieldValue) -> FieldMap.Element { FieldMap.Element(name: name, value: value) }

    @Test func elementsComeInTheOrderOfTheirBytes() throws {
        let map = try FieldMap(unordered: [element("b", 2), element("a", 1), element("B", 3), element("\u{e9}", 4), element("e\u{301}", 5)])
        #expect(map.map(\.name) == ["B", "a", "b", "e\u{301}", "\u{e9}"])
        #expect(Array(map.names) == map.map(\.name))
        #expect(map["\u{e9}"] == 4)
        #expect(map["e\u{301}"] == 5)
    }

    @Test(arguments: [["a", "b", "a"], ["a", "a"], ["b", "b", "a"]] as [[FieldName]])
    func aNameThatOccursTwiceIsRefusedAndNamed(names: [FieldName]) {
        let error = #expect(throws: FieldMap.DuplicateName.self) { try FieldMap(unordered: names.map { element($0, 1) }) }
        #expect(error?.name == names[0])
    }

    @Test func valuesAreSetReplacedAndRemoved() {
        var map: FieldMap = ["b": 2]
        map["a"] = 1
        map["c"] = .null
        map["b"] = 3
        #expect(map == ["a": 1, "b": 3, "c": .null])
        map["b"] = nil
        map["z"] = nil
        #expect(map == ["a": 1, "c": .null])
        #expect(map["b"] == nil)
        #expect(map.count == 2)
    }

    @Test func theLastOfTwoEqualNamesInALiteralCounts() {
        #expect(["a": 1, "a": 2] as FieldMap == ["a": 2])
    }

    @Test(
        arguments: [
            ([:], [:], false), (["a": 1], [:], false), (["a": 1], ["a": 2], true), (["a": 1, "c": 1], ["b": 1, "d": 1], false),
            (["a": 1, "d": 1], ["b": 1, "c": 1, "d": 1], true), (["\u{e9}": 1], ["e\u{301}": 1], false),
        ] as [(FieldMap, FieldMap, Bool)])
    func twoMapsShareAFieldWhereOneNameIsInBoth(one: FieldMap, other: FieldMap, expected: Bool) {
        #expect(one.sharesField(with: other) == expected)
        #expect(other.sharesField(with: one) == expected)
    }

    @Test(
        arguments: [
            ([:], [:], [:]), (["a": 1], [:], ["a": 1]), ([:], ["a": 1], ["a": 1]), (["a": 1], ["a": 2], ["a": 1]),
            (["a": 1, "c": 1], ["b": 2, "d": 2], ["a": 1, "b": 2, "c": 1, "d": 2]),
            (["b": .null, "d": 1], ["a": 2, "b": 2, "c": 2, "d": 2, "e": 2], ["a": 2, "b": .null, "c": 2, "d": 1, "e": 2]),
        ] as [(FieldMap, FieldMap, FieldMap)])
    func aMapIsFilledFromAnother(one: FieldMap, other: FieldMap, expected: FieldMap) {
        #expect(one.filled(from: other) == expected)
    }

    @Test func valuesOfEveryKindAreOrderedByBytesAndDecimalValue() {
        let ascending: [FieldValue] = [
            .null, false, true, -1, 0.5, 1, 10, "", "A", "a", "aa", "e\u{301}", "\u{e9}", [], [.null], [1], [1, 1], [2], [:], ["a": 1],
            ["a": 1, "b": 1], ["a": 2], ["b": 0],
        ]
        for (index, value) in ascending.enumerated() {
            for (other, later) in ascending.enumerated() {
                #expect((value < later) == (index < other), "\(value) < \(later)")
                #expect((value == later) == (index == other), "\(value) == \(later)")
            }
        }
        #expect(FieldValue.number(JSONNumber(1)) == 1.0)
    }

    /// Two values as they were written are equal where what they say is, whether or not that can be seen without parsing.
    @Test func valuesAsTheyWereWrittenAreComparedByWhatTheySay() throws {
        let texts = [
            #""""#, #""a""#, #""b""#, #""\u0061""#, #""a\\""#, #""a\"""#, #""é""#, #""\u00e9""#, #""e\u0301""#, #""12345678""#,
            #""1234567\u0038""#, #""1234567\\""#, #""abcdefghijklmnop""#, #""abcdefghijklmnoq""#, #""abcdefgh[ijklmnop""#,
            "\"abcdefg\u{7f}hij\"", #""abcdefg\u007fhij""#,
            "null", "true", "false", "1", "1.0", "10e-1", #""1""#, "[]", "[ ]", #"["a","b"]"#, #"["a", "b"]"#, #"["a","c"]"#, #"{"a":1}"#,
            #"{ "a":1.0}"#, #"{"a":2}"#, #""\u00E9""#, #""\u00e9x""#, #""\u00E9x""#, #""\u00E9y""#, #""éx""#, #""ab""#, #""a\u0062""#,
            #"["\u0061","b"]"#, #"["a","b","c"]"#, #"["a{","b"]"#, #"["a{","c"]"#, #"[["a"],1]"#, #"[["a"],1.0]"#, #"[["b"],1]"#,
            #"{"b":"x","c":"y"}"#, #"{"c":"y","b":"x"}"#, #"[{"b":"x","c":"y"}]"#, #"[{"c":"y","b":"x"}]"#, #"["a",{"b":1}]"#,
        ]
        func map(_ text: String) -> FieldMap {
            let bytes = Array(text.utf8)
            return FieldMap(sortedNames: ["f"], texts: ValueTexts(bytes.span, [0..<bytes.count].span, order: nil))
        }
        for one in texts {
            let parsed = try JSONParser.parse(one)
            for other in texts {
                let isSame = try JSONParser.parse(other) == parsed
                #expect((map(one).written("f") == map(other).written("f")) == isSame, "\(one) and \(other)")
            }
        }
    }
}
