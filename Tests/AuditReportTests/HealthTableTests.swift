import AuditAnalysis
import ConflictAudit
import SyncModel
import Testing

@testable import AuditReport

/// Tables of the health of sync.
@Suite struct HealthTableTests {
    private static let start: Int64 = 1_768_485_600_000
    private static let hostile = "<b>\u{1b}[2J|=1+1\u{202e}"

    private static func sync(_ state: SyncActivity.State, _ error: String? = nil) -> AuditEvent.Content {
        .sync(SyncActivity(phase: .export, state: state, writes: 0, bytes: 0, duration: .milliseconds(5), error: error))
    }

    private static func summary(_ events: [(DeviceID?, AuditEvent.Content)]) -> Summary {
        var summary = Summary()
        for (device, content) in events { summary.observe(AuditEvent(at: start, content), source: device) }
        return summary
    }

    @Test func logsThatTellNothingOfSyncHaveNoTable() {
        #expect(HealthTable.all(of: Summary()).isEmpty)
        #expect(HealthTable.all(of: Self.summary([("a", .log(.opened))])).isEmpty)
    }

    @Test func devicesThatNeedAttentionComeFirstAndOthersTogetherLast() throws {
        let events = (10..<40).map { (DeviceID("device \($0)") as DeviceID?, Self.sync($0 >= 37 ? .failed : .succeeded)) }
        let table = try #require(HealthTable.all(of: Self.summary(events), top: 2).first)
        #expect(table.rows.map(\.device) == ["device 37", "device 38", "(28 others)"])
        #expect(table.rows.map { $0.cells.first ?? "" } == ["silent, failing", "silent, failing", ""])
        #expect(table.rows.last?.cells.last == "1 silent, 27 good")
        let syncs = HealthTable.all(of: Self.summary(events), top: 2)[1]
        let failed = try #require(syncs.headings.firstIndex(of: "failed"))
        #expect(syncs.rows.map { $0.cells[failed] } == ["1", "1", "1"])
    }

    @Test func onlyWhatIsWrongIsRedOnThePage() throws {
        let failed = AuditEvent.Content.sync(
            SyncActivity(phase: .export, state: .failed, writes: 0, bytes: 0, duration: .zero, error: "quota"))
        let summary = Self.summary([
            ("a", failed), ("a", .network(status: "connected", interface: nil)), ("a", .account(status: "noAccount")),
            ("b", failed), ("b", .network(status: "disconnected", interface: nil)), ("b", .account(status: "available")),
            ("c", Self.sync(.succeeded)), ("c", .network(status: "connected", interface: nil)), ("c", .account(status: "noAccount")),
        ])
        let table = try #require(HealthTable.all(of: summary).first { $0.title.contains("network") })
        let red = table.rows.map { row in row.wrong.sorted().map { row.cells[$0] } }
        #expect(table.rows.map(\.device) == ["a", "b", "c"] && red == [["noAccount"], ["disconnected"], ["noAccount"]])
        var page = HTMLMarkup()
        HealthTable.append([table], isOpen: true, to: &page)
        #expect(page.html.contains(#"<td class="words" data-label="network">connected</td>"#))
        #expect(page.html.contains(#"<td class="words lost" data-label="network">disconnected</td>"#))
    }

    @Test func whatDoesNotAddUpIsNotToldOfOthers() throws {
        let events = (10..<14).map { number in
            (DeviceID("device \(number)") as DeviceID?, AuditEvent.Content.outbox(OutboxStatus(writes: number, bytes: 1, setAside: 1)))
        }
        let table = try #require(HealthTable.all(of: Self.summary(events), top: 3).first { $0.title.hasPrefix("Waiting") })
        #expect(table.rows.map(\.device) == ["device 10", "device 11", "device 12"])
    }

    @Test func whatAppsShowedAtTheEndIsToldInWords() throws {
        func look(_ device: DeviceID, isInForeground: Bool, shown: Int) -> (DeviceID?, AuditEvent.Content) {
            let report = RefreshReport(
                trigger: .pulse, decision: .nothing, shownVersion: shown, refreshVersion: 1, reloads: 1, isInForeground: isInForeground,
                pulseInterval: .seconds(10))
            return (device, .refresh(report))
        }
        var summary = Self.summary([
            look("mac", isInForeground: false, shown: 0), look("pad", isInForeground: true, shown: 1),
            look("phone", isInForeground: false, shown: 1),
        ])
        let later = AuditEvent(at: Self.start + 60_000, .network(status: "connected", interface: nil))
        summary.observe(later, source: "pad")
        let tables = HealthTable.all(of: summary)
        let table = try #require(tables.first { $0.title.hasPrefix("Showing") })
        #expect(table.rows.map(\.device) == ["mac", "pad", "phone"])
        #expect(table.rows.map { $0.cells.last ?? "" } == ["changes not shown", "no pulse since 2026-01-15 14:00", "all shown"])
        let sum = try #require(HealthTable.all(of: summary, top: 1).first { $0.title.hasPrefix("Showing") })
        #expect(sum.rows.map { $0.cells.last ?? "" } == ["changes not shown", ""])
    }

    @Test(arguments: [20, 40, 60, 80, 200]) func noLineIsWiderThanTheTerminal(width: Int) {
        let name = DeviceID(String(repeating: "long name ", count: 9))
        let summary = Self.summary([
            (name, Self.sync(.failed, String(repeating: "why ", count: 40))), (name, .network(status: "disconnected", interface: nil)),
            ("b", Self.sync(.succeeded)), ("b", .outbox(OutboxStatus(writes: 4_000_000, bytes: 9_000_000_000, setAside: 2_000_000))),
        ])
        var page = Page()
        page.health(of: summary)
        let text = page.text(style: TerminalStyle(isEnabled: false), width: width)
        for line in text.split(separator: "\n") where width >= 40 {
            #expect(TerminalText.width(String(line)) <= width, "\(line)")
        }
        #expect(text.contains("disconnected") || text.contains("…"))
    }

    @Test func namesAndErrorsAreNothingButText() {
        let summary = Self.summary([
            (DeviceID(Self.hostile), Self.sync(.failed, Self.hostile)), (DeviceID(Self.hostile), .account(status: Self.hostile)),
        ])
        let table = ReportAnswer(summary).text(PageLayout(top: 10, style: TerminalStyle(isEnabled: false), width: 300))
        let markdown = ReportAnswer(summary).markdown(PageLayout())
        let page = HTMLRenderer(source: "logs/").render(summary, ConflictListing(limit: 10))
        for text in [table, markdown, page] {
            #expect(!text.contains("\u{1b}") && !text.contains("\u{202e}"))
            #expect(text.contains("Failures by device"))
        }
        #expect(!markdown.contains("<b>") && !page.contains("<b>") && page.contains("&lt;b&gt;"))
        #expect(page.contains(#"<section id="health">"#))
    }

    @Test(arguments: [
        ("", ""), ("no network", "no network"),
        (#"Error Domain=NSCocoaErrorDomain Code=134410 "CloudKit setup failed" UserInfo={a=1}"#, "NSCocoaErrorDomain 134410"),
        ("the write iPad:7 to Card/1 was set aside: it's too large", "the write … to … was set aside: it's too large"),
        ("retry after 30 40 50 s", "retry after … s"),
        (String(repeating: "word ", count: 100), String(repeating: "word ", count: 16).dropLast().description),
    ])
    func anErrorIsOfASort(error: String, kind: String) {
        #expect(SyncErrorKind.of(error) == kind)
    }
}
