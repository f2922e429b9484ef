import AuditAnalysis
import AuditLog
import AuditSamples
import ConflictAudit
import SyncModel
import Testing

@testable import AuditLive

/// Filters: what passes, how they are shown, and how they go away.
@Suite struct LiveFilterTests {
    /// The losses that a screen lists, by record and field.
    private static func listed(_ screen: LiveScreen) -> [String] {
        screen.listed.map { EventText.register($0.conflict.key, $0.conflict.field) }
    }

    private static let all = ["Tag/urgent.colour", "Note/holiday", "Note/groceries.body", "Note/groceries.title"]

    @Test(arguments: [
        ("colou", [0]), ("URGENT", [0]), ("note/groceries", [2, 3]), ("!note", [0]), ("laptop", [1]), ("nothing", []),
    ])
    func lettersAreLookedForInRecordFieldAndDevice(letters: String, expected: [Int]) {
        var screen = LiveFixture.screen()
        #expect(Self.listed(screen) == Self.all)
        screen.type("/" + letters)
        #expect(Self.listed(screen) == expected.map { Self.all[$0] })
        screen.type("\n")
        #expect(Self.listed(screen) == expected.map { Self.all[$0] })
        let filter = letters.hasPrefix("!") ? "without \"\(letters.dropFirst())\"" : "only \"\(letters)\""
        #expect(LiveFixture.text(screen).contains("Latest losses: \(expected.count) of 4"))
        #expect(LiveFixture.text(screen).contains("  \(filter); Esc takes the last away"))
        _ = screen.press(.escape)
        #expect(Self.listed(screen) == Self.all)
        screen.type("u")
        #expect(Self.listed(screen) == expected.map { Self.all[$0] })
    }

    @Test func lettersAreTypedAgainInsteadOfOthers() {
        var screen = LiveFixture.screen()
        screen.type("/colour\n/")
        #expect(screen.prompt?.text == "colour")
        _ = screen.press(.clear)
        screen.type("body")
        #expect(Self.listed(screen) == ["Note/groceries.body"])
        _ = screen.press(.escape)
        #expect(Self.listed(screen) == ["Tag/urgent.colour"])
        screen.type("/")
        _ = screen.press(.clear)
        screen.type("\n")
        #expect(Self.listed(screen) == Self.all)
    }

    @Test func aScreenMayBeginWithOneRecord() {
        var screen = LiveScreen(title: "t", source: "-", isLive: true, only: RecordKey(type: "Note", id: "groceries"))
        for conflict in Summary.sampleConflicts { LiveFixture.observe(conflict, &screen) }
        #expect(Self.listed(screen) == ["Note/groceries.body", "Note/groceries.title"])
        _ = screen.press(.escape)
        #expect(Self.listed(screen) == Self.all)
    }

    @Test func aRecordIsFoundByWhatPeopleCallIt() {
        var screen = LiveScreen(title: "t", source: "-", isLive: true, names: RecordNames(fields: ["Note": "title"]))
        for conflict in Summary.sampleConflicts { LiveFixture.observe(conflict, &screen) }
        let write = TaggedWrite(
            dot: Dot(device: "phone", sequence: 99), timestamp: HybridTimestamp(milliseconds: 1_768_485_600_000),
            key: RecordKey(type: "Note", id: "holiday"), operation: .put(["title": "Norway"]), seen: nil)
        screen.observe(AuditLine(sequence: 9, source: "phone", event: AuditEvent(at: 0, .write(write))), bytes: 100)
        screen.type("/norway\n")
        #expect(Self.listed(screen) == ["Note/holiday"])
    }

    @Test(arguments: [
        ("+r", "only record Note/groceries", [2, 3]), ("-r", "without record Note/groceries", [0, 1]),
        ("+t", "only type Note", [1, 2, 3]), ("-t", "without type Note", [0]), ("=f", "only field Note.body", [2]),
        ("-f", "without field Note.body", [0, 1, 3]), ("+d", "only losses of tablet", [0, 2, 3]),
        ("-w", "without device phone", [0]),
    ])
    func aLossIsFilteredByWhatTheNextKeySays(keys: String, words: String, expected: [Int]) {
        var screen = LiveFixture.screen()
        for _ in 0..<2 { _ = screen.press(.down) }
        screen.type(String(keys.prefix(1)))
        #expect(LiveFixture.text(screen).contains("r \(keys.hasPrefix("-") ? "without" : "only") record Note/groceries"))
        screen.type(String(keys.suffix(1)))
        #expect(Self.listed(screen) == expected.map { Self.all[$0] })
        #expect(LiveFixture.text(screen).contains(words))
        screen.type(keys)
    }

