import AuditAnalysis
import AuditSamples
import ConflictAudit
import SyncModel
import Testing

@Suite struct ReportFilterTests {
    static let milliseconds: Int64 = 1_768_485_600_000
    private static let time = WallTime(millisecondsSince1970: milliseconds)

    /// What a conflict of phone over tablet, in field title of a Note, update_update, lossy, at `milliseconds`, meets.
    @Test(arguments: [
        (ReportFilter(), true),
        (ReportFilter(since: time), true),
        (ReportFilter(since: time + .milliseconds(1)), false),
        (ReportFilter(until: time + .milliseconds(1)), true),
        (ReportFilter(until: time), false),
        (ReportFilter(since: time, until: time), false),
        (ReportFilter(devices: ["phone"]), true),
        (ReportFilter(devices: ["tablet", "watch"]), true),
        (ReportFilter(devices: ["watch"]), false),
        (ReportFilter(recordTypes: ["Note"]), true),
        (ReportFilter(recordTypes: ["note"]), false),
        (ReportFilter(fields: ["title", "body"]), true),
        (ReportFilter(fields: ["body"]), false),
        (ReportFilter(fields: ["Note.title"]), true),
        (ReportFilter(fields: ["Card.title", "Note.body", "Note"]), false),
        (ReportFilter(kinds: [.updateUpdate]), true),
        (ReportFilter(kinds: [.insertInsert, .deleteDelete]), false),
        (ReportFilter(severities: [.lossy, .benign]), true),
        (ReportFilter(severities: [.destructive]), false),
        (ReportFilter(devices: ["phone"], kinds: [.updateUpdate], severities: [.merged]), false),
    ])
    func matchesConflict(filter: ReportFilter, isMatch: Bool) {
        #expect(filter.matches(conflict(at: Self.milliseconds)) == isMatch)
        #expect(filter.isUnrestricted == (filter == ReportFilter()))
    }

    @Test func aConflictOverAWholeRecordHasNoFieldToMatch() {
        #expect(!ReportFilter(fields: ["title"]).matches(conflict(field: nil)))
        #expect(!ReportFilter(fields: [""]).matches(conflict(field: nil)))
        #expect(ReportFilter(kinds: [.updateUpdate]).matches(conflict(field: nil)))
    }

    @Test func writesAreFilteredByTimeDeviceAndTypeOnly() {
        let write = write(device: "phone", at: Self.milliseconds)
        #expect(ReportFilter(fields: ["other"], kinds: [.deleteDelete], severities: [.divergent]).matches(write))
        #expect(ReportFilter(since: Self.time, devices: ["phone"], recordTypes: ["Note"]).matches(write))
        #expect(!ReportFilter(since: Self.time + .milliseconds(1)).matches(write))
        #expect(!ReportFilter(devices: ["tablet"]).matches(write))
        #expect(!ReportFilter(recordTypes: ["Tag"]).matches(write))
    }

    @Test func aSummaryCountsOnlyWhatPassesAndSaysSo() {
        let filter = ReportFilter(since: Self.time, devices: ["phone"])
        var summary = Summary(filter: filter)
        var statistics = ConflictStatistics()
        statistics.writesObserved = 1000
        statistics.recordReverts(3)
        summary.observe(AuditEvent(at: Self.milliseconds, .conflict(conflict(at: Self.milliseconds))), source: "x")
        summary.observe(AuditEvent(at: Self.milliseconds, .conflict(conflict(at: Self.milliseconds - 1))), source: "x")
        summary.observe(AuditEvent(at: Self.milliseconds, .conflict(conflict(winner: "watch", at: Self.milliseconds))), source: "x")
        summary.observe(AuditEvent(at: Self.milliseconds, .write(write(device: "watch", at: Self.milliseconds))), source: "x")
        summary.observe(AuditEvent(at: Self.milliseconds, .statistics(statistics)), source: "x")
        summary.observe(AuditEvent(at: Self.milliseconds - 1, .account(status: "available")), source: "x")
        summary.observe(AuditEvent(at: Self.milliseconds, .account(status: "available")), source: "x")
        #expect(summary.all.total.conflicts == 1)
        #expect(summary.writes.count == 0 && summary.writes.reverts == 0)
        #expect(summary.otherEvents == [.statistics: 1, .account: 1])
        #expect(summary.filters == [filter])

        var accumulator = Summary()
        accumulator.merge(summary)
        #expect(accumulator == summary)
        var unfiltered = Summary()
        unfiltered.observe(AuditEvent(at: 0, .account(status: "available")), source: nil)
        accumulator.merge(unfiltered)
        #expect(Set(accumulator.filters) == [ReportFilter(), filter])
    }

    @Test func filtersHaveOneOrder() {
        let filters = [
            ReportFilter(), ReportFilter(since: WallTime(millisecondsSince1970: .min)),
            ReportFilter(until: WallTime(millisecondsSince1970: .min)), ReportFilter(devices: ["a"]),
            ReportFilter(devices: ["b"]),
            ReportFilter(recordTypes: ["a"]), ReportFilter(fields: ["a"]), ReportFilter(kinds: [.deleteDelete]),
            ReportFilter(severities: [.lossy]),
        ]
        for (index, left) in filters.enumerated() {
            for right in filters[(index + 1)...] { #expect((left < right) != (right < left)) }
        }
    }
}
