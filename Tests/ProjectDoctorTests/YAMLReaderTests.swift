import FileFormats
import ProjectDoctor
import Testing

struct YAMLReaderTests {
    private static func result(_ text: String) -> String {
        var reader = YAMLReader(Array(text.utf8))
        do throws(FormatError) {
            return PropertyListTests.short(try reader.parse()) + reader.notes.map { " \($0.offset): \($0.sentence)" }.joined()
        } catch {
            return "\(error.offset): \(error.sentence)"
        }
    }

    @Test(arguments: [
        ("", "\"\""), ("# c\n", "\"\""), ("a", "\"a\""), ("a: b", "{a: \"b\"}"), ("---\na: 1 # c\nb: 1.5\n", "{a: 1, b: 1.5}"),
        ("\u{feff}a: yes\r\nb: NO\r\nc: ~\r\n", "{a: true, b: false, c: \"\"}"),
        ("a:\n  b:\n    c: d\n  e: f\ng:", "{a: {b: {c: \"d\"}, e: \"f\"}, g: \"\"}"),
        ("a:\n- b\n- c: 1\n  d: 2\n-\n  e: 3\n- - f\n  - g\nh: i", "{a: [\"b\", {c: 1, d: 2}, {e: 3}, [\"f\", \"g\"]], h: \"i\"}"),
        ("a:\n  - b\n  -\n  - c", "{a: [\"b\", \"\", \"c\"]}"),
        ("\"a b\": 'it''s'\n'c': \"\\u00e4\\n\\x41\"", "{a b: \"it's\", c: \"ä\nA\"}"),
        ("a: [b, 'c, d', [1, 2], {e: f, g}, h: i, ]", "{a: [\"b\", \"c, d\", [1, 2], {e: \"f\", g: \"\"}, {h: \"i\"}]}"),
        ("a: {b: c,\n  # d\n  e: [f,\n g]}\nh: i", "{a: {b: \"c\", e: [\"f\", \"g\"]}, h: \"i\"}"),
        ("a: b\n  c\n\n  d\ne: f", "{a: \"b c d\", e: \"f\"}"),
        ("a: [b\n  c, d\n # e\n ]", "{a: [\"b c\", \"d\"]}"), ("a: |\n  b\n   c\n\n  d\n\ne: f", "{a: \"b\n c\n\nd\n\", e: \"f\"}"),
        ("a: >-\n  b\n  c\n\n  d\ne: f", "{a: \"b c\nd\", e: \"f\"}"), ("a: |+\n  b\n\ne: f", "{a: \"b\n\n\", e: \"f\"}"),
        ("- |\n  a\n- b", "[\"a\n\", \"b\"]"),
        ("a: http://b:80/#c", "{a: \"http://b:80/#c\"}"), ("a: $(B) ${C}", "{a: \"$(B) ${C}\"}"),
        ("A[sdk=iphoneos*]: b", "{A[sdk=iphoneos*]: \"b\"}"),
        ("a: \"b\n  c\n\n  d\"", "{a: \"b c\nd\"}"), ("a: -b\n-c: d", "{a: \"-b\", -c: \"d\"}"),
    ]) func listsAreParsed(text: String, expected: String) {
        #expect(Self.result(text) == expected)
    }

    @Test(arguments: [
        ("a: !!str 1", "{a: 1} 3: a tag is not understood and passed over"),
        ("a: *x", "{a: \"\"} 3: no value before has the name \"x\"; the alias has no value"),
        ("a: &x [*x]", "{a: [\"\"]} 7: no value before has the name \"x\"; the alias has no value"),
        ("a: b\n---\nc: d", "{a: \"b\"} 5: only the first document of the file is read"),
    ]) func whatIsNotUnderstoodIsNoted(text: String, expected: String) {
        #expect(Self.result(text) == expected)
    }

    @Test(arguments: [
        ("a: b: c", "4: a colon in a value that is not in quotes"), ("a:\n\t b: c", "3: a tab in the indentation"),
        ("a: \"b", "3: a string that is not closed"), ("a: [b", "3: a list that is not closed"),
        ("a: {b: c", "3: a list that is not closed"),
        ("a: ['b'\n c d: [", "9: a comma is missing in a list"),
        ("a: {? b: c}", "4: keys that begin with ? are not understood"), ("a: \"b\" c", "6: characters after the end of a value"),
        ("? a", "0: keys that begin with ? are not understood"),
        ("a: b\nc", "5: a line without a key and a colon"), ("a: @b", "3: a value that begins with a reserved character"),
        ("  a: b\n c: d", "8: a line that is indented like none before it"),
        ("a:\n  b: c\n   d: e", "14: a colon in a value that is not in quotes"),
        ("a: [b 'c' [d]]", "10: a comma is missing in a list"), ("a: \"\\z\"", "4: an escape that is not understood"),
        ("a: |x\n b", "3: a block whose first line is not understood"),
    ]) func errorsSayWhatWasFound(text: String, error: String) {
        #expect(Self.result(text) == error)
    }

    @Test(arguments: [
        ("a: &x b\nc: *x", "{a: \"b\", c: \"b\"}"), ("a: &x\n  b: c\nd: *x # e\n", "{a: {b: \"c\"}, d: {b: \"c\"}}"),
        ("a: &x\n- b\nc:\n- *x\n- d", "{a: [\"b\"], c: [[\"b\"], \"d\"]}"), ("a: [&x b, *x, {c: *x}]", "{a: [\"b\", \"b\", {c: \"b\"}]}"),
        ("a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  b: 3", "{a: {b: 1, c: 2}, d: {b: 3, c: 2}}"),
        ("a: &x {b: 1}\nc: &y {b: 2, d: 3}\ne: {<<: [*x, *y], f: 4}", "{a: {b: 1}, c: {b: 2, d: 3}, e: {f: 4, b: 1, d: 3}}"),
        ("a: &x b\nc: &x d\ne: *x", "{a: \"b\", c: \"d\", e: \"d\"}"), ("- &x a\n- *x", "[\"a\", \"a\"]"),
    ]) func anAliasIsTheValueOfItsName(text: String, expected: String) {
        #expect(Self.result(text) == expected)
    }

    @Test func aliasesOfAliasesAreLimited() {
        var bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...12 { bomb += "a\(level): &a\(level) [" + String(repeating: "*a\(level - 1), ", count: 10) + "]\n" }
        var reader = YAMLReader(Array(bomb.utf8))
        #expect((try? reader.parse())?.entries.count == 13)
        #expect(reader.notes.first?.sentence.hasPrefix("the aliases stand for too many values") == true)
        var chain = "a0: &a0 [x]\n"
        for level in 1...5000 { chain += "a\(level): &a\(level) [*a\(level - 1)]\n" }
        reader = YAMLReader(Array(chain.utf8))
        #expect((try? reader.parse())?.entries.count == 5001)
        #expect(reader.notes.first?.sentence.hasPrefix("the aliases stand for too many values") == true)
    }

    @Test func listsInsideEachOtherAreLimited() {
        #expect(Self.result(String(repeating: "[", count: 100_000)) == "64: more than 64 lists inside each other")
        #expect(Self.result(String(repeating: "- ", count: 100_000)).hasSuffix("more than 64 lists inside each other"))
        #expect(Self.result(String(repeating: "{a: ", count: 100_000)).hasSuffix("more than 64 lists inside each other"))
        #expect(Self.result("a: " + String(repeating: "&x ", count: 100_000)).hasPrefix("192: more than 64 lists"))
    }
}
