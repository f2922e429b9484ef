import AuditAnalysis
import AuditLog
import AuditReport
import ConflictAudit
import SyncBytes
import SyncModel
import Testing

@testable import AuditLive

/// The list of what is wrong with devices, as every output shows it.
@Suite struct DeviceHealthOutputsTests {
    private static let end: Int64 = 1_768_485_600_000
    private static let hour: Int64 = 3_600_000

    private static func sync(_ state: SyncActivity.State, _ error: String? = nil) -> AuditEvent.Content {
        .sync(SyncActivity(phase: .import, state: state, writes: 0, bytes: 0, duration: .zero, error: error))
    }

    private static func write(_ device: DeviceID) -> AuditEvent.Content {
        .write(
            TaggedWrite(
                dot: Dot(device: device, sequence: 1), timestamp: HybridTimestamp(milliseconds: end), key: RecordKey(type: "Card", id: "1"),
                operation: .put(["name": "a"]), seen: nil))
    }

    /// A night of a fleet: one device good, and others with something wrong.
    private static let lines: [AuditLine] = {
        let told: [(DeviceID, Int64, AuditEvent.Content)] = [
            ("a good", 1, sync(.succeeded)), ("b offline", 2, sync(.succeeded)),
            ("b offline", 1, .network(status: "disconnected", interface: nil)), ("c failing", 2, sync(.succeeded)),
            ("c failing", 1, sync(.failed, "<b>no|answer")), ("d silent", 300, sync(.succeeded)), ("e behind", 30, sync(.succeeded)),
            ("f signed out", 2, sync(.succeeded)), ("f signed out", 1, .account(status: "noAccount")), ("g clock", 2, sync(.succeeded)),
            ("g clock", 1, .clock(ClockMeasurement(device: "g clock", offset: .seconds(600), uncertainty: .zero))),
            ("a good", 0, write("h missing")), ("a good", 0, write("a good~00c0ffee")),
        ]
        return told.map { AuditLine(sequence: nil, source: $0.0, event: AuditEvent(at: end - $0.1 * hour, $0.2)) }
    }()

    private static let summary: Summary = {
        var summary = Summary()
        for line in lines { summary.observe(line.event, source: line.source) }
        return summary
    }()

    private static var screen: LiveScreen {
        var screen = LiveScreen(title: "", source: "", isLive: false)
        for line in lines { screen.observe(line, bytes: 100) }
        return screen
    }

    private static func render(_ screen: LiveScreen, columns: Int, rows: Int) -> [String] {
        var screen = screen
        return screen.render(LiveScreen.Size(columns: columns, rows: rows), TerminalStyle(isEnabled: false))
    }

    /// Each device, its needs and why, as they are put together.
    private static let expected = summary.deviceHealth.entries.map { [$0.name, $0.labels, $0.reason] }

