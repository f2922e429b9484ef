import AuditAnalysis
import AuditLog
import AuditSamples
import ConflictAudit
import Foundation
import SyncBytes
import SyncMerge
import SyncModel
import Testing

@testable import AuditReport

@Suite struct HTMLRendererTests {
    private static func listing(_ conflicts: [Conflict], limit: Int = 100) -> ConflictListing {
        var listing = ConflictListing(limit: limit)
        for conflict in conflicts { listing.observe(AuditEvent(at: 0, .conflict(conflict)), source: "phone") }
        _ = listing.looksAgain()
        return listing
    }

    private static func page(_ conflicts: [Conflict], limit: Int = 100) -> String {
        var summary = Summary()
        for conflict in conflicts { summary.observe(AuditEvent(at: 0, .conflict(conflict)), source: "phone") }
        return HTMLRenderer(top: 3, source: "log.jsonl").render(summary, listing(conflicts, limit: limit))
    }

    @Test func golden() throws {
        let page = HTMLRenderer(top: 3, source: "log.jsonl").render(.sample, Self.listing(Summary.sampleConflicts))
        let body = try #require(page.range(of: "<body>")?.lowerBound)
        let script = try #require(page.range(of: "<script>")?.lowerBound)
        // What is the same in every page needs no second copy.
        try Golden.expect(String(page[body..<script]), is: "page.html")
    }

    @Test func whatAPageMayDoIsWrittenAtItsTop() throws {
        let outline = PageOutline(Self.page(Summary.sampleConflicts))
        #expect(outline.problems == [])
        let policy = try #require(outline.elements.first { $0.attributes["http-equiv"] != nil })
        #expect(policy.attributes["http-equiv"] == "Content-Security-Policy")
        let content = try #require(policy.attributes["content"])
        #expect(content.hasPrefix("default-src &#39;none&#39;; script-src &#39;sha256-"))
        #expect(!content.contains("unsafe") && !content.contains("*") && !content.contains("http") && !content.contains("data:"))
        // Before anything that it is about.
        let names = outline.elements.map(\.name)
        #expect(names.prefix(4) == ["html", "head", "meta", "meta"])
        #expect(names.count { $0 == "script" } == 1 && names.count { $0 == "style" } == 1)
        expectNothingLoadsOrRuns(outline)
    }

