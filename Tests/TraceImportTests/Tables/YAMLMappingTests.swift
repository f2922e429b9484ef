import SyncModel
import Testing

@testable import TraceImport

/// Columns of YAML are read as Ruby writes them.
@Suite struct YAMLMappingTests {
    private static let times = """
        --- !ruby/hash:ActiveSupport::HashWithIndifferentAccess
        title:
        - Draft
        - 'It''s: done'
        updated_at:
        - !ruby/object:ActiveSupport::TimeWithZone
          utc: &1 2026-01-15 09:00:00.000000000 Z
          zone: &2 !ruby/object:ActiveSupport::TimeZone
            name: Etc/UTC
          time: *1
        - *1

        """

    private static let strings = #"""
        ---
        id: 42
        price: !ruby/object:BigDecimal 27:0.1999e2
        done: false
        note:
        number: '007'
        'key: quoted': x
        body: |-
          first

            second: line
        ends: |
          with a break
        folded: a long text that goes on
          in another line
        quoted: "tab\t, \u00e9 and \"this\" \
          \ end"
        tags:
        - a
        - b: 1
          c: 2
        none: []
        inner:
          deep:
            - 1

        """#

    @Test func pairsAndTimesAreRead() {
        #expect(
            YAMLMapping.parse(Self.times) == [
                "title": ["Draft", "It's: done"], "updated_at": ["2026-01-15 09:00:00.000000000 Z", "2026-01-15 09:00:00.000000000 Z"],
            ])
    }

    @Test func stringsAreReadInEachForm() {
        #expect(
            YAMLMapping.parse(Self.strings) == [
                "id": 42, "price": "27:0.1999e2", "done": false, "note": .null, "number": "007", "key: quoted": "x",
                "body": "first\n\n  second: line", "ends": "with a break\n", "folded": "a long text that goes on in another line",
                "quoted": "tab\t, \u{e9} and \"this\"  end", "tags": ["a", ["b": 1, "c": 2]], "none": [], "inner": ["deep": [1]],
            ])
        #expect(YAMLMapping.parse("--- {}\n") == [:])
    }

    @Test(arguments: [
        "", "---", "--- text", "---\n- a\n", "---\na: 1\nb\n", "---\na: 'b\n", "---\na: \"\\uD800\"\n", "---\na: 1\na: 2\n", "a: 1\n",
    ])
    func whatIsNoMappingIsNone(text: String) {
        #expect(YAMLMapping.parse(text) == nil)
    }

    /// Cut off anywhere it is read or not, and deep nesting ends.
    @Test func hostileTextsEnd() {
        for text in [Self.times, Self.strings] {
            for length in 0..<text.count { _ = YAMLMapping.parse(String(text.prefix(length))) }
        }
        #expect(YAMLMapping.parse("---\na:\n" + String(repeating: "- ", count: 10_000) + "b\n") == nil)
        #expect(YAMLMapping.parse("---\n" + (0..<1000).map { String(repeating: " ", count: min($0, 300)) + "a:\n" }.joined()) == nil)
    }
}