    @Test func theNightHasOneOfEachKind() {
        #expect(
            Self.summary.deviceHealth.entries.map(\.need) == [
                .silent, .behind, .failing, .signedOut, .clockOff, .unlogged, .offline, .copied,
            ])
    }

    @Test func theScreenShowsTheList() {
        var screen = Self.screen
        let overview = Self.render(screen, columns: 200, rows: 60)
        let start = overview.firstIndex { $0.hasPrefix("Devices by need: 1 silent, 1 behind, ") } ?? overview.endIndex
        // A device that needs nobody tells what it did last instead of why.
        let rows = zip(overview.dropFirst(start + 1), Self.expected).map { line, entry in
            line.hasPrefix("  " + TerminalText.padded(entry[0], to: 15) + entry[1] + ": ")
        }
        #expect(rows == Array(repeating: true, count: 8))
        #expect(screen.press(.character("h")) == .none)
        let lines = Self.render(screen, columns: 300, rows: 60)
        #expect(Array(lines.dropFirst().prefix(8)) == Self.expected.map { "\($0[0]) (\($0[1])): \($0[2])" })
        // It scrolls, and goes away.
        for _ in 0..<2 { _ = screen.press(.down) }
        #expect(Self.render(screen, columns: 80, rows: 6).first?.hasPrefix("d silent (silent): no sync for 12 d") == true)
        #expect(screen.press(.character("q")) == .none)
        #expect(Self.render(screen, columns: 200, rows: 60) == overview)
        #expect(screen.press(.character("q")) == .quit)
    }

    @Test(arguments: [(80, 24), (120, 40), (40, 12), (20, 5), (1, 1)]) func theScreenFits(columns: Int, rows: Int) {
        var screen = Self.screen
        _ = screen.press(.character("h"))
        let lines = Self.render(screen, columns: columns, rows: rows)
        #expect(lines.count == rows && lines.allSatisfy { TerminalText.width($0) < max(columns, 2) })
    }

    @Test func theReportShowsTheList() {
        let text = ReportAnswer(Self.summary).text(PageLayout(top: 10, style: TerminalStyle(isEnabled: false), width: 400))
        let lines = text.split(separator: "\n").map(String.init)
        let start = lines.firstIndex(of: "Devices by need") ?? lines.endIndex
        let told = lines.dropFirst(start + 1).prefix(8).map { $0.split(separator: "  ", maxSplits: 1).map { $0.drop { $0 == " " } } }
        #expect(told.map { $0.map(String.init) } == Self.expected.map { [$0[0], "\($0[1]): \($0[2])"] })
        // The worst are named before any table.
        #expect(lines.prefix(start).contains("d silent (silent): \(Self.expected[0][2])"))
        #expect(lines.prefix(start).contains("3 other devices need somebody: 1 signed out, 1 clock off, 1 no log"))
    }

    @Test func theJSONHasTheList() throws {
        let object = try #require(try JSONParser.parse(String(decoding: ReportAnswer(Self.summary).json, as: UTF8.self)).object)
        let health = try #require(object["health"]?.object)
        let rows = try #require(health["rows"]?.array).compactMap(\.object)
        #expect(rows.map { $0["device"]?.string } == Self.summary.deviceHealth.entries.map { $0.device?.rawValue })
        #expect(
            rows.map { $0["needs"]?.array?.compactMap(\.string) } == Self.summary.deviceHealth.entries.map { $0.needs.map(\.rawValue) })
        #expect(rows.map { $0["why"]?.string } == Self.expected.map { $0[2] })
        #expect(rows.map { $0["needsAttention"] } == Self.summary.deviceHealth.entries.map { FieldValue.bool($0.needsAttention) })
        #expect(health["devicesByNeed"]?.object?.count == 8)
        let first = ReportAnswer(Self.summary, top: 2)
        let short = try #require(try JSONParser.parse(String(decoding: first.json, as: UTF8.self)).object?["health"]?.object)
        #expect(short["rows"]?.array?.count == 2 && short["others"]?.integer == 6)
    }

    @Test func theMetricsHaveTheList() throws {
        func series(_ most: Int) throws -> [[String]] {
            let families = MetricFamily.all(of: Self.summary, maximumSeries: most)
            return try #require(families.first { $0.name == "syncaudit_device_need" }).samples.map { $0.labels.map(\.value) }
        }
        let all = Self.summary.deviceHealth.entries.flatMap { entry in
            entry.needs.map { [entry.device?.rawValue ?? "", $0.rawValue] }
        }
        #expect(try series(100) == all)
        #expect(try series(3) == Array(all.prefix(3)))
        let totals = try #require(MetricFamily.all(of: Self.summary, maximumSeries: 3).first { $0.name == "syncaudit_devices" })
        let counts = Self.summary.deviceHealth.counts
        #expect(
            totals.samples.map { $0.labels.map(\.value) + ["\($0.value)"] }
                == DeviceNeed.allCases.map { need in
                    [need.rawValue, "\(MetricFamily.Value.count(counts.first { $0.need == need }?.count ?? 0))"]
                })
    }

    @Test func thePageShowsTheList() throws {
        let page = HTMLRenderer(source: "logs/").render(Self.summary, ConflictListing(limit: 10))
        let table = try #require(page.split(separator: "<caption>Devices by need</caption>").last?.split(separator: "</table>").first)
        let rows = table.split(separator: "<th scope=\"row\">").dropFirst()
        #expect(rows.map { String($0.prefix { $0 != "<" }) } == Self.expected.map { $0[0] })
        #expect(table.contains("import, &lt;b&gt;no|answer") && !table.contains("<b>"))
    }
}
