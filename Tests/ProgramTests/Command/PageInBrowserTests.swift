import CommandWorld
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

    /// Waits until a condition holds, for as long as the browser may take.
    private func wait(until condition: String) throws {
        while try browser.value(condition) != true { usleep(10_000) }
    }

    /// The registers of the rows that are shown, in their order.
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

    private func focusPick(_ words: String, in part: String) throws {
        let all = "[...document.querySelectorAll('\(part) [data-pick] button')]"
        try browser.value("\(all).find(b => b.textContent.startsWith('\(words)')).focus()")
    }

    private var chips: String { "[...document.querySelectorAll('#chips button')].map(b => b.textContent)" }

    @Test func barsAndCellsNarrowTheTableAndAChipClearsIt() throws {
        let path = try page(Self.trace)
        try browser.open(path)
        try focusPick("Note.v", in: "#breakdowns")
        try browser.press(.enter)
        #expect(try rows() == ["Note/1.v"])
        #expect(try browser.value(chips) == ["Field: Note.v"])
        #expect(try browser.value("location.hash") == "#field=Note.v")
        // The chip has the focus, so that the next key clears it.
        try browser.press(.enter)
        #expect(try rows() == ["Note/3.x", "Note/1.v", "Note/2.w"])
        #expect(try browser.value(chips) == [] && browser.value("location.hash") == "")
        // The cell of the matrix: b won over a.
        try browser.value("document.querySelector('.matrix [data-pick*=\"winner=b&loser=a\"] button').focus()")
        try browser.press(.enter)
        #expect(try rows() == ["Note/1.v"])
        #expect(try browser.value(chips) == ["Won by: b", "Lost by: a"])
        // What was chosen again is chosen no more, and of one that counts edits lost only these are shown.
        try browser.value("document.querySelector('.matrix [data-pick*=\"winner=b&loser=a\"] button').click()")
        #expect(try browser.value(chips) == [])
        try focusPick("a", in: "#lost")
        try browser.press(.enter)
        #expect(try rows() == ["Note/1.v"])
        // The address brings it back.
        let hash = try #require(try browser.value("location.hash").string)
        try browser.value("history.replaceState(null, '', location.pathname)")
        try browser.value("location.hash = '\(hash.dropFirst())&find=w'")
        try wait(until: "document.getElementById('find').value === 'w'")
        #expect(try browser.value("document.getElementById('find').value") == "w")
        #expect(try rows() == [])
        #expect(browser.complaints == [])
    }

    @Test func columnsOfTheHistoryNarrowTheTableToTheirDays() throws {
        let day = 86_400
        let trace =
            Trace.clash() + Trace.put("a", 2, at: 3 * day, "9", #"{"v":1}"#) + Trace.put("b", 2, at: 3 * day + 5, "9", #"{"v":2}"#)
        try browser.open(try page(trace))
        try browser.value("document.querySelectorAll('.chart g')[1].dispatchEvent(new MouseEvent('click', { bubbles: true }))")
        #expect(try rows() == ["Note/9.v"])
        #expect(try browser.value(chips) == ["When: 2026-01-18"])
        try browser.value(
            "document.querySelector('#gaps [data-pick*=\"1 s to 1 min\"] button, #gaps [data-pick*=\"1%20s\"] button').click()")
        #expect(try browser.value(chips) == ["Apart: 1 s to 1 min"])
        #expect(try rows() == ["Note/9.v", "Note/1.v"])
    }

    @Test(arguments: [true, false]) func manyRowsAreLaidOutWhenTheyAreAskedFor(runsScripts: Bool) throws {
        var trace = ""
        for number in 0..<350 {
            let fields = number == 3 ? "w" : "v"
            trace += Trace.put("a", number + 1, at: number, "\(number)", #"{"\#(fields)":1}"#)
            trace += Trace.put("b", number + 1, at: number + 1, "\(number)", #"{"\#(fields)":2}"#)
        }
        let path = try page(trace)
        if !runsScripts { try browser.disableScripts() }
        try browser.open(path)
        let drawn = "document.querySelectorAll('tbody tr:has([popovertarget])').length"
        guard runsScripts else {
            #expect(try browser.value(drawn) == 350)
            #expect(try browser.value("document.querySelectorAll('[popover]').length") == 350)
            return
        }
        #expect(try browser.value(drawn) == 100)
        #expect(try browser.value("document.querySelectorAll('[popover]').length") == 100)
        #expect(try browser.value("document.getElementById('status').textContent") == "100 of 350 shown")
        try browser.value("document.querySelector('#more button').focus()")
        try browser.press(.enter)
        #expect(try browser.value(drawn) == 300)
        #expect(try browser.value("document.activeElement.textContent") == "Note/249.v")
        // A card is made when it is opened.
        try browser.press(.enter)
        #expect(try browser.value("document.querySelector('[popover]:popover-open h3').textContent") == "Note/249.v")
        // The page keeps the open card in its address as soon as it is told, which would replace what is written there before.
        try wait(until: "location.hash.includes('open=')")
        try browser.press(.escape)
        try wait(until: "!location.hash.includes('open=')")
        try browser.value("location.hash = 'field=Note.w'")
        try wait(until: "document.getElementById('status').textContent.startsWith('1 ')")
        #expect(try rows() == ["Note/3.w"])
        #expect(browser.complaints == [])
    }

    @Test func aPageThatIsWatchedLoadsItselfAgainAndStaysNarrowed() throws {
        let path = try page(Self.trace)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let refresh = "<noscript id=\"refresh\" data-seconds=\"1\"><meta http-equiv=\"refresh\" content=\"1\"></noscript>"
        let watched = text.replacing("<title>", with: refresh + "<title>")
        try Data(watched.utf8).write(to: URL(fileURLWithPath: path))
        try browser.open(path)
        try focusPick("Note.v", in: "#breakdowns")
        try browser.press(.enter)
        try browser.value("window.isFirst = true")
        try Data(watched.replacing("<h1>", with: "<h1>Again: ").utf8).write(to: URL(fileURLWithPath: path))
        try browser.waitForLoad()
        #expect(try browser.value("typeof window.isFirst") == "undefined")
        #expect(try browser.value("document.querySelector('h1').textContent.startsWith('Again: ')") == true)
        #expect(try rows() == ["Note/1.v"])
        #expect(try browser.value(chips) == ["Field: Note.v"])
        #expect(browser.complaints == [])
    }

    @Test func wordsAreReadableOnWhateverIsBehindThem() throws {
        var trace = ""
        for number in 0..<40 {
            trace += Trace.put("a", number + 1, at: number, "\(number)", #"{"v":1}"#)
            trace += Trace.put(number < 33 ? "b" : "c", number + 1, at: number + 1, "\(number)", #"{"v":2}"#)
        }
        try browser.resize(width: 1280, height: 900, isTelephone: false)
        try browser.open(try page(trace))
        for scheme in ["light", "dark"] {
            try browser.prefer(scheme)
            let least = try browser.value(Self.leastContrast)
            guard case .number(let ratio) = least else { throw Browser.Failure(sentence: "no contrast: \(least)") }
            #expect((Double(ratio.description) ?? 0) >= 4.5, "\(scheme): \(ratio)")
        }
    }

    /// The least contrast of any words with what is behind them, by WCAG 2.
    private static let leastContrast = """
        (() => {
          const parts = c => { const m = c.match(/[\\d.]+/g).map(Number); return m.length < 4 ? [...m, 1] : m; };
          const over = (f, b) => [0, 1, 2].map(i => f[i] * f[3] + b[i] * (1 - f[3]));
          const light = c => { const v = c.map(x => (x /= 255) <= .04045 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4);
            return .2126 * v[0] + .7152 * v[1] + .0722 * v[2]; };
          const behind = e => { let all = []; for (let x = e; x; x = x.parentElement) all.push(parts(getComputedStyle(x).backgroundColor));
            return all.reverse().reduce((b, c) => over(c, b), [255, 255, 255]); };
          let least = 21;
          for (const e of document.querySelectorAll("body :not(svg *)")) {
            if (!e.checkVisibility() || ![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
            const b = behind(e), [x, y] = [light(over(parts(getComputedStyle(e).color), b)), light(b)].sort((a, b) => b - a);
            least = Math.min(least, (x + .05) / (y + .05));
          }
          return least;
        })()
        """

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

    @Test(arguments: ["en", "de", "fr"]) func thePageOfAUserRunsAndLoadsNothing(language: String) throws {
        let story = try Story(directory, trace: Self.trace + Trace.put("<img src=x onerror=alert(1)>", at: 900, "1", #"{"v":"<b>x</b>"}"#))
        let path = directory.file("user.html")
        let world = TestWorld()
        let options = ["--format", "html", "--for", "user", "--language", language, "-o", path]
        #expect(world.run(["report"] + options + [story.log, story.trace]) == .success)
        try browser.resize(width: 390, height: 844, isTelephone: true)
        try browser.open(path)
        #expect(try browser.value("document.querySelectorAll('script, img').length") == 0)
        #expect(try browser.value("document.documentElement.lang === '\(language)'") == true)
        #expect(try browser.value("document.documentElement.scrollWidth <= 390") == true)
        for scheme in ["light", "dark"] {
            try browser.prefer(scheme)
            #expect(try browser.value("\(Self.leastContrast) >= 4.5") == true)
        }
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
