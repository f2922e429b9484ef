import AuditAnalysis
import AuditChecking
import AuditLog
import ConflictAudit
import SyncModel
import TemporaryDirectory
import Testing

/// The examples in the documentation of the public types of AuditAnalysis.
@Suite struct AnalysisExamples {
    private let summary: Summary

    init() throws {
        let directory = try TemporaryDirectory()
        var summarizer = LogSummarizer()
        try summarizer.read(path: try directory.create("audit.jsonl", Samples.lines.joined(separator: "\n")))
        summary = summarizer.summary
    }

    @Test func auditAnalysisErrorExample() {
        var summary = summary
        let json: FieldMap = ["summary": 0]
        do {
            summary.merge(try Summary(json: json))
        } catch {
            print(error.code, error)
        }
        #expect(summary == self.summary)
    }

    @Test func logCheckerExample() {
        let lines = Samples.writes.map { AuditLine(event: AuditEvent(at: 1000, .write($0))) }
        var checker = LogChecker()
        checker.begin(file: "iPhone.jsonl")
        for (index, line) in lines.enumerated() { checker.observe(line, at: index + 1) }
        print(checker.finish().findings.count, "findings")
    }

    @Test func checkFindingExample() {
        var checker = LogChecker()
        checker.begin(file: "iPhone.jsonl")
        for finding in checker.finish().findings { print(finding.kind.rawValue, finding.sentence) }
    }

    @Test func auditEvidenceExample() {
        if summary.evidence.isUnaudited { print("nobody has looked for conflicts") }
        #expect(!summary.evidence.isUnaudited)
    }

    @Test func conflictTallyExample() {
        for (field, count) in summary.proven.byField { print(field.type, count.losses, "edits lost") }
        #expect(!summary.proven.byField.isEmpty)
    }

    @Test func jsonRendererExample() {
        let bytes = JSONRenderer().render(summary)
        #expect(bytes.last == 10)
    }

    @Test func reportFilterExample() {
        let filter = ReportFilter(recordTypes: ["Card"], severities: [.destructive])
        var summarizer = LogSummarizer(filter: filter)
        #expect(throws: (any Error).self) { try summarizer.read(path: "/nowhere") }
    }

    @Test func summaryExample() {
        var summary = summary
        let other = summary
        summary.merge(other)
        print(summary.proven.total.losses, "edits were lost for certain")
        #expect(summary.proven.total.losses == 2 * other.proven.total.losses)
    }

    @Test func writeTallyExample() {
        print(summary.writes.countWithContext ?? 0, "of", summary.writes.count, "writes carry a causal context")
        #expect(summary.writes.count > 0)
    }
}
