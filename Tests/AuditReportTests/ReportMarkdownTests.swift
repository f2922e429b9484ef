import AuditAnalysis
import AuditSamples
import ConflictAudit
import SyncBytes
import Testing

@testable import AuditReport

@Suite struct ReportMarkdownTests {
    @Test func aSampleIsDrawnAsTables() {
        let text = ReportAnswer(Summary.sample).markdown(PageLayout(top: 2))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first?.hasPrefix("**3 edits were lost in 5 conflicts") == true)
        #expect(lines.contains("| By kind | proven | suspected |"))
        #expect(lines.contains("| update&#95;update | 3 | 2 |"))
        // Each row of a table has as many cells as its heading.
        for (one, next) in zip(lines, lines.dropFirst()) where one.hasPrefix("|") && next.hasPrefix("|") {
            #expect(one.count { $0 == "|" } == next.count { $0 == "|" })
        }
    }

    @Test(arguments: [
        "a | b", "<script>alert(1)</script>", "[x](javascript:y)", "![i](http://e.example/i.png)", "@everyone", "#1", "`code`",
        "*b* _i_ ~~s~~",
        "www.example.com", "https://example.com", "a\\|b", "&lt;", "$x$", "```",
    ])
    func namesAreNothingButText(_ name: String) {
        let inert = name.escaped(for: .markdown)
        // What is left of the references has no mark in it that means anything.
        let rest = inert.replacing(/&#[0-9]+;/, with: "")
        #expect(!rest.contains { "|<>[]!@#`*_~\\$:&{}".contains($0) })
        #expect(!rest.contains("www."))
        // And they stand for what was there.
        let back = inert.replacing(/&#([0-9]+);/) { String(UnicodeScalar(UInt32($0.1)!)!) }
        #expect(back == name)
    }

    @Test func nothingIsSaidInASentence() {
        #expect(ReportAnswer(Summary()).markdown(PageLayout()) == "**No conflicts and no writes&#58; there is nothing to report yet**\n")
    }
}
