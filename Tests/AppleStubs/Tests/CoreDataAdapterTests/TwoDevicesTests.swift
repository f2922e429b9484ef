import ConflictAudit
import ConflictAuditTesting
import CoreData
import CoreDataAdapter
import SyncModel
import SyncObservation
import Testing

/// Two devices whose mirroring merges key by key: the last export of a key wins.
@Suite(.serialized) struct TwoDevicesTests {
    private final class Device {
        let sink = CollectingAuditSink()
        let container = NSPersistentCloudKitContainer()
        let app: NSManagedObjectContext
        private let mirroring: NSManagedObjectContext
        private let events: MirroringEvents
        private let coreData: CoreDataObserver
        private let queue: DispatchQueue
        private let card = NSEntityDescription(name: "Card", attributes: ["id", "title", "body", "stamp"])
        private var note: NSManagedObjectID?

        init(_ name: DeviceID, _ level: ObservationLevel) throws {
            var configuration = SyncObserver.Configuration(device: name, installation: "1")
            configuration.standardLevel = level
            let observer = try SyncObserver(
                configuration, shadow: .memory, sink: sink, wallClock: { WallTime(millisecondsSince1970: 1_768_482_000_000) })
            app = container.newBackgroundContext()
            mirroring = container.newBackgroundContext()
            mirroring.transactionAuthor = "NSCloudKitMirroringDelegate.import"
            let queue = DispatchQueue(label: "history of \(name)")
            self.queue = queue
            nonisolated(unsafe) let container = container
            coreData = CoreDataObserver(observer: observer, context: { container.newBackgroundContext() }, queue: queue)
            events = MirroringEvents(observer: observer)
            coreData.start()
        }

        /// Sets attributes of the one record there is.
        private func set(_ values: [String: Any], in context: NSManagedObjectContext) throws {
            context.reset()
            let object = try note.map { try context.existingObject(with: $0) } ?? context.insertObject(card)
            for (key, value) in values { object.setValue(value, forKey: key) }
            try context.save()
            note = object.objectID
            queue.sync {}
        }

        func edit(_ values: [String: Any]) throws { try set(values, in: app) }

        func `import`(_ values: [String: Any]) throws { try set(values, in: mirroring) }

        /// What an export of attributes sends.
        func export(_ names: [String]) throws -> [String: Any] {
            let id = UUID()
            events.record(.init(id, .export, started: Date()))
            events.record(.init(id, .export, started: Date(), ended: Date(), succeeded: true))
            let object = try note.map { try container.newBackgroundContext().existingObject(with: $0) }
            return Dictionary(uniqueKeysWithValues: names.compactMap { name in object?.value(forKey: name).map { (name, $0) } })
        }

        func stop() { coreData.stop() }
    }

    /// Both edit the title while neither has the other's edit; both export, the phone first.
    private func race(_ level: ObservationLevel, stamps: [String]) throws -> Device {
        let (phone, tablet) = (try Device("phone", level), try Device("tablet", level))
        defer {
            phone.stop()
            tablet.stop()
        }
        try phone.edit(["id": "1", "title": "Draft", "body": "b"])
        try tablet.import(phone.export(["id", "title", "body"] + stamps))
        try phone.edit(["title": "Plan"])
        try tablet.edit(["title": "Idea"])
        _ = try phone.export(["title"] + stamps)
        try phone.import(tablet.export(["title"] + stamps))
        return phone
    }

    @Test func withStampsALossAfterTheExportIsProven() throws {
        let phone = try race(.fieldStamps(["title": "stamp"]), stamps: ["stamp"])
        #expect(phone.sink.conflicts.map(\.loser.value) == ["Plan"])
        #expect(phone.sink.conflicts.map(\.winner.dot.device) == ["tablet"])
        #expect(phone.sink.conflicts.allSatisfy { $0.isProven })
    }

    @Test func withoutStampsItIsOnlySuspected() throws {
        let phone = try race(.unstamped, stamps: [])
        #expect(phone.sink.conflicts.map(\.loser.value) == ["Plan"])
        #expect(!phone.sink.conflicts.contains { $0.isProven })
    }

    @Test func anEditOfWhatHadArrivedIsNoConflict() throws {
        let level = ObservationLevel.fieldStamps(["title": "stamp"])
        let (phone, tablet) = (try Device("phone", level), try Device("tablet", level))
        try phone.edit(["id": "1", "title": "Draft"])
        try tablet.import(phone.export(["id", "title", "stamp"]))
        try tablet.edit(["title": "Better"])
        try phone.import(tablet.export(["title", "stamp"]))
        phone.stop()
        tablet.stop()
        #expect(phone.sink.conflicts == [])
        #expect(tablet.sink.conflicts == [])
    }
}
