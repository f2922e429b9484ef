import AuditLog
import AuditReport
import ConflictAudit
import SyncModel
import Testing

@testable import AuditLive

/// Panels: which one keys act in, where it scrolls to, and how it is sorted.
@Suite struct LivePanelTests {
    /// A screen with a loss of each of 30 fields, one more of field 7.
    private static var screen: LiveScreen {
        var screen = LiveScreen(title: "t", source: "-", isLive: true)
        for number in 0..<31 {
            let conflict = LiveFixture.conflict(UInt64(number), at: Int64(number) * 1_000)
            let field = FieldName("field\(number == 30 ? 7 : number)")
            LiveFixture.observe(conflict.with(field: field, device: DeviceID("device\(number % 3)")), &screen)
        }
        return screen
    }

    private static func rows(_ screen: LiveScreen) -> [String] {
        LiveFixture.text(screen).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func tabGoesThroughAllPanelsAndBack() {
        var screen = Self.screen
        var seen: [LivePanel] = []
        for _ in 0..<6 {
            seen.append(screen.view.focus)
            _ = screen.press(.tab)
        }
        #expect(seen == [.losses, .types, .fields, .losers, .devices, .losses])
        for _ in 0..<6 { _ = screen.press(.backTab) }
        #expect(screen.view.focus == .losses)
    }

    @Test func theMarkIsWhereKeysAct() {
        var screen = Self.screen
        #expect(Self.rows(screen).filter { $0.contains("> ") }.map { $0.hasPrefix("> 00:00:30 ") } == [true])
        for _ in 0..<2 { _ = screen.press(.tab) }
        let rows = Self.rows(screen)
        #expect(rows.contains { $0.contains("> Note.field7") } && rows.contains { $0.hasPrefix("· 00:00:30 ") })
        #expect(rows.filter { $0.contains("> ") }.count == 1)
        let styled = screen.render(LiveScreen.Size(columns: 80, rows: 24), TerminalStyle(isEnabled: true))
        #expect(styled.filter { $0.contains("\u{1b}[7m") }.count == 1 && styled.contains { $0.contains("\u{1b}[7mby field") })
    }

    @Test func aPanelScrollsToItsLastRow() {
        var screen = Self.screen
        for _ in 0..<2 { _ = screen.press(.tab) }
        _ = Self.rows(screen)
        for (key, row) in [(LiveScreen.Key.end, 29), (.up, 28), (.home, 0), (.down, 1)] {
            _ = screen.press(key)
            #expect(screen.selection(in: screen.rowNames(of: .fields), of: .fields) == row)
            #expect(Self.rows(screen).contains { $0.contains("> " + screen.rowNames(of: .fields)[row].words) })
        }
        // A page is as long as the panel was drawn, without a row to go on from.
        _ = screen.render(LiveScreen.Size(columns: 80, rows: 24), LiveFixture.plain)
        _ = screen.press(.pageDown)
        #expect(screen.selection(in: screen.rowNames(of: .fields), of: .fields) == (screen.heights[.fields] ?? 0))
        #expect((screen.heights[.fields] ?? 0) > 4)
    }

    @Test func sortingIsToldByTheHeadingAndReversed() {
        var screen = Self.screen
        screen.type("s")
        #expect(LiveFixture.text(screen).contains("Losses ↓record"))
        screen.type("s")
        #expect(LiveFixture.text(screen).contains("Losses ↓field"))
        #expect(screen.listed.prefix(2).map(\.conflict.field) == ["field0", "field1"])
        screen.type("S")
        #expect(LiveFixture.text(screen).contains("Losses ↑field"))
        #expect(screen.listed.prefix(2).map(\.conflict.field) == ["field9", "field8"])
        _ = screen.press(.down)
        let chosen = screen.listed[1].number
        LiveFixture.observe(LiveFixture.conflict(99, at: 99_000), &screen)
        #expect(screen.listed[screen.selection(in: screen.listed)].number == chosen)
        screen.type("ss")
        #expect(LiveFixture.text(screen).contains("Latest losses"))
    }

    @Test func countsAreSortedByNameAndByConflicts() {
        var screen = Self.screen
        for _ in 0..<2 { _ = screen.press(.tab) }
        #expect(LiveFixture.text(screen).contains("by field ↓losses"))
        #expect(screen.rowNames(of: .fields).first?.second == "field7")
        screen.type("s")
        #expect(LiveFixture.text(screen).contains("2 of 2"))
        screen.type("s")
        #expect(LiveFixture.text(screen).contains("by field ↓name"))
        #expect(screen.rowNames(of: .fields).first?.second == "field0")
        screen.type("S")
        #expect(screen.rowNames(of: .fields).first?.second == "field9")
        // The sorting stays where the panel is left, and u undoes it from anywhere.
        _ = screen.press(.tab)
        #expect(LiveFixture.text(screen).contains("by field ↑name"))
        screen.type("u")
        #expect(LiveFixture.text(screen).contains("by field ↓name"))
    }

    @Test func devicesAreSortedByName() {
        var screen = LiveScreen(title: "t", source: "-", isLive: true)
        for (name, state) in [("b", SyncActivity.State.failed), ("a", .succeeded)] {
            let activity = SyncActivity(phase: .import, state: state, writes: 0, bytes: 0, duration: .zero)
            let event = AuditEvent(at: 1_768_485_600_000, .sync(activity))
            screen.observe(AuditLine(sequence: 1, source: DeviceID(name), event: event), bytes: 100)
        }
        _ = screen.press(.backTab)
        #expect(screen.rowNames(of: .devices).map(\.second) == ["b", "a"])
        screen.type("s")
        #expect(screen.rowNames(of: .devices).map(\.second) == ["a", "b"])
        #expect(LiveFixture.text(screen).contains("Devices ↓name"))
        _ = screen.press(.down)
        _ = screen.press(.enter)
        #expect(LiveFixture.text(screen).contains("b (silent, failing)"))
    }

    @Test func aLowScreenShowsThePanelThatHasTheFocus() {
        var screen = Self.screen
        func text() -> String { LiveFixture.text(screen, 60, 8) }
        #expect(text().contains("Latest losses"))
        for _ in 0..<2 { _ = screen.press(.tab) }
        #expect(text().contains("> Note.field7") && !text().contains("Latest losses"))
        for _ in 0..<2 { _ = screen.press(.tab) }
        #expect(text().contains("Devices by need"))
    }

    @Test func aJumpSelectsTheFirstLossThatWasNoLater() {
        var screen = Self.screen
        #expect(screen.type("t12s\n") == .jump("12s"))
        screen.jump(to: 12_500)
        #expect(screen.prompt == nil && screen.listed[screen.selection(in: screen.listed)].time == 12_000)
        screen.type("u")
        #expect(screen.selection(in: screen.listed) == 0)
        screen.jump(to: -1)
        #expect(screen.selection(in: screen.listed) == 30)
        let words = "no listed loss is as old as 1969-12-31T23:59:59.999Z, the earliest is of 1970-01-01T00:00:00"
        #expect(screen.message?.hasPrefix(words) == true)
    }

    @Test func aTimeThatIsNoneKeepsThePrompt() {
        var screen = Self.screen
        #expect(screen.type("tnoon\n") == .jump("noon"))
        screen.tell("\"noon\" is no time")
        #expect(screen.prompt?.text == "noon" && LiveFixture.text(screen).contains("noon_"))
        #expect(LiveFixture.text(screen).contains("is no time"))
        _ = screen.press(.escape)
        #expect(screen.prompt == nil)
    }
}

extension Conflict {
    fileprivate func with(field: FieldName, device: DeviceID) -> Conflict {
        let loser = Side(
            dot: Dot(device: device, sequence: loser.dot.sequence), timestamp: loser.timestamp, operation: loser.operation,
            value: loser.value)
        return Conflict(
            id: id, kind: kind, severity: severity, basis: basis, key: key, field: field, winner: winner, loser: loser, gap: gap,
            withinWindow: withinWindow, window: window, policy: policy, resolution: resolution, reason: reason, clockSuspect: clockSuspect)
    }
}
