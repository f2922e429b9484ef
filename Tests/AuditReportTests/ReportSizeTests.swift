import AuditAnalysis
import AuditLog
import AuditReport
import AuditSamples
import ConflictAudit
import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// Reports keep their size, however much was counted and however long the names are.
@Suite struct ReportSizeTests {
    /// The longest names of every sort, escapes for every character, and more of them than are shown.
    private func large(_ count: Int) -> Summary {
        let evil = String(repeating: "\u{1}\"\\\u{202e}漢", count: histories(100, of: 500))
        let names = (0..<count).map { "\($0)" + evil }
        var summary = Summary(
            filter: ReportFilter(
                since: WallTime(millisecondsSince1970: 0), devices: Set(names.map { DeviceID($0) }),
                recordTypes: Set(names.map { RecordType($0) }), fields: Set(names.map { FieldName($0) })))
        for (index, name) in names.enumerated() {
            for basis in [Conflict.Basis.causal, .window] {
                let conflict = conflict(
                    RecordKey(type: RecordType(name), id: RecordID(name)), field: FieldName(name), winner: DeviceID(name),
                    loser: DeviceID(names[(index + 1) % count]), at: 1_768_485_600_000 + Int64(index) * 86_400_000, basis: basis,
                    clockSuspect: true)
                summary.observe(AuditEvent(at: 0, .conflict(conflict)), source: "phone")
            }
        }
        return summary
    }

    @Test func aDocumentIsAPage() throws {
        let count = histories(100, of: 200)
        let summary = large(count)
        let page = ReportAnswer(summary).json
        #expect(page.count < 64 << 10, "\(page.count)")
        #expect(JSONRenderer().render(summary).count > histories(2, of: 10) * page.count)
        let object = try parse(page)
        #expect(object["conflicts"]?.integer == Int64(2 * count))
        let rows = try #require(object["byRecord"]?.object?["rows"]?.array)
        #expect(rows.count == 10)
        #expect(object["byRecord"]?.object?["others"]?.object?["names"]?.integer == Int64(count - 10))
        #expect(object["byPeriod"]?.object?["period"] == .string(count > 168 ? "month" : "week"))
        // More is there for whoever asks.
        #expect(try parse(ReportAnswer(summary, top: count - 50).json)["byRecord"]?.object?["rows"]?.array?.count == count - 50)
    }

    @Test(arguments: [40, 41, 60, 80, 97, 200], [0, 12, 20, 33, 64])
    func everyLineOfATableFits(width: Int, doublings: Int) {
        var random = RandomEvents(seed: UInt64(doublings))
        let mixed = (0..<histories(12, of: 60)).map { _ in random.conflict() }
        let long = RecordKey(type: "Document", id: RecordID(String(repeating: "漢字é ", count: 40)))
        let pair = [conflict(long, winner: DeviceID(String(repeating: "w", count: 90)), loser: DeviceID(String(repeating: "l", count: 90)))]
        for conflicts in [mixed + pair, mixed.filter(\.isProven), mixed.filter { !$0.isProven }] {
            var summary = Summary()
            for conflict in conflicts { summary.observe(AuditEvent(at: conflict.milliseconds, .conflict(conflict)), source: nil) }
            for _ in 0..<3 { summary.observe(AuditEvent(at: 0, .write(write())), source: nil) }
            summary.observe(AuditEvent(at: 0, .log(.dropped(5))), source: nil)
            for _ in 0..<doublings { summary.merge(summary) }
            for line in ReportAnswer(summary).text(PageLayout(width: width)).split(separator: "\n") {
                #expect(TerminalText.width(String(line)) <= width, "\(line)")
                #expect(line.last != " ")
            }
        }
    }

    @Test func aPageOfLongNamesIsOfOrdinaryLength() {
        let event = AuditEvent(at: 0, .conflict(conflictNamed(String(repeating: "<b>&", count: histories(20_000, of: 100_000)))))
        var (summary, listing) = (Summary(), ConflictListing(limit: 100))
        summary.observe(event, source: "phone")
        listing.observe(event, source: "phone")
        _ = listing.looksAgain()
        let page = HTMLRenderer(top: 3, source: "log.jsonl").render(summary, listing)
        #expect(page.utf8.count < 60_000)
        #expect(PageOutline(page).problems == [])
    }
}
