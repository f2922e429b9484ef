import AuditAnalysis
import AuditLog
import AuditReport
import AuditSamples
import ConflictAudit
import SyncModel
import Testing

@testable import AuditLive

/// The live screen without a terminal: lines and keys go in, lines of the screen come out.
@Suite struct LiveScreenTests {
    @Test(arguments: [(80, 24), (60, 20), (200, 50), (40, 10), (20, 5), (1, 1), (1, 50)]) func everyRowFits(columns: Int, rows: Int) {
        var screen = LiveFixture.screen()
        let keys: [LiveScreen.Key] = [.backTab, .character("?"), .escape, .tab, .enter, .character("l"), .escape, .character("v"), .escape]
        for key in keys + [.character("r")] {
            let lines = screen.render(LiveScreen.Size(columns: columns, rows: rows), LiveFixture.plain)
            #expect(lines.count == rows)
            // A conflict and a story are drawn for 40 columns at least.
            if screen.pages.isEmpty || columns > 40 { #expect(lines.allSatisfy { TerminalText.width($0) < max(columns, 2) }) }
            _ = screen.press(key)
        }
    }

    @Test func provenAndSuspectedLossesAreToldApart() {
        let text = LiveFixture.text(LiveFixture.screen())
        #expect(text.contains("3 edits lost, 1 more perhaps, in 7 conflicts"))
        #expect(text.contains("by losing device"))
    }

    @Test func aConflictOfSeveralDevicesCountsOnce() {
        var screen = LiveFixture.screen()
        for conflict in Summary.sampleConflicts { LiveFixture.observe(conflict, &screen) }
        #expect(LiveFixture.text(screen).contains("in 7 conflicts"))
    }

    @Test func arrowsMoveAndEnterShowsTheConflict() {
        var screen = LiveFixture.screen()
        let losses = screen.listed
        #expect(screen.selection(in: losses) == 0)
        _ = screen.press(.down)
        #expect(screen.selection(in: losses) == 1)
        _ = screen.press(.enter)
        #expect(screen.opened?.conflict.id == losses[1].conflict.id)
        #expect(LiveFixture.text(screen).contains("\(losses[1].conflict.id)"))
        #expect(screen.press(.character("q")) == .none)
        #expect(screen.press(.character("q")) == .quit)
    }

    @Test func theSelectionStaysWhenLossesCome() {
        var screen = LiveFixture.screen()
        _ = screen.press(.down)
        let chosen = screen.listed[1].number
        for number in 0..<5 { LiveFixture.observe(LiveFixture.conflict(UInt64(number) + 1), &screen) }
        #expect(screen.listed[screen.selection(in: screen.listed)].number == chosen)
    }

    @Test func aFrozenScreenStaysWhileCountingGoesOn() {
        var screen = LiveFixture.screen()
        _ = screen.press(.character("f"))
        LiveFixture.observe(LiveFixture.conflict(1), &screen)
        #expect(LiveFixture.text(screen).contains("in 7 conflicts"))
        #expect(LiveFixture.text(screen).contains("frozen; 1 event since"))
        _ = screen.press(.character("f"))
        #expect(LiveFixture.text(screen).contains("in 8 conflicts"))
    }

    @Test func manyLossesAreCountedAndTheLastKept() {
        var screen = LiveScreen(title: "t", source: "-", isLive: true)
        for number in 1...10_000 { LiveFixture.observe(LiveFixture.conflict(UInt64(number)), &screen) }
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
        var screen = LiveFixture.screen()
        let activity = SyncActivity(
            phase: .import, state: .failed, writes: 0, bytes: 0, duration: .zero, error: "quota\u{1b}[2J exceeded")
        let event = AuditEvent(at: 1_768_485_600_000, .sync(activity))
        screen.observe(AuditLine(sequence: 1, source: "pad\u{1b}c", event: event), bytes: 100)
        let text = LiveFixture.text(screen, 200)
        #expect(text.contains("import failed 01-15 14:00: quota"))
        #expect(text.contains("silent, failing, out of space: never synced"))
        #expect(!text.contains("\u{1b}"))
    }

    @Test func whatAnExportHasSentWaitsNoLonger() {
        var screen = LiveFixture.screen()
        func observe(_ content: AuditEvent.Content, at milliseconds: Int64) {
            screen.observe(AuditLine(sequence: 1, source: "pad", event: AuditEvent(at: milliseconds, content)), bytes: 100)
        }
        observe(.outbox(OutboxStatus(writes: 35, bytes: 4096, setAside: 2)), at: 1_768_485_600_000)
        #expect(LiveFixture.text(screen, 200).contains("35 to send, 2 refused"))
        observe(
            .sync(SyncActivity(phase: .export, state: .succeeded, writes: 35, bytes: 4096, duration: .zero)), at: 1_768_485_601_000)
        #expect(LiveFixture.text(screen, 200).contains("export succeeded 01-15 14:00, all sent, 2 refused"))
    }

    @Test func barsGrowUntilTheWholeTimeFits() {
        var minutes = LiveMinutes(coversAll: true)
        for day in 0..<30 { minutes.add(at: Int64(day) * 86_400_000, isLoss: true, now: .max) }
        let chart = minutes.chart(60)
        #expect(chart.counts.reduce(0) { $0 + $1.losses } == 30)
        #expect(chart.counts.count <= 60 && chart.width > 1 && chart.ahead == 0)
        minutes.add(at: .max, isLoss: false, now: .max)
        minutes.add(at: .min, isLoss: false, now: .max)
        #expect(minutes.chart(240).counts.count <= 240)
        for minute in 0..<10_000 { minutes.add(at: Int64(minute) * 60_000, isLoss: true, now: .max) }
        let whole = minutes.chart(240)
        #expect(whole.counts.reduce(whole.ahead) { $0 + $1.conflicts } == 10_032 && whole.ahead == 1)
    }

    @Test(arguments: [true, false]) func aConflictDatedAheadMovesNoBar(isLive: Bool) {
        let (start, year) = (Int64(1_768_485_600_000), Int64(31_536_000_000))
        var minutes = LiveMinutes(coversAll: !isLive)
        // The clock of this computer tells while the logs grow; of a log of long ago the other conflicts do.
        let now = isLive ? start + 3_600_000 : start + 4 * year
        if !isLive { minutes.add(at: start + year, isLoss: true, now: now) }
        for minute in Int64(0)..<60 { minutes.add(at: start + minute * 60_000, isLoss: true, now: now) }
        if isLive { minutes.add(at: start + year, isLoss: true, now: now) }
        let chart = minutes.chart(60)
        #expect(chart.ahead == 1 && chart.width == 1 && chart.end == start + 3_600_000)
        #expect(chart.counts.map(\.losses) == Array(repeating: 1, count: 60))
        var screen = LiveScreen(title: "", source: "", isLive: isLive)
        screen.now = now
        for number in 0..<30 { LiveFixture.observe(LiveFixture.conflict(UInt64(number), at: start + Int64(number) * 60_000), &screen) }
        LiveFixture.observe(LiveFixture.conflict(99, at: start + year), &screen)
        #expect(LiveFixture.text(screen).contains("UTC; 1 dated ahead"))
        if isLive { #expect(screen.listed.first?.time == start + 29 * 60_000) }
    }

    @Test func theLatestLossesAreInTheOrderOfTheirTimes() {
        var screen = LiveScreen(title: "", source: "", isLive: false)
        for number in [5, 1, 9, 3] { LiveFixture.observe(LiveFixture.conflict(UInt64(number), at: Int64(number) * 1000), &screen) }
        #expect(screen.listed.map(\.conflict.id.rawValue) == [9, 5, 3, 1])
        _ = screen.press(.down)
        LiveFixture.observe(LiveFixture.conflict(7, at: 7000), &screen)
        #expect(screen.listed[screen.selection(in: screen.listed)].conflict.id.rawValue == 5)
        // The latest are kept, whenever they were read.
        for number in 0..<UInt64(5 * LiveLog.lossLimit) { LiveFixture.observe(LiveFixture.conflict(100 + number, at: 100), &screen) }
        #expect(screen.listed.count == LiveLog.lossLimit && screen.listed.prefix(5).map(\.conflict.id.rawValue) == [9, 7, 5, 3, 1])
    }

    @Test func theEndOfAConflictIsTheLastScreen() {
        var screen = LiveFixture.screen()
        _ = screen.press(.enter)
        _ = screen.press(.end)
        let end = screen.render(LiveScreen.Size(columns: 80, rows: 12), LiveFixture.plain)
        #expect(screen.firstLine > 0 && end.dropLast(2).last != nil)
        let last = screen.firstLine
        _ = screen.press(.down)
        #expect(screen.render(LiveScreen.Size(columns: 80, rows: 12), LiveFixture.plain) == end && screen.firstLine == last)
        _ = screen.press(.up)
        #expect(screen.firstLine == last - 1)
    }

    @Test func suspectedLossesAloneAreBrokenDown() throws {
        var screen = LiveScreen(title: "t", source: "-", isLive: false)
        let suspected = try #require(Summary.sampleConflicts.first { !$0.isProven && $0.severity.isLoss })
        LiveFixture.observe(suspected, &screen)
        for (columns, title) in [(80, "Perhaps lost by type "), (60, "Perhaps by type "), (45, "By type ")] {
            let lines = LiveFixture.text(screen, columns).split(separator: "\n")
            let heading = try #require(lines.firstIndex { $0.hasPrefix(title) })
            let row = lines[heading + 1].split(separator: " ", omittingEmptySubsequences: true)
            #expect(row.first == "\(suspected.key.type)" && row.count == 6 && [1, 3, 5].allSatisfy { row[$0] == "1?" }, "\(row)")
        }
    }

    @Test func timesOfSeveralDaysCarryTheirDates() {
        let (start, day) = (Int64(1_768_485_600_000), Int64(86_400_000))
        var screen = LiveScreen(title: "", source: "", isLive: true)
        func sync(_ device: DeviceID, at milliseconds: Int64) {
            let activity = SyncActivity(phase: .export, state: .succeeded, writes: 1, bytes: 1, duration: .zero)
            screen.observe(
                AuditLine(sequence: 1, source: device, event: AuditEvent(at: milliseconds, .sync(activity))), bytes: 100)
        }
        sync("pad", at: start)
        LiveFixture.observe(LiveFixture.conflict(1, at: start), &screen)
        #expect(LiveFixture.text(screen).contains("export succeeded 14:00:00") && LiveFixture.text(screen).contains("> 14:00:00 "))
        #expect(LiveFixture.text(screen).contains("by minute, 13:01 to 14:01 UTC"))
        sync("phone", at: start + day)
        let two = LiveFixture.text(screen)
        #expect(two.contains("export succeeded 01-15 14:00") && two.contains("export succeeded 01-16 14:00"))
        #expect(two.contains("> 01-15 14:00 ") && two.contains("01-15 14:01 UTC"))
        sync("phone", at: start + 365 * day)
        // The other device has been silent for a year by then.
        let years = LiveFixture.text(screen)
        #expect(years.contains("export succeeded 2027-01-15 14:00") && years.contains("> 2026-01-15 14:00 "))
        #expect(LiveFixture.text(screen).contains("pad            silent: no sync for 1 y, since 2026-01-15 14:00 UTC"))
    }

    @Test func aChartTellsWhatComesBeforeIt() {
        let minute = Int64(60_000)
        var screen = LiveScreen(title: "", source: "", isLive: true)
        for number in Int64(0)..<5_000 { LiveFixture.observe(LiveFixture.conflict(UInt64(number), at: number * minute), &screen) }
        let axis = LiveFixture.text(screen).split(separator: "\n").first { $0.contains("by minute") }
        // Sixty bars of what was counted, although not all minutes are kept.
        #expect(axis?.hasSuffix("by minute, 10:20 to 11:20 UTC; 4,940 before") == true, "\(axis ?? "")")
        screen = LiveScreen(title: "", source: "", isLive: false)
        for number in Int64(0)..<5_000 { LiveFixture.observe(LiveFixture.conflict(UInt64(number), at: number * minute), &screen) }
        #expect(!LiveFixture.text(screen).contains(" before"))
    }

    @Test func anEmptyScreenSaysWhatItWaitsFor() {
        let screen = LiveScreen(title: "t", source: "-", isLive: true, awaited: "events in a\u{1b}[2J")
        let text = LiveFixture.text(screen)
        #expect(text.contains("Nothing logged yet; waiting for events in a") && !text.contains("\u{1b}"))
    }

    @Test func theFirstLineNotUnderstoodIsTold() {
        var screen = LiveFixture.screen()
        var names = NameSearch([])
        for (number, text) in ["id,name,device,time", "1,Ann,pad,2026-01-01"].enumerated() {
            screen.observe(InputLine(file: "a.csv", number: number + 1, bytes: Array(text.utf8), isFirst: number == 0), &names)
        }
        let text = LiveFixture.text(screen).replacing("\n", with: " ")
        #expect(text.contains("2 lines could not be understood, the first at a.csv:1: this is CSV, not JSON Lines:"))
        #expect(text.contains("'syncaudit audit --csv FILE' audits its rows"))
    }

    @Test(arguments: [20, 40, 60, 80]) func whatAMessageAdvisesIsNotCut(columns: Int) {
        var screen = LiveFixture.screen()
        let id = screen.listed[0].conflict.id
        screen.tell("do this: syncaudit restore --force \(id) logs/")
        let lines = screen.render(LiveScreen.Size(columns: columns, rows: 24), LiveFixture.plain)
        #expect(lines.count == 24 && lines.allSatisfy { TerminalText.width($0) < columns })
        let letters = lines.joined().filter { $0 != " " }
        #expect(letters.contains("dothis:syncauditrestore--force\(id)logs/"))
    }

    @Test func forgottenLinesAreTold() {
        var screen = LiveFixture.screen()
        _ = screen.press(.enter)
        #expect(!LiveFixture.text(screen, 80, 90).contains("forgotten"))
        let write = TaggedWrite(
            dot: Dot(device: "a", sequence: 1), timestamp: HybridTimestamp(milliseconds: 1), key: RecordKey(type: "Note", id: "1"),
            operation: .delete, seen: nil)
        for _ in 0..<3 { screen.observe(AuditLine(sequence: nil, source: "a", event: AuditEvent(at: 1, .write(write))), bytes: 20 << 20) }
        #expect(LiveFixture.text(screen, 80, 90).contains("The first lines were forgotten; to read all: syncaudit show"))
    }

    @Test func noRowOfATallScreenIsLeftEmptyForPanels() {
        var screen = LiveFixture.screen()
        for number in 0..<100 { LiveFixture.observe(LiveFixture.conflict(UInt64(number)), &screen) }
        let lines = screen.render(LiveScreen.Size(columns: 200, rows: 50), LiveFixture.plain)
        let empty = lines.dropLast(2).indices.filter { row in lines[row].allSatisfy { $0 == " " } }
        #expect(empty.isEmpty, "\(lines[4])")
    }
}
