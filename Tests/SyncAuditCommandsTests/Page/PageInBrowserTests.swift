import Foundation
import SyncAuditCommands
import SyncModel
import Testing

/// The page of `report --format html` in a real browser, driven by its keyboard.
@Suite(.serialized, .enabled(if: Browser.path != nil, "No Chromium here: 'apt-get install chromium' for the tests that drive the page."))
struct PageInBrowserTests {
    private let directory: TemporaryDirectory
    private let browser: Browser

    init() throws {
        directory = try TemporaryDirectory()
        browser = try Browser()
    }

    /// A page about some writes.
    private func page(_ trace: String) throws -> String {
        let story = try Story(directory, trace: trace)
        let path = directory.file("page.html")
        let world = TestWorld()
        #expect(world.run("report", "--format", "html", "-o", path, story.log, story.trace) == .success, "\(world.errorText)")
        return path
    }

    /// Three conflicts: one that lost an edit, one that lost nothing, one that deleted an edit.
    private static let trace =
        Trace.put("a", at: 0, "1", #"{"v":5}"#) + Trace.put("b", at: 7200, "1", #"{"v":3}"#)
        + Trace.put("a", 2, at: 100, "2", #"{"w":1}"#) + Trace.put("c", at: 130, "2", #"{"w":1}"#)
        + Trace.put("o", at: -99, "3", #"{"x":0}"#) + Trace.delete("b", 2, at: 300, "3", saw: #"{"o":1}"#)
        + Trace.put("c", 2, at: 301, "3", #"{"x":1}"#, saw: #"{"o":1}"#)

    /// The places of the rows that are shown, in their order.
    private func rows() throws -> FieldValue {
        try browser.value(
            "[...document.querySelectorAll('#list tbody tr')].filter(r => r.checkVisibility()).map(r => r.cells[0].textContent)")
    }

    private func heading(_ name: String, is order: String?) throws {
        let text = "[...document.querySelectorAll('#list thead th')].find(h => h.textContent === '\(name)').ariaSort"
        #expect(try browser.value(text) == order.map { .string($0) } ?? .null)
    }

    @Test func theKeyboardSortsAndFilters() throws {
        try browser.open(try page(Self.trace))
        #expect(try rows() == ["Note/3.x", "Note/1.v", "Note/2.w"])
        try heading("Severity", is: "descending")
        func sort(_ name: String) throws {
            try browser.value("[...document.querySelectorAll('#list thead button')].find(b => b.textContent === '\(name)').focus()")
            try browser.press(.enter)
        }
        try sort("Record and field")
        #expect(try rows() == ["Note/1.v", "Note/2.w", "Note/3.x"])
        try heading("Record and field", is: "ascending")
        try heading("Severity", is: nil)
        try sort("Record and field")
        #expect(try rows() == ["Note/3.x", "Note/2.w", "Note/1.v"])
        try sort("Apart")
        #expect(try rows() == ["Note/1.v", "Note/2.w", "Note/3.x"])
        try heading("Apart", is: "descending")

        try browser.value("document.getElementById('find').focus()")
        try browser.type("UPDATE_upd")
        #expect(try rows() == [])
        #expect(try browser.value("document.getElementById('status').textContent") == "0 of 3 shown")
        try browser.value("document.getElementById('find').select()")
        try browser.type("delete b")
        #expect(try rows() == ["Note/3.x"])
        #expect(try browser.value("document.getElementById('status').textContent") == "1 of 3 shown")
        try browser.value("document.getElementById('find').select()")
        try browser.type("note")
        func choose(_ label: String, _ text: String) throws {
            try browser.value(
                """
                { const s = [...document.querySelectorAll('#tools label')].find(l => l.textContent.startsWith('\(label)')).querySelector('select');
                  s.value = '\(text)'; s.dispatchEvent(new Event('change', { bubbles: true })); }
                """)
        }
        try choose("Device", "a")
        #expect(try rows() == ["Note/1.v", "Note/2.w"])
        try choose("Severity", "benign")
        #expect(try rows() == ["Note/2.w"])
        #expect(browser.complaints == [])
    }

    @Test(arguments: [true, false]) func theKeyboardOpensAndClosesTheDetails(runsScripts: Bool) throws {
        let path = try page(Self.trace)
        if !runsScripts { try browser.disableScripts() }
        try browser.open(path)
        // Without a script everything is there but what needs one.
        #expect(try rows() == ["Note/3.x", "Note/1.v", "Note/2.w"])
        #expect(try browser.value("document.getElementById('tools').checkVisibility()") == .bool(runsScripts))
        #expect(try browser.value("document.querySelectorAll('#list thead button').length") == (runsScripts ? 8 : 0))
        let card = "document.querySelector('[popover]:popover-open')"
        #expect(try browser.value(card + " === null") == true)
        try browser.value("document.querySelectorAll('#list tbody button')[1].focus()")
        try browser.press(.enter)
        #expect(try browser.value(card + ".querySelector('h3').textContent") == "Note/1.v")
        #expect(try browser.value(card + ".contains(document.activeElement)") == true)
        #expect(try browser.value(card + ".querySelector('.verdict').checkVisibility()") == true)
        #expect(try browser.value(card + ".querySelector('pre').textContent.startsWith('syncaudit restore ')") == true)
        try browser.press(.escape)
        #expect(try browser.value(card + " === null") == true)
        #expect(try browser.value("document.activeElement === document.querySelectorAll('#list tbody button')[1]") == true)
        // And by its own button, which comes next.
        try browser.press(.enter)
        try browser.press(.tab)
        #expect(try browser.value("document.activeElement.textContent") == "Close")
        try browser.press(.enter)
        #expect(try browser.value(card + " === null") == true)
        #expect(browser.complaints == [])
    }

    @Test func aClickAnywhereInARowOpensIt() throws {
        try browser.open(try page(Self.trace))
        try browser.value("document.querySelector('#list tbody tr').cells[5].click()")
        #expect(try browser.value("document.querySelector('[popover]:popover-open h3').textContent") == "Note/3.x")
    }

    @Test func lightAndDarkFollowTheReader() throws {
        try browser.open(try page(Self.trace))
        var seen: [FieldValue] = []
        for scheme in ["light", "dark"] {
            try browser.prefer(scheme)
            // The brightness of ground and ink.
            let colours = "[getComputedStyle(document.documentElement).backgroundColor, getComputedStyle(document.body).color]"
            seen.append(try browser.value(colours + ".map(c => c.match(/\\d+/g).slice(0, 3).reduce((a, b) => a + Number(b), 0) > 382)"))
        }
        #expect(seen == [[true, false], [false, true]])
    }

    @Test(arguments: [390, 800, 1280]) func nothingIsWiderThanTheScreen(width: Int64) throws {
        let long = String(repeating: "averylongname", count: 5)
        let trace =
            Self.trace + Trace.put(long, at: 0, long, #"{"\#(long)":"\#(long)"}"#, type: long)
            + Trace.put(long + "2", at: 7, long, #"{"\#(long)":2}"#, type: long)
        try browser.resize(width: width, height: 844, isTelephone: width < 500)
        try browser.open(try page(trace))
        #expect(try browser.value("document.documentElement.scrollWidth <= \(width)") == true)
        try browser.value("document.querySelector('#list tbody button').click()")
        #expect(try browser.value("{ const c = document.querySelector(':popover-open'); c.scrollWidth <= c.clientWidth }") == true)
        #expect(browser.complaints == [])
    }

    @Test func valuesRunNothing() throws {
        let texts = [
            #"</script><script>document.title='x';alert(1)</script>"#, #"<img src=x onerror=alert(1)>"#, "javascript:alert(1)",
            #"\" onload=\"alert(1)"#, "' autofocus onfocus='alert(1)", "</style><style>*{display:none}</style>", #"a\u0000b\u202ec\u2028"#,
            "<iframe srcdoc='<script>parent.x=1</script>'>", "<svg><animate onbegin=alert(1)>",
        ]
        var trace = ""
        for (number, text) in texts.enumerated() {
            let fields = #"{"\#(text)":"\#(text)\#(number)"}"#
            trace += Trace.put(text + "1", 1, at: number * 100, text, fields, type: text)
            trace += Trace.put(text + "2", 1, at: number * 100 + 9, text, fields.replacing("\(number)\"}", with: "!\"}"), type: text)
        }
        try browser.open(try page(trace))
        #expect(try browser.value("document.querySelectorAll('#list tbody tr').length") == .number(JSONNumber(texts.count)))
        for number in texts.indices {
            try browser.value("document.querySelectorAll('#list tbody button')[\(number)].click()")
            #expect(try browser.value("document.querySelector(':popover-open').checkVisibility()") == true)
        }
        try browser.value("document.querySelectorAll('#list thead button').forEach(b => b.click())")
        #expect(try browser.value("document.querySelectorAll('script').length + document.querySelectorAll('style').length") == 2)
        #expect(try browser.value("document.querySelectorAll('img, iframe, animate, object, embed, link, base').length") == 0)
        #expect(try browser.value("document.title.endsWith('SyncAudit') && typeof x") == "undefined")
        #expect(browser.complaints == [])
    }

    /// Were the policy of the page too narrow for its own parts, or too wide for others, the browser would say so.
    @Test func thePolicyAdmitsTheStyleAndTheScriptOfThePageAlone() throws {
        let path = try page(Self.trace)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let added = text.replacing("</main>", with: "<img src=x onerror='window.hit=1'><script>window.hit=2</script></main>")
        try Data(added.utf8).write(to: URL(fileURLWithPath: path))
        try browser.open(path)
        #expect(try browser.value("typeof window.hit") == "undefined")
        #expect(!browser.complaints.isEmpty)
    }
}
