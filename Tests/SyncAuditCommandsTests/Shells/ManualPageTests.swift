import Foundation
import Testing

@testable import SyncAuditCommands

@Suite struct ManualPageTests {
    private func page() -> String {
        let world = TestWorld()
        #expect(world.run("man") == .success)
        return world.output.text
    }

    @Test func aVerbOfThePage() throws {
        let text = ManualPage.text([sampleVerb])
        let section = try #require(text.range(of: ".SS sample"))
        let end = try #require(text.range(of: ".SH EXIT STATUS"))
        #expect(
            text[section.lowerBound..<end.lowerBound].hasPrefix(
                #"""
                .SS sample
                Shows how the options of a verb are read and how its help is
                laid out, at some length so that it wraps.
                .PP
                A second paragraph.
                .TP
                \fB\-n\fR, \fB\-\-count\fR \fIN\fR
                How many.
                .TP
                \fB\-\-name\fR \fINAME\fR
                A name. May be repeated.
                .TP
                \fB\-\-mode\fR \fIMODE\fR
                How. One of fast, slow.

                """#))
        #expect(
            text[section.lowerBound..<end.lowerBound].hasSuffix(
                #"""
                .PP
                Examples:
                .PP
                .RS
                .nf
                syncaudit sample \-n 5 x
                .fi
                .RE
                Five of x.

                """#))
    }

    @Test func everyVerbAndOptionIsOnThePage() {
        let text = page()
        for verb in SyncAudit.verbs.map(\.definition) {
            #expect(text.contains("\n.SS \(verb.name)\n"))
            for option in verb.options {
                #expect(text.contains("\\fB" + option.spelling.map { $0 == "-" ? "\\-" : "\($0)" }.joined() + "\\fR"))
            }
            #expect(!verb.examples.isEmpty)
        }
        #expect(text.utf8.allSatisfy { $0 == 0x0a || (0x20..<0x7f).contains($0) })
    }

    @Test func aLineOfTextIsNoRequest() {
        let verb = VerbDefinition(
            name: "x", summary: ".so /etc/passwd", discussion: ["'so \\n \"a\" — ~"], operands: "", options: [], examples: [])
        let text = ManualPage.text([verb])
        #expect(text.contains("\n\\&.so /etc/passwd\n"))
        #expect(text.contains("\n\\(aqso \\en \\(dqa\\(dq \\[u2014] \\(ti\n"))
    }
}
