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
                  -n, --count N            How many.
                      --name NAME          A name. May be repeated.
                      --mode MODE          How. One of fast, slow.
                      --a-rather-long-option PLACEHOLDER
                                           How long, explained on a line of its own because the
                                           name is long.
                      --since TIME         From when.
                      --until TIME         Until when.
                      --unique TYPE.FIELD  A field. May be repeated.
                      --policy NAME        A policy. One of last-writer-wins,
                                           record-last-writer-wins, first-writer-wins,
                                           last-arrival-wins, record-last-arrival-wins, maximum,
                                           minimum, counter, set, manual, prefer-devices:A,B.
                      --set RULE           A rule. May be repeated.
                  -l, --lenient            Be lenient.
                  -q, --quiet              Be quiet.
                  -h, --help               Shows this help.

                Examples:
                  syncaudit sample -n 5 x
                      Five of x.

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