    private func expectNothingLoadsOrRuns(_ outline: PageOutline) {
        for element in outline.elements {
            for (name, value) in element.attributes {
                #expect(!name.hasPrefix("on") && !["style", "src", "srcset", "action", "data", "srcdoc"].contains(name), "\(name)")
                if name == "href" { #expect(value.hasPrefix("#"), "\(value)") }
            }
        }
    }

    @Test func everyConflictHasARowAndACardThatItOpens() {
        let outline = PageOutline(Self.page(Summary.sampleConflicts))
        let ids = outline.elements.compactMap { $0.attributes["id"] }
        #expect(Set(ids).count == ids.count)
        let cards = outline.elements.filter { $0.attributes["popover"] != nil }.compactMap { $0.attributes["id"] }
        #expect(cards.count == Summary.sampleConflicts.count)
        for conflict in Summary.sampleConflicts { #expect(cards.contains("c-\(conflict.id)")) }
        for card in cards {
            // The sentences on top of the page open cards too.
            let buttons = outline.elements.filter { $0.attributes["popovertarget"] == card && $0.attributes["class"] != "link" }
            #expect(buttons.count { $0.attributes["popovertargetaction"] == "hide" } == 1)
            #expect(buttons.count == 2)
        }
        // Whatever names something else names something there is.
        for key in ["href", "aria-labelledby"] {
            for names in outline.elements.compactMap({ $0.attributes[key] }) {
                for name in names.split(separator: " ") { #expect(ids.contains(String(name.drop { $0 == "#" })), "\(name)") }
            }
        }
    }

    @Test func tablesTellWhatTheirCellsAreAbout() {
        let outline = PageOutline(Self.page(Summary.sampleConflicts))
        #expect(outline.elements.filter { $0.name == "th" }.allSatisfy { $0.attributes["scope"] != nil })
        #expect(outline.elements.count { $0.attributes["aria-sort"] == "descending" } == 1)
        #expect(outline.elements.contains { $0.attributes["aria-live"] == "polite" })
        let pictures = outline.elements.filter { $0.name == "svg" }
        #expect(!pictures.isEmpty)
        for (index, element) in outline.elements.enumerated() where element.attributes["role"] == "img" {
            #expect(outline.elements[index + 1].name == "title")
        }
    }

    static let hostile = [
        "</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "javascript:alert(1)", "\" onload=\"alert(1)",
        "' onfocus='alert(1)",
        "</title></style><svg/onload=alert(1)>", "<!--", "-->", "]]>", "&lt;b&gt;", "&#60;b>", "a\u{0}b", "\u{202e}txt.exe",
        "\u{2066}a\u{2069}",
        "\u{2028}\u{2029}", "\u{1b}[31mred", "\r\n\t", "`${alert(1)}`", "{{7*7}}", "\u{feff}", "e\u{301}\u{301}", "👩‍👩‍👧", "", " ",
    ]

    private static let plain = PageOutline(page([conflictNamed("plain")]))

    @Test(arguments: hostile) func namesAndValuesAreNothingButText(_ text: String) {
        let outline = PageOutline(Self.page([conflictNamed(text)]))
        let plain = Self.plain
        #expect(outline.problems == [])
        #expect(outline.elements.map(\.name) == plain.elements.map(\.name))
        #expect(outline.elements.map { Set($0.attributes.keys) } == plain.elements.map { Set($0.attributes.keys) })
        expectNothingLoadsOrRuns(outline)
    }

    @Test func aPageSaysWhatItDoesNotList() {
        #expect(Self.page(Summary.sampleConflicts).contains("All 7 are listed."))
        let few = Self.page(Summary.sampleConflicts, limit: 2)
        #expect(few.contains("2 of 7 conflicts: the gravest"))
        #expect(PageOutline(few).elements.count { $0.attributes["popover"] != nil } == 2)
        #expect(Self.page(Summary.sampleConflicts, limit: 0).contains("7 conflicts, none of them listed: --rows is 0."))
        var empty = ConflictListing(limit: 5)
        empty.observeSummary()
        _ = empty.looksAgain()
        let page = HTMLRenderer(source: "x").render(.sample, empty)
        #expect(page.contains("None can be listed: what was read is a summary"))
        #expect(PageOutline(page).problems == [])
    }

    @Test func whereARecordHasTooManyLinesTheCardSaysHowToSeeThem() {
        let busy = conflict()
        var summary = Summary()
        var listing = ConflictListing(limit: 5)
        let event = AuditEvent(at: 0, .conflict(busy))
        summary.observe(event, source: nil)
        listing.observe(event)
        _ = listing.looksAgain()
        for _ in 0...ConflictListing.recordLimit { listing.observe(event) }
        let page = HTMLRenderer(source: "log.jsonl").render(summary, listing)
        #expect(page.contains("<pre>syncaudit show \(busy.id) log.jsonl</pre>"))
        #expect(!page.contains("syncaudit restore"))
    }

    @Test func withoutConflictsThePageIsOneSentence() {
        let page = HTMLRenderer(source: "x").render(Summary(), ConflictListing(limit: 5))
        #expect(page.contains("<h1>No conflicts and no writes: there is nothing to report yet</h1>"))
        let outline = PageOutline(page)
        #expect(outline.problems == [])
        #expect(!outline.elements.contains { $0.name == "table" || $0.name == "nav" })
    }

    @Test func provenAndSuspectedNeverShareANumber() {
        let suspected = Self.page([conflict(basis: .window)])
        #expect(suspected.contains("<dt>suspected conflicts</dt>") && !suspected.contains("<dt>conflicts</dt>"))
        #expect(suspected.contains("<dt>edits perhaps lost</dt>") && !suspected.contains("<dt>edits lost</dt>"))
        let proven = Self.page([conflict()])
        #expect(proven.contains("<dt>conflicts</dt>") && !proven.contains("perhaps"))
    }

    /// All counts of the summary stand in the page, where no list is cut.
    @Test func thePageHoldsEveryNumberOfTheTable() {
        let page = PageOutline(HTMLRenderer(top: 100, source: "x").render(.sample, Self.listing(Summary.sampleConflicts))).text
        for section in ReportSection.all(of: .sample, top: 100, width: 400) {
            guard case .breakdown(let breakdown) = section.content else { continue }
            #expect(page.contains(section.title.escaped(for: .html)), "\(section.title)")
            for row in breakdown.rows { #expect(page.contains(row.label.escaped(for: .html)), "\(row.label)") }
        }
    }
}
