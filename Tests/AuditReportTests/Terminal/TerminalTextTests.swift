import Testing

@testable import AuditReport

@Suite("Text on a terminal")
struct TerminalTextTests {
    @Test(
        "Width in columns",
        arguments: [
            ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本語", 6), ("ｶﾅ", 2), ("한국", 4), ("\u{1112}\u{1161}\u{11ab}", 2), ("😀", 2),
            ("👩‍👩‍👧‍👦", 2), ("🇩🇪", 2), ("❤️", 2), ("❤", 1), ("1️⃣", 2), ("…", 1), ("█▏", 2), ("\u{200b}", 0), ("\u{1b}", 0), ("नमस्ते", 4),
            ("\u{20000}", 2), ("a\u{ad}b", 2), ("Ａ", 2),
        ])
    func width(text: String, columns: Int) {
        #expect(TerminalText.width(text) == columns)
    }

    @Test(
        "What acts on a terminal is written out",
        arguments: [
            ("plain é 日本 😀", "plain é 日本 😀"), ("\u{1b}[31mred", "\\u{1b}[31mred"), ("a\nb\tc", "a\\u{a}b\\u{9}c"),
            ("\u{202e}gpj.exe", "\\u{202e}gpj.exe"), ("\u{9b}1m", "\\u{9b}1m"), ("\r\n", "\\u{d}\\u{a}"),
            ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}"),
            ("\\u{1b}", "\\u{1b}"),
        ])
    func escaped(text: String, shown: String) {
        #expect(TerminalText.escaped(text) == shown)
        #expect(TerminalText.escaped(shown) == shown)
    }

    @Test(
        "Cutting leaves whole characters and room for the ellipsis",
        arguments: [
            ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("abcdef", 1, "…"), ("abcdef", 0, ""), ("abcdef", -3, ""), ("日本語", 6, "日本語"),
            ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 2, "…"), ("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 3, "👩‍👩‍👧‍👦…"), ("", 0, ""),
        ])
    func truncated(text: String, width: Int, shown: String) {
        #expect(TerminalText.truncated(text, to: width) == shown)
        #expect(TerminalText.width(shown) <= max(0, width))
    }

    @Test("Padding counts columns, not characters")
    func padded() {
        #expect(TerminalText.padded("日本", to: 6) == "日本  ")
        #expect(TerminalText.padded("日本", to: 6, alignment: .right) == "  日本")
        #expect(TerminalText.padded("wide", to: 2) == "wide")
    }

    @Test("The table of wide characters is in order, or its search would miss")
    func wideRangesAreSorted() {
        for value: UInt32 in [0x1100, 0x303e, 0x3041, 0x4dbf, 0xa4cf, 0xd7a3, 0xffe6, 0x1f64f, 0x3fffd] {
            #expect(Unicode.Scalar(value).map { TerminalText.width(String(Character($0))) } == 2, "U+\(String(value, radix: 16))")
        }
    }

    @Test("Colour marks text only where it is on")
    func style() {
        let style = TerminalStyle(isEnabled: true)
        let marks = [style.bold, style.dim, style.red, style.green, style.yellow, style.cyan]
        for (mark, code) in zip(marks, [1, 2, 31, 32, 33, 36]) {
            #expect(mark("x") == "\u{1b}[\(code)mx\u{1b}[0m")
            #expect(mark("") == "")
        }
        let plain = TerminalStyle(isEnabled: false)
        for mark in [plain.bold, plain.dim, plain.red, plain.green, plain.yellow, plain.cyan] { #expect(mark("x") == "x") }
    }
}
