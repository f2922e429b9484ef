import ConflictAudit
import ConflictAuditTesting
import CoreData
import CoreDataAdapter
import SyncModel
import SyncObservation
import Testing

@Suite(.serialized) struct MirroringEventsTests {
    private let sink = CollectingAuditSink()
    private let observer: SyncObserver

    init() throws {
        let configuration = SyncObserver.Configuration(device: "phone", installation: "1")
        observer = try SyncObserver(configuration, shadow: .memory, sink: sink, wallClock: { 1000 })
    }

    private struct NoRoom: Error, CustomStringConvertible {
        var description: String { "no room" }
    }

    private func event(
        _ type: NSPersistentCloudKitContainer.EventType, _ id: UUID, ended: Bool, succeeded: Bool = false, error: (any Error)? = nil
    ) -> NSPersistentCloudKitContainer.Event {
        let start = Date(timeIntervalSince1970: 10)
        return NSPersistentCloudKitContainer.Event(
            id, type, started: start, ended: ended ? start + 2 : nil, succeeded: succeeded, error: error)
    }

    private func post(_ event: NSPersistentCloudKitContainer.Event) {
        NotificationCenter.default.post(
            name: NSPersistentCloudKitContainer.eventChangedNotification, object: NSPersistentCloudKitContainer(),
            userInfo: [NSPersistentCloudKitContainer.eventNotificationUserInfoKey: event])
    }

    private var told: [String] {
        sink.events.compactMap {
            guard case .sync(let activity) = $0.content else { return nil }
            return "\(activity.phase.rawValue) \(activity.state.rawValue)" + (activity.error.map { ": \($0)" } ?? "")
        }
    }

    @Test func whatBeginsHasNotFailedAndWhatComesTwiceCountsOnce() {
        let events = MirroringEvents(observer: observer, sink: sink)
        events.start()
        let (setup, first, second) = (UUID(), UUID(), UUID())
        for ended in [false, true] {
            for _ in 0..<2 { post(event(.setup, setup, ended: ended, succeeded: ended)) }
        }
        for ended in [false, false, true, true] { post(event(.export, first, ended: ended, error: ended ? NoRoom() : nil)) }
        for ended in [false, true] { post(event(.import, second, ended: ended, succeeded: ended)) }
        events.stop()
        post(event(.import, UUID(), ended: false))
        #expect(
            told == [
                "setup started", "setup succeeded", "export started", "export failed: no room", "import started", "import succeeded",
            ])
    }

    @Test func whatAnImportBroughtIsToldBeforeItsEnd() {
        let sink = sink
        let events = MirroringEvents(
            observer: observer, importEnds: { sink.record(AuditEvent(at: 0, .account(status: "arrivals"))) })
        let id = UUID()
        events.record(event(.import, id, ended: false))
        events.record(event(.import, id, ended: true))
        #expect(sink.events.map(\.content).count == 3)
        #expect(sink.events[1].content == .account(status: "arrivals"))
        #expect(told.last == "import failed: the container gives no reason")
    }

    @Test func aSetupSaysHowLongItTook() {
        let events = MirroringEvents(observer: observer, sink: sink)
        events.record(event(.setup, UUID(), ended: true, error: NoRoom()))
        let activity = SyncActivity(phase: .setup, state: .failed, writes: 0, bytes: 0, durationMilliseconds: 2000, error: "no room")
        #expect(sink.events == [AuditEvent(at: 12_000, .sync(activity))])
    }
}
