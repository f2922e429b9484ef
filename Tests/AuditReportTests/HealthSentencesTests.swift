import AuditAnalysis
import AuditReport
import AuditSamples
import ConflictAudit
import SyncModel
import Testing

/// What the report says of sync before any table.
@Suite struct HealthSentencesTests {
    private static let start: Int64 = 1_768_485_600_000

    private func lines(_ summary: Summary) -> [String] {
        ReportAnswer(summary).text(PageLayout(top: 10, style: TerminalStyle(isEnabled: false), width: 400))
            .split(separator: "\n").map(String.init)
    }

    private func warnings(_ summary: Summary) -> [String] {
        lines(summary).filter { $0.contains("waiting to be sent") }
    }

    @Test func theReportSaysWhatWaitedAndWhetherItStillDoes() {
        #expect(warnings(Summary(outboxes: [("phone", 0, 2_900_000)])) == [])
        #expect(
            warnings(Summary(outboxes: [("phone", 0, 3_400_000)])) == [
                "phone had 3.4 MB in 3,400 writes waiting to be sent on 2026-01-15 14:00 UTC, more than 3 MB, by its last line: let it sync, or write less at once"
            ])
        #expect(
            warnings(Summary(outboxes: [("phone", 0, 3_400_000), ("phone", 5, 12_000)])).first?
                .hasSuffix("14:00 UTC, more than 3 MB, and 12 kB at its last line, on 2026-01-15 14:05 UTC") == true)
        let many = Summary(outboxes: (1...5).map { (DeviceID("phone \($0)"), 0, 3_000_000 + $0) })
        #expect(warnings(many).count == 4 && warnings(many).last?.hasPrefix("2 other devices") == true)
    }

    @Test func whateverALineClaimsIsShown() {
        #expect(warnings(Summary(outboxes: [("phone", 0, .max), ("pad", 0, .max)])).count == 2)
    }

    @Test func whatWaitsNowIsToldFirst() {
        let events: [(DeviceID?, Int64, Int)] = [("phone", 0, 9_000_000), ("phone", 5, 3_400_000), ("pad", 0, 8_000_000), ("pad", 9, 1)]
        let told = warnings(Summary(outboxes: events))
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

    @Test func aStoreThatFillsUpIsTold() {
        func told(_ sizes: [(device: DeviceID, day: Int64, megabytes: Int64)]) -> [String] {
            var summary = Summary()
            for (device, day, megabytes) in sizes {
                let activity = SyncActivity(
                    phase: .export, state: .succeeded, writes: 1, bytes: 2, duration: .zero, storeBytes: megabytes * 1_000_000)
                summary.observe(AuditEvent(at: Self.start + day * 86_400_000, .sync(activity)), source: device)
            }
            return lines(summary)
        }
        let growing = told([("phone", 0, 10), ("phone", 30, 1500), ("phone", 60, 2000)])
        #expect(
            growing.contains(
                "phone (store fills up): its store has 2000 MB and grows by 500 MB a month: in 180 days it has the 5 GB that iCloud gives for nothing; once no "
                    + "room is left, nothing more is exported: keep less, or make assets smaller"))
        #expect(growing.contains { $0.hasPrefix("  phone  store fills up: ") })
        #expect(growing.contains { $0.contains("2000 MB") && $0.contains("500 MB") && $0.hasSuffix("180") })
        #expect(told([("phone", 0, 4500)]).contains { $0.contains("phone (store fills up): its store has 4500 MB, most of the 5 GB") })
        #expect(told([("phone", 0, 5500)]).contains { $0.contains("phone (out of space): its store has 5500 MB, more than the 5 GB") })
        let quiet = told([("phone", 0, 10), ("phone", 9, 1000), ("phone", 60, 1000)])
        #expect(quiet.contains { $0.contains("1000 MB") } && !quiet.contains { $0.contains("iCloud") || $0.contains("fills up") })
        let many = told((1...5).map { (DeviceID("phone \($0)"), 0, 4500) })
        #expect(many.prefix { $0 != "Devices by need" }.count { $0.contains("most of the 5 GB") } == 3)
        #expect(many.contains("2 other devices need somebody: 2 store fills up"))
    }

    @Test func moreDevicesThanAreToldApartAreSaidToBeThere() {
        func summary(_ count: Int) -> Summary { Summary(outboxes: (0..<count).map { (DeviceID("phone \($0)"), 0, 1000) }) }
        func told(_ count: Int) -> [String] { lines(summary(count)) }
        func document(_ count: Int) -> String { String(decoding: ReportAnswer(summary(count)).json, as: UTF8.self) }
        let sentence = "Only the first 512 devices by name are told apart: look at the others' logs alone"
        #expect(!told(SyncHealth.deviceLimit).contains(sentence) && told(SyncHealth.deviceLimit + 1).contains(sentence))
        let key = #""othersTogether":true"#
        #expect(!document(SyncHealth.deviceLimit).contains(key) && document(SyncHealth.deviceLimit + 1).contains(key))
    }

    @Test func aLogOfNothingButFailuresSaysSoFirst() {
        let failed = SyncActivity(phase: .import, state: .failed, writes: 0, bytes: 0, duration: .zero, error: "not signed in")
        var summary = Summary()
        summary.observe(AuditEvent(at: Self.start, .sync(failed)), source: "phone")
        let told = lines(summary)
        #expect(told.first == "Nothing was synced: 1 attempt failed, and none succeeded")
        #expect(told.contains("phone (silent, failing): never synced; 1 attempt failed, the last one too: import, not signed in"))
        let succeeded = SyncActivity(phase: .import, state: .succeeded, writes: 0, bytes: 0, duration: .zero)
        summary.observe(AuditEvent(at: Self.start + 1, .sync(succeeded)), source: "phone")
        #expect(!lines(summary).contains { $0.hasPrefix("phone (") })
    }
}
