import AuditAnalysis
import AuditLog
import AuditSamples
import ConflictAudit
import SyncModel
import Testing

@testable import AuditReport

/// The live screen without a terminal: lines and keys go in, lines of the screen come out.
@Suite struct LiveScreenTests {
    private static let plain = TerminalStyle(isEnabled: false)

    private static func screen(canRestore: Bool = false) -> LiveScreen {
        var screen = LiveScreen(title: "syncaudit top logs/", source: "logs/", isLive: true, canRestore: canRestore)
        for conflict in Summary.sampleConflicts { observe(conflict, &screen) }
        return screen
    }

    private static func observe(_ conflict: Conflict, _ screen: inout LiveScreen) {
        let event = AuditEvent(at: conflict.milliseconds, .conflict(conflict))
        screen.observe(AuditLine(sequence: nil, source: "phone", event: event), bytes: 400)
    }

    private static func text(_ screen: LiveScreen, _ columns: Int = 80, _ rows: Int = 24) -> String {
        screen.render(LiveScreen.Size(columns: columns, rows: rows), plain).joined(separator: "\n")
    }

    @Test(arguments: [(80, 24), (60, 20), (200, 50), (40, 10), (20, 5), (1, 1), (1, 50)]) func everyRowFits(columns: Int, rows: Int) {
        var screen = Self.screen()
        for _ in 0..<2 {
            let lines = screen.render(LiveScreen.Size(columns: columns, rows: rows), Self.plain)
            #expect(lines.count == rows)
            // A conflict is drawn for 40 columns at least.
            if screen.opened == nil || columns > 40 { #expect(lines.allSatisfy { TerminalText.width($0) < max(columns, 2) }) }
            _ = screen.press(.enter)
        }
    }

    @Test func provenAndSuspectedLossesAreToldApart() {
        let text = Self.text(Self.screen())
        #expect(text.contains("3 edits lost, 1 more perhaps, in 7 conflicts"))
        #expect(text.contains("by losing device"))
    }

    @Test func aConflictOfSeveralDevicesCountsOnce() {
        var screen = Self.screen()
        for conflict in Summary.sampleConflicts { Self.observe(conflict, &screen) }
        #expect(Self.text(screen).contains("in 7 conflicts"))
    }

    @Test func arrowsMoveAndEnterShowsTheConflict() {
        var screen = Self.screen()
        let losses = screen.listed
        #expect(screen.selection(in: losses) == 0)
        _ = screen.press(.down)
        #expect(screen.selection(in: losses) == 1)
        _ = screen.press(.enter)
        #expect(screen.opened?.conflict.id == losses[1].conflict.id)
        #expect(Self.text(screen).contains("\(losses[1].conflict.id)"))
        #expect(screen.press(.character("q")) == .none)
        #expect(screen.press(.character("q")) == .quit)
    }

    @Test func theSelectionStaysWhenLossesCome() {
        var screen = Self.screen()
        _ = screen.press(.down)
        let chosen = screen.listed[1].number
        for number in 0..<5 { Self.observe(Self.conflict(UInt64(number) + 1), &screen) }
        #expect(screen.listed[screen.selection(in: screen.listed)].number == chosen)
    }

    @Test func theFilterTakesPartsOfTypeFieldAndDevice() {
        var screen = Self.screen()
        for key in "/colou" { _ = screen.press(.character(key)) }
        _ = screen.press(.enter)
        #expect(screen.listed.map(\.conflict.field) == ["colour"])
        #expect(Self.text(screen).contains("with \"colou\": 1 of 4"))
        _ = screen.press(.escape)
        #expect(screen.listed.count == 4)
    }

    @Test func aFrozenScreenStaysWhileCountingGoesOn() {
        var screen = Self.screen()
        _ = screen.press(.character("f"))
        Self.observe(Self.conflict(1), &screen)
        #expect(Self.text(screen).contains("in 7 conflicts"))
        #expect(Self.text(screen).contains("frozen; 1 event since"))
        _ = screen.press(.character("f"))
        #expect(Self.text(screen).contains("in 8 conflicts"))
    }

    @Test func restoringNeedsAFileAndGivesAWrite() {
        var screen = Self.screen()
        for key in "/body\n" { _ = screen.press(key == "\n" ? .enter : .character(key)) }
        #expect(screen.press(.character("r")) == .none)
        #expect(Self.text(screen, 200).contains("--restore FILE"))
        screen = Self.screen(canRestore: true)
        for key in "/body\n" { _ = screen.press(key == "\n" ? .enter : .character(key)) }
        let conflict = screen.listed[0].conflict
        guard case .restore(let write) = screen.press(.character("r")) else {
            Issue.record("no write: \(screen.message ?? "")")
            return
        }
        #expect(write.key == conflict.key)
        #expect(write.fields?["body"] == conflict.loser.value)
    }

    @Test func manyLossesAreCountedAndTheLastKept() {
        var screen = LiveScreen(title: "t", source: "-", isLive: true, canRestore: false)
        for number in 1...10_000 { Self.observe(Self.conflict(UInt64(number)), &screen) }
        #expect(screen.shown.lossCount == 10_000)
        #expect(screen.listed.count == LiveLog.lossLimit)
        #expect(screen.listed.first?.number == 10_000)
    }

    @Test func longLinesAreForgottenSooner() {
        var items = RecentItems<Int>(limit: 1000, byteLimit: 100)
        for item in 0..<50 { items.append(item, bytes: 30) }
        #expect(Array(items.items) == [47, 48, 49])
        #expect(items.hasForgotten)
    }

    @Test func aFailedSyncIsToldByDevice() {
        var screen = Self.screen()
        let activity = SyncActivity(
            phase: .import, state: .failed, writes: 0, bytes: 0, duration: .zero, error: "quota\u{1b}[2J exceeded")
        let event = AuditEvent(at: 1_768_485_600_000, .sync(activity))
        screen.observe(AuditLine(sequence: 1, source: "pad\u{1b}c", event: event), bytes: 100)
        let text = Self.text(screen, 120)
        #expect(text.contains("import failed 14:00:00: quota"))
        #expect(text.contains("never succeeded"))
        #expect(!text.contains("\u{1b}"))
    }

    @Test func binsGrowUntilTheWholeTimeFits() {
        var minutes = LiveMinutes(coversAll: true)
        for day in 0..<30 { minutes.add(at: Int64(day) * 86_400_000, isLoss: true) }
        let (counts, _, _) = minutes.last(240)
        #expect(counts.reduce(0) { $0 + $1.losses } == 30)
        #expect(counts.count <= 240)
        #expect(minutes.width > 1)
        minutes.add(at: .max, isLoss: false)
        minutes.add(at: .min, isLoss: false)
        #expect(minutes.last(240).counts.count <= 240)
    }

    private static func conflict(_ number: UInt64) -> Conflict {
        let model = Summary.sampleConflicts[1]
        return Conflict(
            id: ConflictID(rawValue: number), kind: model.kind, severity: model.severity, basis: model.basis, key: model.key,
            field: model.field, winner: model.winner, loser: model.loser, gap: model.gap, withinWindow: true, window: model.window,
            policy: model.policy, resolution: model.resolution, reason: model.reason, clockSuspect: false)
    }
}
