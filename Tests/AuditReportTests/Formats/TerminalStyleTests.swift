import AuditAnalysis
import Testing

@testable import AuditReport

/// Styled lines that are cut to a terminal's width.
@Suite struct TerminalStyleTests {
    private let style = TerminalStyle(isEnabled: true)

    @Test func whatIsStyledIsCutAsWhatIsNot() {
        let (a, b) = ("red é日本", " and 日本 plain")
        let styled = style.red(a) + b
        for columns in 1...30 {
            let cut = TerminalStyle.truncated(styled, to: columns)
            let plain = cut.replacing("\u{1b}[31m", with: "").replacing("\u{1b}[0m", with: "")
            #expect(plain == TerminalText.truncated(a + b, to: columns), "\(columns)")
            #expect(cut.contains("\u{1b}[0m"))
        }
    }

    @Test func aMarkAtTheBeginningOfDataHidesNoEscape() {
        let cut = TerminalStyle.truncated(style.red("\u{301}" + String(repeating: "x", count: 50)), to: 10)
        #expect(cut.contains("\u{1b}[0m") && cut.split(separator: "x").count <= 3 && cut.count < 25)
    }
}
