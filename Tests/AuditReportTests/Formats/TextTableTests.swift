import AuditAnalysis
import AuditReport
import Testing

@Suite struct TextTableTests {
    @Test func columnsLineUp() {
        var table = TextTable(columns: [.init("FIELD"), .init("LOST", alignment: .right), .init("")])
        table.addRow(["title", "7", "█"])
        table.addRow(["日本", "1,203", ""])
        #expect(
            table.render(maximumWidth: 80) == """
                FIELD   LOST
                title      7  █
                日本   1,203

                """)
    }

    @Test func withoutTitlesThereIsNoHeading() {
        var table = TextTable(columns: [.init(), .init()])
        #expect(table.render(maximumWidth: 80) == "")
        table.addRow(["a", "b"])
        #expect(table.render(maximumWidth: 80) == "a  b\n")
    }

    @Test func flexibleColumnsGiveWayAndOthersDoNot() {
        var table = TextTable(columns: [.init(isFlexible: true), .init()])
        table.addRow(["a flexible cell", "stays whole"])
        #expect(table.render(maximumWidth: 20) == "a flex…  stays whole\n")
        #expect(table.render(maximumWidth: 1) == "a f…  stays whole\n")
        #expect(table.render(maximumWidth: 28) == "a flexible cell  stays whole\n")
    }

    @Test func aRowOfAnotherLengthIsAMistake() async {
        await #expect(processExitsWith: .failure) {
            var table = TextTable(columns: [.init()])
            table.addRow(["a", "b"])
        }
    }
}