    @Test func anotherKeyFiltersByNothing() {
        var screen = LiveFixture.screen()
        for key in [LiveScreen.Key.escape, .character("x"), .enter] {
            screen.type("+")
            #expect(screen.press(key) == .none)
            #expect(screen.isFilteringOut == nil && screen.view.filters.isEmpty && screen.pages.isEmpty)
        }
    }

    @Test func wholeRecordsAreAFieldOfTheirOwn() {
        var screen = LiveFixture.screen()
        _ = screen.press(.down)
        screen.type("+f")
        #expect(Self.listed(screen) == ["Note/holiday"])
        #expect(LiveFixture.text(screen).contains("only whole records of Note"))
    }

    @Test func rowsOfPanelsFilter() {
        var screen = LiveFixture.screen()
        _ = screen.press(.tab)
        screen.type("-")
        #expect(Self.listed(screen) == ["Tag/urgent.colour"])
        screen.type("-")
        #expect(screen.view.filters.count == 1 && screen.message == "filtered by that already")
        screen.type("u")
        // Enter takes the row and goes to the losses.
        _ = screen.press(.enter)
        #expect(Self.listed(screen) == ["Note/holiday", "Note/groceries.body", "Note/groceries.title"] && screen.view.focus == .losses)
        for _ in 0..<2 { _ = screen.press(.tab) }
        let row = screen.rowNames(of: .fields).firstIndex { $0.second == "body" } ?? 0
        for _ in 0..<row { _ = screen.press(.down) }
        screen.type("+")
        #expect(Self.listed(screen) == ["Note/groceries.body"])
        #expect(LiveFixture.text(screen).contains("only type Note, only field Note.body; Esc takes the last away"))
        _ = screen.press(.escape)
        #expect(screen.view.filters.count == 1)
    }

    @Test func aDeviceFiltersWhatItLostAndWon() {
        var screen = LiveFixture.screen()
        let activity = SyncActivity(phase: .import, state: .succeeded, writes: 0, bytes: 0, duration: .zero)
        let event = AuditEvent(at: 1_768_485_600_000, .sync(activity))
        screen.observe(AuditLine(sequence: 1, source: "laptop", event: event), bytes: 100)
        _ = screen.press(.backTab)
        screen.type("g")
        let row = screen.rowNames(of: .devices).firstIndex { $0.second == "laptop" } ?? 0
        for _ in 0..<row { _ = screen.press(.down) }
        screen.type("-")
        #expect(Self.listed(screen) == ["Tag/urgent.colour", "Note/groceries.body", "Note/groceries.title"])
    }

    @Test func hostileNamesDoNotActOnTheTerminal() {
        var screen = LiveScreen(title: "t", source: "-", isLive: true)
        let model = LiveFixture.conflict(1)
        let key = RecordKey(type: "No\u{1b}[2Jte", id: "\u{202e}x\n")
        LiveFixture.observe(
            Conflict(
                id: model.id, kind: model.kind, severity: model.severity, basis: model.basis, key: key, field: "fi\u{7}eld",
                winner: model.winner, loser: model.loser, gap: model.gap, withinWindow: true, window: model.window, policy: "p\u{1b}c",
                resolution: model.resolution, reason: model.reason, clockSuspect: false), &screen)
        for keys in ["", "+", "f", "\t+", "\n", "l", "v", "q", "r", "/\u{1b}]0;x", "?", "y"] {
            for key in keys { _ = screen.press(key == "\t" ? .tab : key == "\n" ? .enter : .character(key)) }
            let lines = screen.render(LiveScreen.Size(columns: 80, rows: 40), LiveFixture.plain)
            let hostile = lines.joined().unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f || $0 == "\u{202e}" }
            #expect(!hostile && lines.count == 40, "\(keys)")
        }
    }
}
