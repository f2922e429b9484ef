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
        ("", "''"), ("~root", "'~root'"), ("~", "'~'"), ("a~b", "'a~b'"), ("a\nb", #"$'a\012b'"#), ("a\tb\rc", #"$'a\011b\015c'"#),
        ("\u{1b}[31m it's \\", #"$'\033[31m it\'s \\'"#), ("x\u{202e}y", #"$'x\342\200\256y'"#), ("\u{7}1", #"$'\0071'"#),
        ("\u{9b}é", #"$'\302\233é'"#), ("é.jsonl", "é.jsonl"),
    ])
    func aWordOfAShellStaysOne(text: String, expected: String) {
        #expect(Array(text.shellWord.utf8) == Array(expected.utf8))
    }

    /// What is shown of any name is one word again, and nothing that a terminal acts on.
    @Test func noWordOfAShellHasAnythingThatATerminalActsOn() {
        for value in (1...0x2fff).compactMap(Unicode.Scalar.init) {
            let word = "a\(value)b".shellWord
            #expect(word == word.escaped(for: .terminal), "\(value.value)")
            #expect(!word.contains(#"\u{"#), "\(value.value)")
        }
    }
}
