import Testing

@testable import SyncAuditCommands

@Suite struct HelpTextTests {
    @Test func helpOfAVerb() {
        #expect(
            HelpText.verb(sampleVerb) == """
                Usage: syncaudit sample [OPTIONS] [FILES…|-]

                Shows how the options of a verb are read and how its help is laid out, at some
                length so that it wraps.

                A second paragraph.

                Options:
                """)
    }

    @Test(arguments: SyncAudit.verbs.map(\.definition.name)) func noLineIsLongerThanATerminal(_ name: String) throws {
        let verb = try #require(SyncAudit.verbs.first { $0.definition.name == name })
        for line in HelpText.verb(verb.definition).split(separator: "\n") {
            #expect(line.count <= 80, "\(line)")
            #expect(line.last != " ")
        }
    }

    @Test func wordsLongerThanALineStayWhole() {
        let long = String(repeating: "x", count: 100)
        #expect(HelpText.wrapped("a \(long) b", indent: 2) == "  a\n  \(long)\n  b\n")
        #expect(HelpText.wrapped("") == "\n")
    }
}
