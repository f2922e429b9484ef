import AuditAnalysis
import AuditLog
import AuditReport
import ConflictAudit
import SyncLines
import SyncModel
import Testing

@Suite struct SyncHealthTests {
    private static let start: Int64 = 1_768_485_600_000

    private func summary(_ events: [(source: DeviceID?, minute: Int64, bytes: Int)], filter: ReportFilter = ReportFilter()) -> Summary {
        var summary = Summary(filter: filter)
        for event in events {
            let status = OutboxStatus(writes: event.bytes / 1000, bytes: event.bytes, oldest: WallTime(millisecondsSince1970: Self.start))
            summary.observe(AuditEvent(at: Self.start + event.minute * 60_000, .outbox(status)), source: event.source)
        }
        return summary
    }

    private func warnings(_ summary: Summary) -> [String] {
        TableRenderer(TableLayout(top: 10, style: TerminalStyle(isEnabled: false), width: 400)).render(summary)
            .split(separator: "\n").filter { $0.contains("waiting to be sent") }.map(String.init)
    }

    @Test func theReportSaysWhatWaitedAndWhetherItStillDoes() {
        #expect(warnings(summary([("phone", 0, 2_900_000)])) == [])
        #expect(
            warnings(summary([("phone", 0, 3_400_000)])) == [
                "phone had 3.4 MB in 3,400 writes waiting to be sent on 2026-01-15 14:00 UTC, more than 3 MB, by its last line: let it sync, or write less at once"
            ])
        #expect(
            warnings(summary([("phone", 0, 3_400_000), ("phone", 5, 12_000)])).first?
                .hasSuffix("14:00 UTC, more than 3 MB, and 12 kB at its last line, on 2026-01-15 14:05 UTC") == true)
        let many = summary((1...5).map { (DeviceID("phone \($0)"), 0, 3_000_000 + $0) })
        #expect(warnings(many).count == 4 && warnings(many).last?.hasPrefix("2 other devices") == true)
    }

    @Test func whatWaitsNowIsToldFirst() {
        let events: [(DeviceID?, Int64, Int)] = [("phone", 0, 9_000_000), ("phone", 5, 3_400_000), ("pad", 0, 8_000_000), ("pad", 9, 1)]
        let told = warnings(summary(events))
        #expect(
            told.first
                == "phone had 3.4 MB in 3,400 writes waiting to be sent on 2026-01-15 14:05 UTC, more than 3 MB, by its last line "
                + "(9 MB on 2026-01-15 14:00 UTC): let it sync, or write less at once")
        #expect(told.last?.hasPrefix("pad had 8 MB") == true && told.count == 2)
    }

    @Test func theLatestLineCountsByItsOwnLevel() {
        var summary = Summary()
        for (minute, bytes, level) in [(0, 2_000_000, 3_000_000), (5, 1_500_000, 1_000_000)] as [(Int64, Int, Int)] {
            let status = OutboxStatus(writes: 1, bytes: bytes, warningBytes: level)
            summary.observe(AuditEvent(at: Self.start + minute * 60_000, .outbox(status)), source: "phone")
        }
        #expect(
            warnings(summary).first?.contains("had 1.5 MB in 1 write waiting to be sent on 2026-01-15 14:05 UTC, more than 1 MB") == true)
    }

    @Test func linesInAnyOrderAndAsJSONTellTheSame() throws {
        let events: [(DeviceID?, Int64, Int)] = [("phone", 0, 10), ("phone", 9, 4_000_000), (nil, 3, 5), ("phone", 9, 10), ("pad", 1, 7)]
        let whole = summary(events)
        #expect(summary(events.reversed()) == whole)
        var halves = summary(Array(events.prefix(2)))
        halves.merge(summary(Array(events.suffix(3))))
        #expect(halves == whole)
        let bytes = JSONRenderer().render(whole)
        let object = try #require(try JSONParser.parse(String(decoding: bytes, as: UTF8.self)).object)
        #expect(try Summary(json: object) == whole)
    }

    @Test func whateverALineClaimsIsShownAndReadBack() throws {
        let hostile = summary([("phone", 0, .max), ("pad", 0, .max)])
        #expect(warnings(hostile).count == 2)
        let bytes = JSONRenderer().render(hostile)
        let object = try #require(try JSONParser.parse(String(decoding: bytes, as: UTF8.self)).object)
        #expect(try Summary(json: object) == hostile)
    }

    @Test func aFilterByDeviceOrTimeLeavesOthersOut() {
        let events: [(DeviceID?, Int64, Int)] = [("phone", 0, 4_000_000), ("pad", 10, 5_000_000)]
        #expect(summary(events, filter: ReportFilter(devices: ["pad"])).health.devices.keys.map(\.?.rawValue) == ["pad"])
        let late = ReportFilter(since: WallTime(millisecondsSince1970: Self.start + 60_000))
        #expect(summary(events, filter: late).health.devices.count == 1)
        #expect(summary(events, filter: ReportFilter(recordTypes: ["Card"])).health.devices.isEmpty)
    }
}
