import AuditAnalysis
import AuditLog
import AuditReport
import ConflictAudit
import SyncModel
import Testing

@testable import AuditLive

/// Pages over the screen, restorations, and what is undone.
@Suite struct LivePageTests {
    private static let key = RecordKey(type: "Card", id: "42")

    /// A telephone number that two devices changed, both having seen the first.
    private static var screen: LiveScreen {
        func write(_ device: DeviceID, at milliseconds: Int64, _ value: FieldValue, saw seen: VersionVector?) -> TaggedWrite {
            TaggedWrite(
                dot: Dot(device: device, sequence: 1), timestamp: HybridTimestamp(milliseconds: milliseconds), key: key,
                operation: .put(["phone": value]), seen: seen)
        }
        let seen = VersionVector([Dot(device: "Mac", sequence: 1)])
        let writes = [
            write("Mac", at: 1_000, "0000", saw: VersionVector()), write("iPad", at: 61_000, "1234", saw: seen),
            write("iPhone", at: 80_000, "9876", saw: seen),
        ]
        let model = LiveFixture.conflict(1)
        func side(_ write: TaggedWrite) -> Conflict.Side {
            Conflict.Side(dot: write.dot, timestamp: write.timestamp, operation: .put, value: write.value(of: "phone"))
        }
        let conflict = Conflict(
            id: ConflictID(rawValue: 0x3f2a), kind: .updateUpdate, severity: .destructive, basis: .causal, key: key, field: "phone",
            winner: side(writes[2]), loser: side(writes[1]), gap: model.gap, withinWindow: true, window: model.window,
            policy: "lastWriterWins", resolution: .keepLocal, reason: model.reason, clockSuspect: false)
        var lines = writes.enumerated().map { index, write in
            AuditLine(sequence: UInt64(index + 1), source: "Mac", event: AuditEvent(at: write.timestamp.milliseconds, .write(write)))
        }
        lines.append(AuditLine(sequence: 4, source: "Mac", event: AuditEvent(at: 90_000, .conflict(conflict))))
        var screen = LiveScreen(title: "t", source: "logs/", isLive: true)
        LiveFixture.read(lines, into: &screen)
        return screen
    }

