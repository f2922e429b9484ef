import ConflictAudit
import SyncLayerTesting
import SyncModel
import SyncMonitoring
import Testing

@MainActor
@Suite(.timeLimit(.minutes(10)))
struct ForegroundRefreshTests {
    /// An app with one text that others may change and the user may be editing.
    @MainActor
    private final class App {
        let monitor = SyncMonitor()
        let stored = Shared("old")
        let reads = Shared(0)
        var shown = "old"
        var hasUnsavedEdits = false
        var reports: [RefreshReport] = []
        /// What happens between reading and showing, on the main actor.
        var whileReading: (@MainActor () async throws -> Void)?

        func refresh(_ pulse: RefreshPulse = RefreshPulse()) -> ForegroundRefresh<String> {
            ForegroundRefresh(
                monitor: monitor, pulse: pulse, hasUnsavedEdits: { self.hasUnsavedEdits },
                read: { [stored, reads] in
                    reads.value += 1
                    let text = stored.value
                    try await self.whileReading?()
                    return text
                },
                show: { self.shown = $0 }, report: { self.reports.append($0) })
        }

        func receive(_ text: String) {
            stored.value = text
            monitor.record(.merged(version: monitor.refreshVersion + 1))
        }
    }

    private struct Broken: Error {}

    private let app = App()
    private let sleep = ManualSleep()
    private let clock = ManualClock()

    /// In the foreground, with a pulse that has beaten once and sleeps.
    private func awake(sync: (@Sendable () async throws -> Void)? = nil) async -> ForegroundRefresh<String> {
        let refresh = app.refresh(RefreshPulse(interval: .seconds(5), sync: sync, sleep: sleep.sleep, now: uptime))
        refresh.enterForeground()
        await sleep.somebodySleeps()
        return refresh
    }

    private var uptime: @Sendable () -> Duration { { [clock] in .milliseconds(clock.now.millisecondsSince1970) } }

    private func beat() async {
        sleep.wake()
        await sleep.somebodySleeps()
    }

    @Test func withoutARemoteChangeNothingIsRead() async {
        let refresh = await awake()
        await beat()
        #expect(app.reads.value == 0)
        #expect(refresh.reloads == 0)
        #expect(await refresh.refreshIfNeeded() == .nothing)
        #expect(sleep.sleeping == [.seconds(5)])
        refresh.enterBackground()
    }

    @Test func aRemoteChangeIsShownAtTheNextBeatAndOnce() async {
        let refresh = await awake()
        app.receive("new")
        await beat()
        #expect(app.shown == "new")
        #expect(refresh.shownVersion == 1)
        await beat()
        #expect(app.reads.value == 1)
        #expect(refresh.reloads == 1)
        refresh.enterBackground()
    }

    @Test func whatWasMergedBeforeTheFirstReadIsNotNews() async {
        app.receive("new")
        let refresh = await awake()
        #expect(app.reads.value == 0)
        refresh.enterBackground()
    }

    @Test func unsavedEditsDeferTheRefreshUntilTheyAreSaved() async {
        let refresh = await awake()
        app.hasUnsavedEdits = true
        app.receive("new")
        await beat()
        #expect(app.reads.value == 0)
        #expect(app.shown == "old")
        app.hasUnsavedEdits = false
        #expect(await refresh.refreshIfNeeded() == .refresh)
        #expect(app.shown == "new")
        refresh.enterBackground()
    }

    @Test func editsBegunWhileReadingAreNotOverwritten() async {
        let refresh = await awake()
        app.receive("new")
        app.whileReading = { [app] in
            app.hasUnsavedEdits = true
            app.shown = "edited"
        }
        #expect(await refresh.refreshIfNeeded() == .deferred)
        #expect(app.reads.value == 1)
        #expect(app.shown == "edited")
        #expect(refresh.shownVersion == 0)
        app.whileReading = nil
        app.hasUnsavedEdits = false
        await beat()
        #expect(app.shown == "new")
        refresh.enterBackground()
    }

    @Test func aChangeThatArrivesWhileReadingIsReadNext() async {
        let refresh = await awake()
        app.receive("new")
        app.whileReading = { [app] in
            app.whileReading = nil
            app.receive("newer")
        }
        #expect(await refresh.refreshIfNeeded() == .refresh)
        #expect(app.shown == "new")
        #expect(await refresh.refreshIfNeeded() == .refresh)
        #expect(app.shown == "newer")
        #expect(await refresh.refreshIfNeeded() == .nothing)
        refresh.enterBackground()
    }

    @Test func anOvertakenReadingIsNotShown() async {
        let refresh = await awake()
        app.receive("new")
        app.whileReading = { [app] in
            app.whileReading = nil
            app.receive("newer")
            #expect(await refresh.refreshIfNeeded() == .refresh)
        }
        #expect(await refresh.refreshIfNeeded() == .nothing)
        #expect(app.shown == "newer")
        #expect(refresh.reloads == 1)
        refresh.enterBackground()
    }

