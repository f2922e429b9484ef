import ConflictAudit
import ConflictAuditTesting
import SyncLayerTesting
import SyncModel
import SyncMonitoring
import Testing

@MainActor
@Suite(.timeLimit(.minutes(10)))
struct AccountMonitorTests {
    private let account = ManualAccount()
    private let sink = CollectingAuditSink()
    private let sync = SyncMonitor()
    private let clock = ManualClock(WallTime(millisecondsSince1970: 42))

    private struct Broken: Error, CustomStringConvertible {
        let description = "the cable is out"
    }

    private func monitor(_ provider: some AccountStatusProvider) -> AccountMonitor {
        AccountMonitor(provider: provider, sink: BroadcastingAuditSink([sink, sync]), wallClock: clock.wallClock)
    }

    @Test(arguments: [
        (AccountStatus.available, SyncState.idle), (.noAccount, .noAccount), (.restricted, .noAccount), (.couldNotDetermine, .idle),
        (.temporarilyUnavailable, .idle),
    ])
    func everyStatusIsReportedAndShown(status: AccountStatus, overall: SyncState) async {
        let monitor = monitor(account)
        #expect(monitor.status == nil)
        account.set(status)
        await monitor.check()
        #expect(monitor.status == status)
        #expect(sink.events == [AuditEvent(at: 42, .account(status: status.rawValue))])
        #expect(sync.overallState == overall)
    }

    @Test func onlyChangesAreReported() async {
        let monitor = monitor(account)
        for status in [AccountStatus.available, .available, .noAccount, .noAccount, .available] {
            account.set(status)
            await monitor.check()
        }
        #expect(sink.events.map(\.content) == ["available", "noAccount", "available"].map { .account(status: $0) })
    }

    @Test func aFailedLookUpIsAFailedImportWithTheReason() async {
        let monitor = monitor(account)
        account.fail(Broken())
        await monitor.check()
        #expect(monitor.status == .couldNotDetermine)
        let message = "the account's status could not be looked up: the cable is out"
        #expect(sync.importState == .failed(message))
        #expect(sync.exportState == .idle)
        #expect(
            sink.events == [
                AuditEvent(at: 42, .account(status: "couldNotDetermine")),
                .sync(.import, .failed, at: 42, error: message),
            ])
    }

    @Test func aCancelledLookUpSaysNothing() async {
        let monitor = monitor(account)
        account.fail(CancellationError())
        await monitor.check()
        #expect(monitor.status == nil)
        #expect(sink.events.isEmpty)
    }

    @Test func runningFollowsTheProviderUntilCancelled() async {
        let monitor = monitor(account)
        var task: Task<Void, Never>?
        await change(of: { _ = monitor.status }, when: { task = Task { await monitor.run() } })
        await change(of: { _ = monitor.status }, when: { account.set(.noAccount) })
        #expect(monitor.status == .noAccount)
        task?.cancel()
        await task?.value
        #expect(sink.events.map(\.content) == [.account(status: "available"), .account(status: "noAccount")])
    }

    /// Answers the first question only after the second, and with something else.
    private final class Slow: AccountStatusProvider {
        private let questions = Shared(0)
        let firstMayAnswer = AsyncStream.makeStream(of: Void.self)
        let firstWasAsked = AsyncStream.makeStream(of: Void.self)

        func accountStatus() async throws -> AccountStatus {
            questions.value += 1
            guard questions.value == 1 else { return .available }
            firstWasAsked.continuation.finish()
            for await _ in firstMayAnswer.stream {}
            return .noAccount
        }
    }

    @Test func anAnswerOvertakenByALaterOneIsDropped() async {
        let slow = Slow()
        let monitor = monitor(slow)
        let first = Task { await monitor.check() }
        for await _ in slow.firstWasAsked.stream {}
        await monitor.check()
        slow.firstMayAnswer.continuation.finish()
        await first.value
        #expect(monitor.status == .available)
        #expect(sink.events.map(\.content) == [.account(status: "available")])
    }

    @Test func aProviderWithoutNewsIsAskedOnce() async {
        // `run` returns, for the default stream of changes ends at once.
        struct Fixed: AccountStatusProvider {
            func accountStatus() async throws -> AccountStatus { .restricted }
        }
        let monitor = monitor(Fixed())
        await monitor.run()
        #expect(monitor.status == .restricted)
    }
}
