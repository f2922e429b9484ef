import ConflictAudit
import SyncLayerTesting
import SyncModel
import SyncMonitoring
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ManualDoublesTests {
    /// Code that only asks about syncing, as an app has it.
    private func hint(_ status: some SyncStatusProvider) -> String {
        if status.isSyncing { return "busy" }
        return status.lastSyncDate.map { "synced at \($0.millisecondsSince1970)" } ?? "never synced"
    }

    @Test func theManualStatusAndTheMonitorServeTheSameCode() {
        let manual = ManualSyncStatus()
        let monitor = SyncMonitor()
        #expect(hint(manual) == "never synced")
        #expect(hint(monitor) == "never synced")

        manual.isSyncing = true
        monitor.record(.sync(.import, .started, at: 4))
        #expect(hint(manual) == "busy")
        #expect(hint(monitor) == "busy")

        manual.isSyncing = false
        manual.lastSyncDate = WallTime(millisecondsSince1970: 5)
        monitor.record(.sync(.import, .succeeded, at: 5))
        #expect(hint(manual) == "synced at 5")
        #expect(hint(monitor) == "synced at 5")
    }

    @Test func sleepEndsWhenWokenOrCancelled() async throws {
        let sleep = ManualSleep()
        let woken = Task { try await sleep.sleep(.milliseconds(10)) }
        await sleep.somebodySleeps()
        #expect(sleep.sleeping == [.milliseconds(10)])
        sleep.wake()
        try await woken.value
        #expect(sleep.sleeping.isEmpty)

        let cancelled = Task { try await sleep.sleep(.milliseconds(20)) }
        await sleep.somebodySleeps()
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(sleep.sleeping.isEmpty)
    }

    @Test func sleepOfACancelledTaskEndsAtOnce() async {
        let sleep = ManualSleep()
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await sleep.sleep(.milliseconds(10))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(sleep.sleeping.isEmpty)
    }

    @Test func theManualNetworkReportsAtOnceAndUntilCancelled() throws {
        let network = ManualNetwork(.disconnected)
        let reports = Shared<[NetworkStatus]>([])
        let observation = try network.observe { reports.value.append($0) }
        network.switchTo(.connected(.wifi))
        observation.cancel()
        network.switchTo(.connected(.wired))
        #expect(reports.value == [.disconnected, .connected(.wifi)])
    }
}