    @Test func everyKeyIsOnTheHelpPage() {
        var screen = Self.screen
        screen.type("?")
        let text = LiveFixture.text(screen, 120, 60)
        for section in LiveHelp.sections { #expect(text.contains(section.title)) }
        for key in "jkgGsStq/+-uvloyhfr" { #expect(text.contains(" \(key) ") || text.contains(" \(key),"), "\(key)") }
        // It scrolls where it is longer than the screen, and goes away.
        let top = LiveFixture.text(screen, 80, 12)
        _ = screen.press(.pageDown)
        #expect(LiveFixture.text(screen, 80, 12) != top)
        for key in [LiveScreen.Key.escape, .character("q"), .character("?")] {
            _ = screen.press(key)
            #expect(screen.pages.isEmpty)
            screen.type("?")
        }
    }

    @Test(arguments: [40, 60, 80, 120]) func theLastLineHasTheKeysThatFit(columns: Int) {
        let keys = LiveFixture.text(Self.screen, columns).split(separator: "\n").last ?? ""
        #expect(keys.hasPrefix("? help  q quit  Tab panel") && TerminalText.width(String(keys)) < columns)
        #expect(keys.contains("u undo") == (columns >= 80))
    }

    @Test func theLineIsShownAsTheFileHasIt() {
        var screen = Self.screen
        for key in ["l", "o"] {
            screen.type(key)
            let text = LiveFixture.text(screen)
            #expect(text.hasPrefix("logs/a.jsonl:4, "))
            #expect(text.replacing("\n", with: "").contains(#""id":"0000000000003f2a","kind":"update_update""#))
            screen.type("q")
        }
        // A long line is not broken whole for each drawing.
        var long = Self.screen
        let conflict = LiveFixture.conflict(9, at: 100_000).with(loserValue: .string(String(repeating: "x", count: 100_000)))
        LiveFixture.read([AuditLine(sequence: 1, source: "Mac", event: AuditEvent(at: 100_000, .conflict(conflict)))], into: &long)
        long.type("lG")
        #expect(LiveFixture.text(long).contains("more bytes not shown"))
    }

    @Test func aLineThatCameFromNoFileIsNotAtHand() {
        var screen = LiveFixture.screen()
        screen.type("l")
        #expect(LiveFixture.text(screen).contains("The line is not at hand"))
    }

    @Test func theStoryTellsAllWrites() {
        var screen = Self.screen
        _ = screen.press(.enter)
        screen.type("v")
        let text = LiveFixture.text(screen, 100, 40)
        let writes = [#""phone":"0000""#, #""phone":"1234""#, #""phone":"9876""#]
        for words in writes + ["lost: ", "With conflicts that lost nothing: syncaudit story Card/42 logs/"] {
            #expect(text.contains(words), "\(words)")
        }
        #expect(text.contains("Shown now"))
        #expect(screen.type("y") == .copy("Card/42"))
        // Back to the page that it was opened from.
        _ = screen.press(.escape)
        #expect(screen.opened?.conflict.key == Self.key)
    }

    @Test func whatNobodyLostIsFoundByItsName() {
        var screen = Self.screen
        let other = TaggedWrite(
            dot: Dot(device: "Mac", sequence: 2), timestamp: HybridTimestamp(milliseconds: 95_000), key: RecordKey(type: "Note", id: "7"),
            operation: .put(["title": "milk"]), seen: nil)
        screen.observe(AuditLine(sequence: 5, source: "Mac", event: AuditEvent(at: 95_000, .write(other))), bytes: 100)
        screen.type("/note/7\n")
        #expect(screen.view.filters.isEmpty && screen.message?.contains("the record's story") == true)
        #expect(LiveFixture.text(screen).contains("\"title\":\"milk\""))
        screen.type("q/nowhere\n")
        #expect(screen.pages.isEmpty && LiveFixture.text(screen).contains("none passes the filters"))
    }

    @Test func theIDIsCopiedAndSaid() {
        var screen = Self.screen
        #expect(screen.type("y") == .copy("0000000000003f2a"))
        #expect(LiveFixture.text(screen).contains("0000000000003f2a is the conflict's id"))
        var empty = LiveScreen(title: "t", source: "-", isLive: true)
        for key in "ylvr+" { #expect(empty.type(String(key)) == .none && empty.message != nil && empty.pages.isEmpty) }
    }

    @Test func aRestorationIsProposedAndItsFileAskedFor() {
        var screen = Self.screen
        screen.type("r")
        let text = LiveFixture.text(screen, 100, 30)
        for words in [#""9876" by iPhone"#, #""1234" by iPad"#, "append the line to: restored.jsonl_", #""fields":{"phone":"1234"}"#] {
            #expect(text.contains(words), "\(words)")
        }
        // Esc leaves without writing.
        _ = screen.press(.escape)
        #expect(screen.pages.isEmpty && screen.prompt == nil)
        screen.type("r")
        _ = screen.press(.clear)
        #expect(screen.type("\n") == .none && screen.message?.contains("a file must be named") == true)
        guard case .write(let restoration) = screen.type("back.jsonl\n") else {
            Issue.record("nothing is written")
            return
        }
        #expect(restoration.path == "back.jsonl" && restoration.write.key == Self.key)
        #expect(restoration.write.fields?["phone"] == "1234")
        // What is refused leaves the line to be typed anew.
        screen.tell("back.jsonl cannot be written")
        #expect(screen.prompt?.text == "back.jsonl" && LiveFixture.text(screen).contains("cannot be written"))
        screen.wrote(restoration)
        #expect(screen.pages.isEmpty && screen.prompt == nil && screen.message?.contains("written to back.jsonl") == true)
        #expect(screen.type("u") == .takeBack(restoration))
        #expect(screen.type("u") == .none && screen.message == "there is nothing to undo")
        // The file is offered again.
        screen.type("r")
        #expect(screen.prompt?.text == "back.jsonl")
    }

    @Test func theProposalScrollsWhileTheFileIsTyped() {
        var screen = Self.screen
        screen.type("r")
        _ = screen.render(LiveScreen.Size(columns: 80, rows: 8), LiveFixture.plain)
        _ = screen.press(.down)
        #expect(screen.firstLine == 1 && screen.prompt?.text == "restored.jsonl")
    }

    @Test func whatHasMovedOnIsRefusedWithTheCommandThatInsists() {
        var screen = Self.screen
        let later = TaggedWrite(
            dot: Dot(device: "Mac", sequence: 2), timestamp: HybridTimestamp(milliseconds: 95_000), key: Self.key,
            operation: .put(["phone": "5555"]),
            seen: VersionVector([Dot(device: "Mac", sequence: 1), Dot(device: "iPad", sequence: 1), Dot(device: "iPhone", sequence: 1)]))
        screen.observe(AuditLine(sequence: 5, source: "Mac", event: AuditEvent(at: 95_000, .write(later))), bytes: 100)
        #expect(screen.type("r") == .none && screen.pages.isEmpty)
        #expect(screen.message?.contains("has moved on") == true)
        #expect(screen.message?.hasSuffix("syncaudit restore --force 0000000000003f2a logs/") == true)
    }

    @Test func undoGoesBackStepByStep() {
        var screen = LiveFixture.screen()
        screen.type("+t")
        screen.type("s")
        screen.type("/holiday\n")
        _ = screen.press(.escape)
        for words in ["the removal of only \"holiday\"", "the filter only \"holiday\"", "the sorting", "the filter only type Tag"] {
            screen.type("u")
            #expect(screen.message == "undone: \(words)")
        }
        #expect(screen.view.filters.isEmpty && screen.view.sorts.isEmpty && screen.listed.count == 4)
        screen.type("u")
        #expect(screen.message == "there is nothing to undo")
        // No more steps are kept than are of use.
        for _ in 0..<300 { screen.type("s") }
        #expect(screen.steps.count == LiveScreen.undoLimit)
    }
}

/// A line that is typed.
@Suite struct LivePromptTests {
    @Test func theCursorMovesAndCharactersGoInAndOut() {
        var prompt = LivePrompt(.find, "abc")
        for key in [LiveScreen.Key.left, .character("x"), .home, .character("é"), .right, .delete, .end, .backspace] { prompt.press(key) }
        #expect(prompt.text == "éax")
        prompt.press(.left)
        #expect(prompt.parts == ("éa", "x", ""))
        prompt.press(.clear)
        #expect(prompt.text == "x")
        for key in [LiveScreen.Key.backspace, .left, .home, .up, .tab] { prompt.press(key) }
        #expect(prompt.parts == ("", "x", ""))
    }

    @Test func whatIsPastedIsBounded() {
        var prompt = LivePrompt(.file)
        for _ in 0..<5_000 { prompt.press(.character("x")) }
        #expect(prompt.text.count == 1_024)
    }

    @Test(arguments: [10, 20, 40, 80]) func theEndOfALongLineIsSeen(columns: Int) {
        let pen = LivePen(columns: columns, style: LiveFixture.plain)
        let line = pen.line("append to: ", typing: LivePrompt(.file, "/" + String(repeating: "long/", count: 30) + "end"))
        #expect(TerminalText.width(line) < columns && (columns < 20 || line.hasSuffix("end_")), "\(line)")
    }
}

extension Conflict {
    fileprivate func with(loserValue: FieldValue) -> Conflict {
        let loser = Side(dot: loser.dot, timestamp: loser.timestamp, operation: loser.operation, value: loserValue)
        return Conflict(
            id: id, kind: kind, severity: severity, basis: basis, key: key, field: field, winner: winner, loser: loser, gap: gap,
            withinWindow: withinWindow, window: window, policy: policy, resolution: resolution, reason: reason, clockSuspect: clockSuspect)
    }
}
