import AuditAnalysis
import TemporaryDirectory
import Testing

@Suite struct ReportSnippets {
    @Test func summing() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.create("audit.jsonl", Samples.lines.joined(separator: "\n"))
        var summarizer = LogSummarizer()
        try summarizer.read(path: path)
        let summary = summarizer.summary
        print(summary.proven.total.losses, "edits were lost for certain")
        #expect(summary.proven.total.losses > 0)
    }
}
