import ConflictAudit
import Observation
import SyncLayerTesting
import SyncModel
import SyncMonitoring
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SyncMonitorTests {
    private let clock = ManualClock(WallTime(millisecondsSince1970: 1_000_000))
    private let monitor: SyncMonitor

    init() {
        monitor = SyncMonitor(wallClock: clock.wallClock)
    }

    @Test func aNewMonitorHasSeenNothing() {
        #expect(monitor.setupState == .idle)
        #expect(monitor.importState == .idle)
        #expect(monitor.exportState == .idle)
        #expect(monitor.overallState == .idle)
        #expect(!monitor.isSyncing)
        #expect(monitor.lastSuccessfulSync == nil)
        #expect(monitor.lastSyncedText == nil)
        #expect(monitor.refreshVersion == 0)
        #expect(!monitor.hasReceivedRemoteChange(since: WallTime(millisecondsSince1970: .min)))
        #expect(!monitor.hasReceivedRemoteChange(sinceVersion: 0))
    }

    @Test func aWholeSyncGoesThroughEveryState() {
        let steps: [(AuditEvent, setup: SyncState, import: SyncState, export: SyncState, overall: SyncState)] = [
            (.sync(.setup, .started), .syncing, .idle, .idle, .syncing),
            (.sync(.setup, .succeeded), .succeeded, .idle, .idle, .idle),
            (.sync(.import, .started), .succeeded, .syncing, .idle, .syncing),
            (.sync(.import, .succeeded), .succeeded, .succeeded, .idle, .idle),
            (.sync(.export, .started), .succeeded, .succeeded, .syncing, .syncing),
            (.sync(.export, .failed, error: "cut"), .succeeded, .succeeded, .failed("cut"), .failed("cut")),
            (.sync(.setup, .started), .syncing, .succeeded, .failed("cut"), .failed("cut")),
            (.sync(.export, .started), .syncing, .succeeded, .syncing, .syncing),
            (.sync(.export, .succeeded), .syncing, .succeeded, .succeeded, .syncing),
            (.sync(.setup, .succeeded), .succeeded, .succeeded, .succeeded, .succeeded),
        ]
        for (number, step) in steps.enumerated() {
            monitor.record(step.0)
            #expect(monitor.setupState == step.setup, "step \(number)")
            #expect(monitor.importState == step.import, "step \(number)")
            #expect(monitor.exportState == step.export, "step \(number)")
            #expect(monitor.overallState == step.overall, "step \(number)")
            #expect(monitor.isSyncing == [step.setup, step.import, step.export].contains(.syncing), "step \(number)")
        }
    }

    @Test func dataThatWentThroughIsASuccessAndASetupIsNot() {
        monitor.record(.sync(.setup, .succeeded, at: 1))
        #expect(monitor.lastSuccessfulSync == nil)
        monitor.record(.sync(.import, .started, at: 2))
        monitor.record(.sync(.import, .failed, at: 3, error: "cut"))
        #expect(monitor.lastSuccessfulSync == nil)
        monitor.record(.sync(.import, .succeeded, at: 4))
        #expect(monitor.lastSuccessfulSync == WallTime(millisecondsSince1970: 4))
        monitor.record(.sync(.export, .succeeded, at: 5))
        #expect(monitor.lastSuccessfulSync == WallTime(millisecondsSince1970: 5))
        monitor.record(.sync(.export, .failed, at: 6, error: "cut"))
        #expect(monitor.lastSuccessfulSync == WallTime(millisecondsSince1970: 5))
        #expect(monitor.lastSyncDate == WallTime(millisecondsSince1970: 5))
    }

    @Test func theTextFollowsTheInjectedClock() {
        monitor.record(.sync(.import, .succeeded, at: clock.now.millisecondsSince1970))
        #expect(monitor.lastSyncedText == "Last synced less than a minute ago")
        clock.advance(by: .seconds(5 * 60))
        #expect(monitor.lastSyncedText == "Last synced 5 minutes ago")
        clock.advance(by: .seconds(-10 * 60))
        #expect(monitor.lastSyncedText == "Last synced less than a minute ago")
    }

    @Test func theRefreshVersionRisesWithEveryBatch() {
        // The replica's count is taken over where it is ahead, and a repeated or late one still counts as a batch.
        let steps: [(replica: Int, monitor: Int)] = [(57, 57), (58, 58), (58, 59), (3, 60), (61, 61)]
        for step in steps {
            monitor.record(.merged(version: step.replica))
            #expect(monitor.refreshVersion == step.monitor)
        }
        #expect(monitor.hasReceivedRemoteChange(sinceVersion: 60))
        #expect(!monitor.hasReceivedRemoteChange(sinceVersion: 61))
    }

    @Test func aRemoteChangeCountsFromItsArrivalNotFromItsDate() {
        let readBefore = clock.now
        clock.advance(by: .milliseconds(10))
        monitor.record(.merged(version: 1, at: readBefore.millisecondsSince1970 - 5))
        #expect(monitor.hasReceivedRemoteChange(since: readBefore))
        #expect(monitor.hasReceivedRemoteChange(since: clock.now))
        #expect(!monitor.hasReceivedRemoteChange(since: clock.now + .milliseconds(1)))
    }

    @Test func accountEventsSetAndEndTheMissingAccount() {
        monitor.record(AuditEvent(at: 0, .account(status: AccountStatus.noAccount.rawValue)))
        #expect(monitor.overallState == .noAccount)
        monitor.record(AuditEvent(at: 0, .account(status: "something new")))
        #expect(monitor.overallState == .noAccount)
        monitor.record(AuditEvent(at: 0, .account(status: AccountStatus.available.rawValue)))
        #expect(monitor.overallState == .idle)
    }

    // MARK: Several stores

    private func record(_ phase: SyncActivity.Phase, _ state: SyncActivity.State, of store: DeviceID?, error: String? = nil) {
        monitor.record(
            AuditEvent(
                at: 0,
                .sync(SyncActivity(phase: phase, state: state, writes: 0, bytes: 0, duration: .zero, error: error, device: store))))
    }

    @Test func aPartHasSucceededWhereThatOfAllStoresHas() {
        for store in [nil, "phone~00000002" as DeviceID?] {
            record(.import, .succeeded, of: store)
            record(.export, .started, of: store)
        }
        #expect(monitor.overallState == .syncing)
        record(.export, .succeeded, of: nil)
        #expect(monitor.overallState == .syncing && monitor.exportState == .syncing && monitor.importState == .succeeded)
        record(.export, .succeeded, of: "phone~00000002")
        #expect(monitor.overallState == .succeeded)
    }

    @Test func theSuccessOfOneStoreHidesNoFailureOfAnother() {
        record(.export, .failed, of: "phone~00000002", error: "full")
        record(.export, .started, of: nil)
        #expect(monitor.exportState == .failed("full") && monitor.isSyncing)
        record(.export, .succeeded, of: nil)
        #expect(monitor.overallState == .failed("full") && !monitor.isSyncing)
        // Of two failures that of the first store is shown.
        record(.export, .failed, of: nil, error: "cut")
        #expect(monitor.overallState == .failed("cut"))
    }

    @Test func withoutAnAccountNoStoreSyncs() {
        record(.import, .succeeded, of: nil)
        monitor.record(AuditEvent(at: 0, .account(status: AccountStatus.noAccount.rawValue)))
        record(.setup, .started, of: "phone~00000002")
        #expect(monitor.importState == .noAccount && monitor.exportState == .noAccount)
        monitor.record(AuditEvent(at: 0, .account(status: AccountStatus.available.rawValue)))
        #expect(monitor.exportState == .idle)
    }

    @Test func aStoreThatIsForgottenShowsNoFailure() {
        record(.export, .failed, of: "phone~00000002", error: "full")
        record(.export, .started, of: nil)
        monitor.forget("phone~00000002")
        #expect(monitor.overallState == .syncing)
        monitor.forget(nil)
        #expect(monitor.overallState == .idle && !monitor.isSyncing)
        monitor.record(AuditEvent(at: 0, .account(status: AccountStatus.noAccount.rawValue)))
        monitor.forget(nil)
        #expect(monitor.overallState == .noAccount)
    }

    /// One store alone, which is not the device's first, succeeds by itself.
    @Test func aStoreThatIsNotHeardOfIsNotWaitedFor() {
        for phase in [SyncActivity.Phase.import, .export] { record(phase, .succeeded, of: "phone~00000002") }
        #expect(monitor.overallState == .succeeded)
    }

    @Test func otherEventsArePassedOver() {
        monitor.record(AuditEvent(at: 0, .network(status: "disconnected", interface: nil)))
        monitor.record(AuditEvent(at: 0, .log(.opened)))
        #expect(monitor.overallState == .idle)
        #expect(monitor.refreshVersion == 0)
    }

    // MARK: Observation

    @Test @MainActor func observersOfEveryPropertyAreTold() async {
        let monitor = monitor
        await change(of: { _ = monitor.setupState }, when: { monitor.record(.sync(.setup, .started)) })
        await change(of: { _ = monitor.importState }, when: { monitor.record(.sync(.import, .started)) })
        await change(of: { _ = monitor.exportState }, when: { monitor.record(.sync(.export, .started)) })
        await change(of: { _ = monitor.overallState }, when: { monitor.record(.sync(.import, .failed, error: "cut")) })
        await change(of: { _ = monitor.isSyncing }, when: { monitor.record(.sync(.export, .failed, error: "cut")) })
        await change(of: { _ = monitor.lastSuccessfulSync }, when: { monitor.record(.sync(.export, .succeeded, at: 7)) })
        await change(of: { _ = monitor.lastSyncedText }, when: { monitor.record(.sync(.export, .succeeded, at: 8)) })
        await change(of: { _ = monitor.refreshVersion }, when: { monitor.record(.merged(version: 1)) })
        await change(
            of: { _ = monitor.hasReceivedRemoteChange(since: WallTime(millisecondsSince1970: 0)) },
            when: { monitor.record(.merged(version: 2)) })
    }

    @Test @MainActor func observersAreNotToldOfWhatTheyDidNotRead() async {
        let monitor = monitor
        let wasTold = Shared(false)
        withObservationTracking {
            _ = monitor.refreshVersion
        } onChange: {
            wasTold.value = true
        }
        await change(of: { _ = monitor.importState }, when: { monitor.record(.sync(.import, .started)) })
        #expect(!wasTold.value)
        await change(of: { _ = monitor.refreshVersion }, when: { monitor.record(.merged(version: 1)) })
        #expect(wasTold.value)
    }

    /// Observation registers an observer after it has read.
    ///
    /// A change in between is lost where it is announced at once.
    @Test @MainActor func aChangeBetweenReadingAndRegisteringIsNotMissed() async {
        let monitor = monitor
        var seen: SyncState?
        await change {
            seen = monitor.importState
            monitor.record(.sync(.import, .started))
        } when: {
        }
        #expect(seen == .idle)
        #expect(monitor.importState == .syncing)
    }

    @Test func eventsOfManyThreadsAllCount() async {
        let monitor = monitor
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<100 { monitor.record(.merged(version: 0)) } }
            }
        }
        #expect(monitor.refreshVersion == 800)
    }
}
