import SyncLayer
import SyncLayerTesting
import SyncMonitoring
import Testing

/// The examples in the documentation of the public types of SyncLayerTesting.
@Suite struct LayerTestingExamples {
    @Test(arguments: ReplicaStoreConformance.checks)
    func theStoreConforms(check: ConformanceCheck<any ReplicaStore>) async throws { try await check.run(InMemoryStore()) }

    @Test func conformanceFailureExample() async throws {
        let check = try #require(ReplicaStoreConformance.checks.first)
        do {
            try await check.run(InMemoryStore())
        } catch let failure as ConformanceFailure {
            print(failure)
        }
    }

    @Test func hubConformanceExample() async throws {
        for check in HubConformance.checks { try await check.run(InMemoryHub()) }
    }

    @Test func replicaStoreConformanceExample() async throws {
        for check in ReplicaStoreConformance.checks { try await check.run(InMemoryStore()) }
    }

    @MainActor
    @Test func manualAccountExample() async {
        let account = ManualAccount(.available)
        let monitor = AccountMonitor(provider: account)
        account.set(.noAccount)
        await monitor.check()
        #expect(monitor.status == .noAccount)
    }

    @Test func manualClockExample() {
        var configuration = ReplicaConfiguration()
        let clock = ManualClock()
        configuration.wallClock = clock.wallClock
        clock.advance(by: .seconds(60))
        #expect(configuration.wallClock() == clock.now)
    }

    @Test func manualNetworkExample() throws {
        let network = ManualNetwork(.connected(.wifi))
        let monitor = NetworkMonitor(provider: network)
        network.switchTo(.disconnected)
        try monitor.start()
        #expect(!monitor.isConnected)
    }

    @Test func manualSleepExample() {
        var configuration = SyncConfiguration()
        let sleep = ManualSleep()
        configuration.sleep = sleep.sleep
        sleep.wake()
        #expect(sleep.sleeping.isEmpty)
    }

    @Test func manualSyncStatusExample() {
        let status = ManualSyncStatus(isSyncing: true)
        status.isSyncing = false
        #expect(!status.isSyncing)
    }
}
