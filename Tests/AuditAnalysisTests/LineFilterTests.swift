import AuditAnalysis
import AuditLog
import AuditSamples
import ConflictAudit
import SyncModel
import Testing

/// Which lines pass that are shown one by one.
@Suite struct LineFilterTests {
    private static let date: Int64 = 1_768_485_600_000
    private static let time = WallTime(millisecondsSince1970: date)

    private static let conflictLine = line(
        .conflict(conflict(RecordKey(type: "Note", id: "1"), winner: "phone", loser: "tablet", at: date)))
    private static let writeLine = line(.write(write(device: "phone", at: date)))
    private static let deleteLine = line(
        .write(
            TaggedWrite(
                dot: Dot(device: "phone", sequence: 1), timestamp: HybridTimestamp(milliseconds: date),
                key: RecordKey(type: "Note", id: "1"),
                operation: .delete, seen: nil)))
    private static let clockLine = line(.clock(ClockMeasurement(device: "tablet", offset: .milliseconds(1), uncertainty: .milliseconds(1))))
    private static let logLine = line(.log(.opened))

    private static func line(_ content: AuditEvent.Content) -> AuditLine {
        AuditLine(sequence: 1, source: "phone", event: AuditEvent(at: date, content))
    }

    /// The filter, and whether conflict, write, delete, clock and log lines pass.
    @Test(
        arguments: [
            (ReportFilter(), [true, true, true, true, true]),
            (ReportFilter(since: time), [true, true, true, true, true]),
            (ReportFilter(since: time + .milliseconds(1)), [false, false, false, false, false]),
            (ReportFilter(until: time), [false, false, false, false, false]),
            (ReportFilter(devices: ["phone"]), [true, true, true, false, true]),
            (ReportFilter(devices: ["tablet"]), [true, false, false, true, false]),
            (ReportFilter(recordTypes: ["Note"]), [true, true, true, false, false]),
            (ReportFilter(recordTypes: ["Card"]), [false, false, false, false, false]),
            (ReportFilter(fields: ["title"]), [true, true, true, false, false]),
            (ReportFilter(fields: ["body"]), [false, false, true, false, false]),
            (ReportFilter(fields: ["Note.title"]), [true, true, true, false, false]),
            (ReportFilter(fields: ["Note.body"]), [false, false, true, false, false]),
            (ReportFilter(fields: ["Card.title"]), [false, false, true, false, false]),
            (ReportFilter(kinds: [.updateUpdate]), [true, false, false, false, false]),
            (ReportFilter(severities: [.lossy]), [true, false, false, false, false]),
            (ReportFilter(severities: [.benign]), [false, false, false, false, false]),
        ] as [(ReportFilter, [Bool])])
    func whatPasses(filter: ReportFilter, expected: [Bool]) {
        let lines = [Self.conflictLine, Self.writeLine, Self.deleteLine, Self.clockLine, Self.logLine]
        #expect(lines.map { line in filter.matches(line) } == expected)
    }
}
