import AuditAnalysis
import SyncBytes
import Testing

@Suite struct TerminalTextTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("naïve", 5), ("e\u{301}", 1), ("日本", 4), ("한국", 4), ("ｆｕｌｌ", 8), ("🙂", 2), ("👩‍👩‍👧", 2), ("…", 1), ("█", 1),
        ("a日b", 4),
    ]) func widthCountsColumns(_ text: String, _ columns: Int) {
        #expect(TerminalText.width(text) == columns)
    }

    @Test(arguments: [
        ("plain é 日", "plain é 日"), ("a\u{1b}[31mb", #"a\u{1b}[31mb"#), ("line\nbreak", #"line\u{a}break"#), ("\u{202e}x", #"\u{202e}x"#),
        ("\u{9b}", #"\u{9b}"#), ("", ""), ("a\u{200b}b", #"a\u{200b}b"#), ("\u{feff}a", #"\u{feff}a"#), ("a\u{ad}b", #"a\u{ad}b"#),
        ("a\u{200d}b", #"a\u{200d}b"#), ("a\u{fe0f}", #"a\u{fe0f}"#), ("\u{e0041}", #"\u{e0041}"#), ("\u{3164}", #"\u{3164}"#),
        ("\u{180e}\u{2060}\u{206a}", #"\u{180e}\u{2060}\u{206a}"#), ("\u{fff9}", #"\u{fff9}"#), ("e\u{301}🙂", "e\u{301}🙂"),
    ]) func whatATerminalActsOnIsWrittenOut(_ text: String, _ escaped: String) {
        #expect(text.escaped(for: .terminal) == escaped)
    }

    @Test(arguments: [
        ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("abcdef", 1, "…"), ("abcdef", 0, ""), ("abcdef", -1, ""), ("日本語", 5, "日本…"),
        ("日本語", 4, "日…"), ("", 0, ""),
    ]) func longTextIsCutToFit(_ text: String, _ limit: Int, _ cut: String) {
        #expect(TerminalText.truncated(text, to: limit) == cut)
        #expect(TerminalText.width(cut) <= max(limit, 0))
    }

    @Test(arguments: [
        ("maintainers#3", 16, "maintainers#3"), ("maintainers of it#3", 16, "maintain…of it#3"), ("maintainers#3", 8, "main…s#3"),
        ("abc", 2, "a…"),
        ("abc", 1, "…"), ("abc", 0, ""), ("日本語日本語", 8, "日本…語"),
    ])
    func namesAreCutInTheMiddle(_ name: String, _ limit: Int, _ cut: String) {
        #expect(TerminalText.shortened(name, to: limit) == cut)
        #expect(TerminalText.width(TerminalText.shortened(name, to: limit)) <= limit)
    }

    @Test(arguments: [
        ("one two three", TerminalText.WideWord.whole, ["one two", "three"]), ("  one  two ", .cut, ["one two"]), ("", .whole, []),
        ("a unbreakable b", .whole, ["a", "unbreakable", "b"]), ("a unbreakable b", .cut, ["a", "unbrea…", "b"]),
        ("a unbreakable b", .broken, ["a", "unbreak", "able b"]), ("日本 日本語", .broken, ["日本", "日本語"]), (" ", .broken, []),
    ]) func linesEndBehindWords(_ text: String, _ wide: TerminalText.WideWord, _ lines: [String]) {
        #expect(TerminalText.lines(text, to: 7, wide: wide) == lines)
    }

    @Test func brokenLinesEndBehindCharacters() {
        #expect(TerminalText.broken("abc def", to: 3) == ["abc", " de", "f"])
        #expect(TerminalText.broken("日本語", to: 5) == ["日本", "語"])
        #expect(TerminalText.broken("日e\u{301}", to: 1) == ["日", "e\u{301}"])
        #expect(TerminalText.broken("", to: 2) == [])
        #expect(TerminalText.broken("abcdefg", to: 2, lines: 2) == ["ab", "cd"])
        #expect(TerminalText.broken("abcd", to: 2, lines: 2) == ["ab", "cd"])
    }

    @Test func paddingCountsColumns() {
        #expect(TerminalText.padded("日", to: 4) == "日  ")
        #expect(TerminalText.padded("日", to: 4, alignment: .right) == "  日")
        #expect(TerminalText.padded("long", to: 2) == "long")
    }
}
