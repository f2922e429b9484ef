import Testing

@testable import AuditReport

@Suite("Tables of text")
struct TextTableTests {
    private var table: TextTable {
        var table = TextTable(columns: [
            .init("FIELD", isFlexible: true), .init("CONFLICTS", alignment: .right), .init("LAST WINNER", isFlexible: true),
        ])
        table.addRow(["Note.title", "7,103", "phone"])
        table.addRow(["日本.body", "9", ""])
        return table
    }

    @Test("Names stand left, numbers right, and no line ends in spaces", arguments: [34, 35, 1000])
    func aligned(maximumWidth: Int) {
        let expected = """
            FIELD       CONFLICTS  LAST WINNER
            Note.title      7,103  phone
            日本.body           9

            """
        #expect(table.render(maximumWidth: maximumWidth) == expected)
    }

    @Test("Too wide a table cuts its widest names first, and never numbers")
    func shrunk() {
        let expected = """
            FIELD      CONFLICTS  LAST WIN…
            Note.tit…      7,103  phone
            日本.body          9

            """
        #expect(table.render(maximumWidth: 31) == expected)
        let narrow = """
            FIE…  CONFLICTS  LAS…
            Not…      7,103  pho…
            日…           9

            """
        #expect(table.render(maximumWidth: 5) == narrow)
    }

    @Test("Any maximum that can be kept is kept", arguments: 21...40)
    func staysWithinItsWidth(maximumWidth: Int) {
        for line in table.render(maximumWidth: maximumWidth).split(separator: "\n") {
            #expect(TerminalText.width(String(line)) <= maximumWidth)
        }
    }

    @Test("A cell of a million columns is cut without delay", .timeLimit(.minutes(1)))
    func hugeCell() {
        var table = TextTable(columns: [.init(isFlexible: true), .init(isFlexible: true)])
        table.addRow([String(repeating: "x", count: 1_000_000), "y"])
        #expect(table.render(maximumWidth: 10) == "xxxxxx…  y\n")
    }

    @Test("Without titles there is no line for them")
    func untitled() {
        var table = TextTable(columns: [.init(), .init(alignment: .right)])
        #expect(table.render(maximumWidth: 80) == "")
        table.addRow(["a", "1"])
        table.addRow(["bb", "22"])
        #expect(table.render(maximumWidth: 80) == "a    1\nbb  22\n")
    }

    @Test("A row of the wrong length is a programmer's error")
    func wrongLength() async {
        await #expect(processExitsWith: .failure) {
            var table = TextTable(columns: [.init("A")])
            table.addRow(["1", "2"])
        }
    }
}