    @Test func inTheBackgroundThePulsePausesAndOnReturnShowsTheChange() async {
        let syncs = Shared(0)
        let refresh = await awake { syncs.value += 1 }
        #expect(syncs.value == 1)
        refresh.enterBackground()
        #expect(!refresh.isInForeground)
        #expect(sleep.sleeping.isEmpty)
        app.receive("new")
        #expect(await refresh.refreshIfNeeded() == .deferred)
        #expect(app.reads.value == 0)
        refresh.enterForeground()
        await sleep.somebodySleeps()
        #expect(app.shown == "new")
        #expect(syncs.value == 2)
        refresh.enterBackground()
    }

    @Test func whatIsReadWhenTheAppLeavesTheForegroundIsNotShown() async {
        let refresh = await awake()
        app.receive("new")
        app.whileReading = { refresh.enterBackground() }
        #expect(await refresh.refreshIfNeeded() == .deferred)
        #expect(app.shown == "old")
    }

    @Test func comingToTheForegroundTwiceMakesOnePulse() async {
        let refresh = await awake()
        refresh.enterForeground()
        await beat()
        #expect(sleep.sleeping == [.seconds(5)])
        refresh.enterBackground()
    }

    @Test func thePulseSyncsFirstAndShowsWhatThatBrought() async {
        let app = app
        let refresh = await awake { await app.receive("fetched") }
        #expect(app.shown == "fetched")
        refresh.enterBackground()
    }

    @Test func aFailedSyncDoesNotStopThePulse() async {
        let app = app
        let refresh = await awake {
            await app.receive("half")
            throw Broken()
        }
        #expect(app.shown == "half")
        await beat()
        #expect(refresh.reloads == 2)
        refresh.enterBackground()
    }

    @Test func aFailedReadingIsKeptAndTriedAgain() async {
        let refresh = await awake()
        app.receive("new")
        app.whileReading = { throw Broken() }
        await beat()
        #expect(refresh.lastError is Broken)
        #expect(app.shown == "old")
        app.whileReading = nil
        await beat()
        #expect(refresh.lastError == nil)
        #expect(app.shown == "new")
        refresh.enterBackground()
    }

    @Test func thePulseEndsWithItsOwner() async {
        /// Tells when nobody holds it any more.
        final class Canary: Sendable {
            let gone: AsyncStream<Void>.Continuation
            init(_ gone: AsyncStream<Void>.Continuation) { self.gone = gone }
            deinit { gone.finish() }
        }
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let beats = Shared(0)
        do {
            let canary = Canary(continuation)
            let refresh = await awake {
                withExtendedLifetime(canary) {}
                beats.value += 1
            }
            #expect(refresh.isInForeground)
        }
        sleep.wake()
        for await _ in stream {}
        #expect(beats.value == 1)
    }

    @Test func beatsThatWereDueAndDidNotComeAreCountedOnce() async {
        let refresh = await awake()
        for seconds in [5, 9, 10, 27] {
            clock.advance(by: .seconds(seconds))
            await beat()
        }
        clock.advance(by: .seconds(16))
        refresh.enterBackground()
        #expect(app.reports.map(\.missedPulses) == [0, 0, 0, 1, 4, 2])
        #expect(app.reports.map(\.trigger) == Array(repeating: .pulse, count: 5) + [.background])
        #expect(app.reports.allSatisfy { $0.pulseInterval == .seconds(5) && $0.isInForeground == ($0.trigger == .pulse) })
        // In the background no beat is due.
        clock.advance(by: .seconds(900))
        refresh.enterForeground()
        await sleep.somebodySleeps()
        #expect(app.reports.last?.missedPulses == 0)
        refresh.enterBackground()
    }

    @Test func aSyncThatHangsIsMissedPulsesAtTheNextBeat() async {
        let clock = clock
        let refresh = await awake { clock.advance(by: .seconds(60)) }
        #expect(app.reports.map(\.missedPulses) == [11])
        refresh.enterBackground()
    }

    @Test func leavingTheForegroundTellsWhatIsNotShown() async {
        let refresh = await awake()
        refresh.enterBackground()
        refresh.enterBackground()
        #expect(app.reports.map(\.isBehind) == [false, false])
        refresh.enterForeground()
        await sleep.somebodySleeps()
        app.receive("new")
        refresh.enterBackground()
        #expect(app.reports.last?.trigger == .background && app.reports.last?.isBehind == true)
        #expect(app.reports.last?.decision == .deferred)
        #expect(await refresh.refreshIfNeeded() == .deferred)
        #expect(app.reports.last?.trigger == .request && app.reports.last?.isInForeground == false)
    }

    @Test func aBeatThatEndsInTheBackgroundIsNotToldTwice() async {
        app.receive("new")
        let refresh = app.refresh(RefreshPulse(interval: .seconds(5), sleep: sleep.sleep, now: uptime))
        app.receive("newer")
        let left = Shared(false)
        app.whileReading = {
            refresh.enterBackground()
            left.value = true
        }
        refresh.enterForeground()
        while !left.value { await Task.yield() }
        for _ in 0..<100 { await Task.yield() }
        #expect(app.reports.map(\.trigger) == [.background])
    }

    @Test func observersAreToldOfAReload() async {
        let refresh = await awake()
        app.receive("new")
        let sleep = sleep
        await change(of: { _ = refresh.reloads }, when: { sleep.wake() })
        refresh.enterBackground()
    }
}
