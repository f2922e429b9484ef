import SyncBytes
import Testing

/// Texts that somebody else reads as a word, a literal or a name.
@Suite struct QuotedTests {
    @Test(arguments: [("it's", "'it''s'"), ("", "''"), ("'\u{301}); DROP", "'''\u{301}); DROP'"), ("\r\n'", "'\r\n'''")])
    func everyQuoteIsEscaped(text: String, expected: String) {
        // Strings are the same to Swift that are different bytes to a database.
        #expect(Array(text.enclosed(in: "'", escapedAs: "''").utf8) == Array(expected.utf8))
    }

    @Test(arguments: [
        ("a b", "'a b'"), ("it's", #"'it'\''s'"#), ("'\u{301}; rm -rf ~", "''\\''\u{301}; rm -rf ~'"), ("plain.csv", "plain.csv"),
        ("", "''"),
    ])
    func aWordOfAShellStaysOne(text: String, expected: String) {
        #expect(Array(text.shellWord.utf8) == Array(expected.utf8))
    }
}
