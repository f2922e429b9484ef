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
        observer = try SyncObserver(configuration, shadow: .memory, sink: sink, wallClock: { WallTime(millisecondsSince1970: 1000) })
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

    @Test func theHistoryIsReadBeforeAnExportAndBeforeEveryEnd() {
        let sink = sink
        let events = MirroringEvents(
            observer: observer,
            readHistory: { sink.record(AuditEvent(at: WallTime(millisecondsSince1970: 0), .account(status: "history"))) })
        for type in [NSPersistentCloudKitContainer.EventType.import, .export] {
            let id = UUID()
            for ended in [false, true] { events.record(event(type, id, ended: ended)) }
        }
        let all = sink.events.map { if case .sync(let sync) = $0.content { "\(sync.phase) \(sync.state)" } else { "history" } }
        #expect(all == ["import started", "history", "import failed", "history", "export started", "history", "export failed"])
        #expect(told.last == "export failed: the container gives no reason")
    }

    @Test func eventsOfAnotherStoreAreLeftAlone() {
        let events = MirroringEvents(observer: observer, store: { "mine" })
        for store in ["mine", "other"] {
            events.record(NSPersistentCloudKitContainer.Event(UUID(), .import, store: store, started: Date()))
        }
        #expect(told == ["import started"])
    }

    @Test func aSetupSaysHowLongItTook() {
        let events = MirroringEvents(observer: observer, sink: sink)
        events.record(event(.setup, UUID(), ended: true, error: NoRoom()))
        let activity = SyncActivity(phase: .setup, state: .failed, writes: 0, bytes: 0, duration: .seconds(2), error: "no room")
        #expect(sink.events == [AuditEvent(at: WallTime(millisecondsSince1970: 12_000), .sync(activity))])
    }
}
