import Testing

@testable import AuditReport

@Suite struct PageTests {
    private func text(width: Int = 20, isStyled: Bool = false, _ body: (inout Page) -> Void) -> String {
        var page = Page()
        body(&page)
        return page.text(style: TerminalStyle(isEnabled: isStyled), width: width)
    }

    @Test func wordsAreBrokenAndLinesAreNot() {
        let text = text {
            $0.headline("one two three four five")
            $0.paragraph("six seven eight nine", indentation: 4)
            $0.line("a location that is wider:12")
            $0.title("A title")
        }
        #expect(text == "one two three four\nfive\n    six seven eight\n    nine\na location that is wider:12\n\nA title\n")
    }

    @Test func anItemHangsBehindItsMark() {
        let text = text { $0.item(("3f2a", .name), ("  ", .plain), words: "one two three four") }
        #expect(text == "3f2a  one two three\n      four\n")
    }

    @Test func aPurposeGoesWhereThereIsNoRoom() {
        #expect(text { $0.command("syncaudit lost  ", purpose: "why") } == "syncaudit lost\n")
        #expect(text(width: 21) { $0.command("syncaudit lost  ", purpose: "why") } == "syncaudit lost    why\n")
    }

    @Test func tonesAreStylesOfATerminal() {
        let text = text(isStyled: true) {
            $0.headline("lost", .bad)
            $0.line(("ok", .good), (" ", .plain), ("more", .aside))
        }
        #expect(text == "\u{1b}[1m\u{1b}[31mlost\u{1b}[0m\u{1b}[0m\n\u{1b}[32mok\u{1b}[0m \u{1b}[2mmore\u{1b}[0m\n")
    }

    @Test func linesAreCountedAsTheyAreDrawn() {
        var page = Page()
        page.paragraph("one two three four five")
        page.lineBreak()
        #expect(page.lineCount(width: 20) == 3 && page.lineCount(width: 80) == 2)
    }
}
