import AuditAnalysis
import AuditReport
import AuditSamples
import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel
import Testing

@Suite struct ReportTextTests {
    private func summary(_ conflicts: [Conflict], writes: Int = 0) -> Summary {
        var summary = Summary()
        for conflict in conflicts { summary.observe(AuditEvent(at: conflict.milliseconds, .conflict(conflict)), source: nil) }
        for _ in 0..<writes { summary.observe(AuditEvent(at: 0, .write(write())), source: nil) }
        return summary
    }

    private func headline(_ summary: Summary) -> String {
        String(ReportAnswer(summary).text(PageLayout(width: 200)).prefix { $0 != "\n" })
    }

    @Test(arguments: [(80, "table.txt"), (40, "table-40.txt"), (200, "table-200.txt")])
    func golden(width: Int, name: String) throws {
        try Golden.expect(ReportAnswer(.sample).text(PageLayout(top: 3, width: width)), is: name)
    }

    @Test func goldenOfProvenConflictsOnly() throws {
        let conflicts = [conflict(), conflict(field: "body", winner: "laptop", gap: 400_000, severity: .benign)]
        try Golden.expect(ReportAnswer(summary(conflicts, writes: 9)).text(PageLayout()), is: "table-proven.txt")
    }

    @Test(arguments: [
        ([conflict()], 1, "1 edit was lost in 1 conflict (1 write)"),
        ([conflict(), conflict()], 2, "2 edits were lost in 2 conflicts (2 writes)"),
        ([conflict()], 0, "1 edit was lost in 1 conflict"),
        ([conflict(severity: .merged)], 2, "No edits were lost in 1 conflict (2 writes)"),
        ([conflict(severity: .divergent), conflict(severity: .destructive)], 0, "2 edits were lost in 2 conflicts"),
        ([conflict(basis: .ancestor)], 0, "1 edit was lost in 1 conflict"),
        ([conflict(basis: .window)], 2, "1 edit may have been lost in 1 suspected conflict (2 writes)"),
        ([conflict(severity: .benign, basis: .window)], 2, "1 suspected conflict, none of which would have lost an edit (2 writes)"),
        (
            [conflict(), conflict(basis: .window)], 0,
            "1 edit was lost in 1 conflict, and 1 edit may have been lost in 1 suspected conflict"
        ),
        (
            [conflict(), conflict(severity: .benign, basis: .window)], 1200,
            "1 edit was lost in 1 conflict, and none in 1 suspected conflict (1,200 writes)"
        ),
    ])
    func headlineCountsInWords(conflicts: [Conflict], writes: Int, expected: String) {
        #expect(headline(summary(conflicts, writes: writes)) == expected)
    }

    @Test func saysHowFarCountsOfRecordsMayBeOff() {
        var summary = Summary.sample
        summary.recordsMissing = 3
        let text = ReportAnswer(summary).text(PageLayout(width: 120))
        #expect(text.contains("each of their counts is too low by 3 at most") && text.contains("  all others"))
        #expect(text.contains("more than 262,144 records"))
    }

    @Test func saysThatBeyondTheLimitEveryLineCounts() {
        var copies = FirstCopies(limit: 3)
        var summary = Summary()
        for round in 0..<2 {
            for number in 0..<5 {
                let conflict = conflict(RecordKey(type: "Note", id: RecordID("\(number)")))
                summary.observe(AuditEvent(at: Int64(round), .conflict(conflict)), source: "phone", once: &copies)
            }
        }
        summary.add(copies.tallies)
        let text = ReportAnswer(summary).text(PageLayout(width: 200))
        #expect(text.contains("5 different conflicts; each counts once, but beyond the first 4,000,000 every"))
    }

