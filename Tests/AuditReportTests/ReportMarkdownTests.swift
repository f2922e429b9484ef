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
        #expect(lines.contains("| update\\_update | 3 | 2 |"))
        // Each row of a table has as many cells as its heading.
        for (one, next) in zip(lines, lines.dropFirst()) where one.hasPrefix("|") && next.hasPrefix("|") {
            #expect(one.count { $0 == "|" } == next.count { $0 == "|" })
        }
    }

    @Test(arguments: [
        "a | b", "<script>alert(1)</script>", "[x](javascript:y)", "![i](http://e.example/i.png)", "@everyone", "#1", "`code`",
        "*b* _i_ ~~s~~",
        "www.example.com", "https://example.com", "mailto:a@example.com", "a\\|b", "\\", "&lt;", "$x$", "```", "~~~", "- a", "+ a", "* a",
        "1. a",
        "2) a", "---", "===", "# a", "a #", "> a", "12:30: a - b = c.", "Send it (soon), 3.5 % more!", "{a: 1}", "50.8 KiB", "-5", "+49 30",
    ])
    func namesAreNothingButText(_ name: String) {
        let inert = name.escaped(for: .markdown)
        // What is left without the escapes has no mark in it that means anything, neither there nor at its beginning.
        let rest = inert.replacing(/\\[!-\/:-@\[-`{-~]/, with: "")
        #expect(!rest.contains { "|<>[]@#`*_~\\$&".contains($0) })
        #expect(!inert.contains("www.") && !inert.contains(/[^\\]:(\/\/|a)/))
        #expect(!inert.contains(/^(--|=|([-+]|[0-9]+[.)])( |$))/))
        // And they stand for what was there.
        #expect(inert.replacing(/\\([!-\/:-@\[-`{-~])/) { String($0.1) } == name)
    }

    @Test func whatADisplayActsOnIsWrittenOutAndSpacesAroundAreNot() {
        #expect("a\nb".escaped(for: .markdown) == "a\\\\u{a}b")
        #expect("     - a  ".escaped(for: .markdown) == "\\- a")
    }

    @Test func nothingIsSaidInASentence() {
        #expect(ReportAnswer(Summary()).markdown(PageLayout()) == "**No conflicts and no writes: there is nothing to report yet**\n")
    }
}
