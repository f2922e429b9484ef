import ConflictAudit
import SyncLayer
import SyncLayerTesting
import SyncModel
import SyncMonitoring
import Testing

/// The same five rows for an app on this package's own replica: writes, the pulse, the network and the app's phase set off every sync.
@MainActor @Suite("Verification matrix, replica", .timeLimit(.minutes(1)))
struct LoopMatrixTests {
    private let hub: InterruptibleHub
    private let phone: LoopDevice
    private let tablet: LoopDevice

    init() throws {
        let clock = ManualClock()
        hub = InterruptibleHub(InMemoryHub(wallClock: clock.wallClock))
        phone = try LoopDevice("phone", hub, clock)
        tablet = try LoopDevice("tablet", hub, clock)
    }

    private func open() async throws {
        await phone.open()
        await tablet.open()
        // The first sync of each, which sets the replica up.
        try await until { phone.monitor.overallState == .succeeded && tablet.monitor.overallState == .succeeded }
    }

    /// What was written a while ago is sent, and the other's pulse beats until it is shown.
    private func arrives(_ condition: @MainActor () throws -> Bool) async throws {
        await phone.pass()
        try await until { try phone.unsent == 0 }
        while try !condition() { await tablet.beat() }
    }

    @Test("1. A single toggle appears while both apps are open")
    func singleToggle() async throws {
        try await open()
        try phone.put(["done": true], to: "1")
        try await arrives { tablet.shown["1"]?["done"] == true }
    }

    @Test("2. A rapid batch of toggles is sent at once and appears")
    func rapidBatch() async throws {
        try await open()
        for number in 1...50 { try phone.put(["done": true], to: RecordID("\(number)")) }
        try await arrives { tablet.shown.count == 50 }
        let exports = phone.log.events.count {
            if case .sync(let sync) = $0.content { sync.phase == .export && sync.state == .succeeded && sync.writes > 0 } else { false }
        }
        #expect(exports == 1)
    }

    @Test("3. A device in the background shows what it missed after it comes back")
    func background() async throws {
        try await open()
        await tablet.close()
        let calls = hub.calls
        tablet.network.switchTo(.disconnected)
        tablet.network.switchTo(.connected(.wifi))
        #expect(hub.calls == calls)
        try phone.put(["done": true], to: "1")
        await phone.pass()
        try await until { try phone.unsent == 0 }
        #expect(tablet.shown.isEmpty)
        await tablet.open()
        while tablet.shown.isEmpty { await tablet.beat() }
    }

    @Test("4. What was written in airplane mode syncs after the network is back, also where the hub fails first")
    func airplaneMode() async throws {
        try await open()
        phone.network.switchTo(.disconnected)
        try phone.put(["done": true], to: "1")
        let calls = hub.calls
        await phone.beat()
        #expect(hub.calls == calls)
        #expect(try phone.unsent == 1)
        hub.fail(afterCalls: 0, .beforeEffect)
        phone.network.switchTo(.connected(.wifi))
        // It fails, and is tried again after a wait.
        try await arrives { tablet.shown["1"]?["done"] == true }
        #expect(phone.monitor.overallState == .succeeded)
        let failures = phone.log.events.count { if case .sync(let sync) = $0.content { sync.state == .failed } else { false } }
        #expect(failures > 0)
    }

    @Test("5. Simultaneous edits end alike on both, and the lost one is in the log")
    func simultaneousEdits() async throws {
        try await open()
        for device in [phone, tablet] { device.network.switchTo(.disconnected) }
        try phone.put(["title": "From the phone"], to: "1")
        try tablet.put(["title": "From the tablet"], to: "1")
        for device in [phone, tablet] { device.network.switchTo(.connected(.wifi)) }
        try await until { try phone.unsent == 0 && tablet.unsent == 0 }
        while phone.shown["1"] == nil || phone.shown != tablet.shown {
            await phone.beat()
            await tablet.beat()
        }
        let lost = Set((phone.log.conflicts + tablet.log.conflicts).map { $0.loser.value })
        #expect(lost.count == 1)
        #expect(lost.first != phone.shown["1"]?["title"])
    }
}