    @Test func anEmptySummaryIsOneSentence() {
        #expect(ReportAnswer(Summary()).text(PageLayout()) == "No conflicts and no writes: there is nothing to report yet\n")
        #expect(
            ReportAnswer(summary([], writes: 1)).text(PageLayout()).hasPrefix(
                "Nobody has audited this write: whether edits were lost is not known\n"))
        let filter = ReportFilter(
            since: WallTime(millisecondsSince1970: 1_768_435_200_000), until: WallTime(millisecondsSince1970: 1_768_435_200_001),
            devices: ["b", "a\u{1b}"], severities: [.lossy])
        #expect(
            ReportAnswer(Summary(filter: filter)).text(PageLayout(width: 200))
                == "No conflicts pass the filter: since 2026-01-15, before 2026-01-15T00:00:00.001Z, device a\\u{1b} or b, severity lossy\n"
        )
    }

    @Test func filtersAreStated() {
        var filtered = Summary(filter: ReportFilter(recordTypes: Set((1...9).map { RecordType("T\($0)") } + ["Note"])))
        filtered.observe(AuditEvent(at: 0, .conflict(conflict())), source: nil)
        func text(_ summary: Summary) -> String { ReportAnswer(summary).text(PageLayout(width: 200)) }
        #expect(text(filtered).contains("\nonly record type Note or T1 or T2 or T3 or T4 or 5 more\n"))
        filtered.merge(summary([conflict()]))
        #expect(text(filtered).contains("\nmerged from reports with different filters: everything; record type Note"))
        #expect(!text(summary([conflict()])).contains("only"))
    }

    @Test(arguments: [true, false])
    func hostileNamesDoNothingToTheTerminal(isStyled: Bool) {
        let evil = "\u{1b}]0;owned\u{7}\u{202e}\r\n\u{9b}31m\u{2028}"
        let key = RecordKey(type: RecordType(evil), id: RecordID(evil))
        let conflicts = [
            conflict(key, field: FieldName(evil), winner: DeviceID(evil + "1"), loser: DeviceID(evil), clockSuspect: true),
            conflict(key, field: nil, winner: DeviceID(evil), loser: DeviceID(evil + "2"), basis: .window),
        ]
        var text = ReportAnswer(summary(conflicts)).text(PageLayout(style: TerminalStyle(isEnabled: isStyled), width: 120))
        #expect(text.contains("\\u{1b}]0;owned\\u{7}\\u{202e}"))
        if isStyled {
            #expect(text.contains("\u{1b}[31m"))
            for code in [0, 1, 2, 31, 32, 33, 36] { text.replace("\u{1b}[\(code)m", with: "") }
        }
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.isHarmlessOnTerminal })
    }

    @Test func rowsComeByCountAndThenByNameAndTheRestIsAddedUp() {
        var conflicts: [Conflict] = []
        for (device, count) in [("b", 2), ("a", 2), ("c", 5), ("d", 1), ("e", 1)] {
            conflicts += Array(repeating: conflict(winner: DeviceID(device)), count: count)
        }
        let text = ReportAnswer(summary(conflicts)).text(PageLayout(top: 3))
        let lines = text.split(separator: "\n").map(String.init)
        let start = lines.firstIndex { $0.hasPrefix("By winning device") } ?? 0
        let names = lines[(start + 1)...(start + 4)].map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
        #expect(names.map { $0.filter { $0 != "█" } } == ["c 5 5", "a 2 2", "b 2 2", "2 others 2"])
        // With room for all but one, that one is shown rather than counted.
        #expect(!ReportAnswer(summary(conflicts)).text(PageLayout(top: 4)).contains("others"))
    }

    @Test func provenAndSuspectedNeverShareANumber() {
        let conflicts = Array(repeating: conflict(), count: 3) + Array(repeating: conflict(basis: .window), count: 4)
        let text = ReportAnswer(summary(conflicts)).text(PageLayout())
        #expect(!text.contains("7"))
        #expect(text.contains("proven  suspected   lost  lost?"))
    }

    @Test func aSuspectedReportSaysSuspectedThroughout() {
        let text = ReportAnswer(summary([conflict(basis: .window)])).text(PageLayout())
        #expect(!text.contains("Edits lost") && !text.contains(" lost\n") && !text.contains("conflicts"))
        #expect(text.contains("Edits perhaps lost by field"))
        #expect(text.contains("none proven, 1 suspected"))
        #expect(text.contains("suspected  lost?"))
    }
}

@Suite struct CalendarPeriodTests {
    /// Days since 1970 of the first and the last conflict, the grouping named in the title, and the rows it takes.
    @Test(arguments: [
        ("2026-01-15", "2026-01-15", "By day", 1), ("2026-01-15", "2026-02-07", "By day", 24), ("2026-01-15", "2026-02-08", "By week", 4),
        ("2026-01-15", "2026-06-28", "By week", 24), ("2026-01-15", "2026-06-29", "By month", 6),
        ("2024-02-29", "2026-01-31", "By month", 24),
        ("2024-02-29", "2026-02-01", "By year", 3), ("2003-01-01", "2026-12-31", "By year", 24),
        ("2002-12-31", "2026-01-01", "By decade", 3),
        ("0000-01-01", "0239-01-01", "By decade", 24), ("0000-01-01", "9999-12-31", "By millennium", 10),
        ("1969-12-28", "1970-02-02", "By week", 7),
    ])
    func shortestPeriodThatFits(first: String, last: String, title: String, count: Int) throws {
        var summary = Summary()
        for day in [first, last] {
            let moment = try #require(RFC3339.milliseconds("\(day)T12:00:00Z"))
            summary.observe(AuditEvent(at: moment, .conflict(conflict(at: moment))), source: nil)
        }
        let sections = ReportAnswer(summary).text(PageLayout(width: 100)).split(separator: "\n\n")
        let history = try #require(sections.first { $0.hasPrefix(title + " (UTC)") })
        let rows = history.split(separator: "\n").dropFirst()
        #expect(rows.count == count)
        // Both conflicts stand in rows at the ends, none between.
        #expect(rows.filter { $0.contains("█") }.count == min(count, 2))
    }

    @Test func labels() {
        #expect(history("2026-01-15", "2026-02-10").contains("  week of 2026-01-12 "))
        #expect(history("2026-01-15", "2026-12-10").contains("  2026-12 "))
        #expect(history("1906-01-15", "2026-12-10").contains("  1900–1909 "))
    }

    private func history(_ days: String...) -> String {
        var summary = Summary()
        for moment in days.compactMap({ RFC3339.milliseconds("\($0)T00:00:00Z") }) {
            summary.observe(AuditEvent(at: moment, .conflict(conflict(at: moment))), source: nil)
        }
        return ReportAnswer(summary).text(PageLayout(width: 100))
    }
}
