import ConflictAudit
import ConflictAuditTesting
import CoreData
import CoreDataAdapter
import SyncModel
import SyncObservation
import Testing

/// The lines that an app with `NSPersistentCloudKitContainer` adds.
@Suite(.serialized, .timeLimit(.minutes(10))) struct CoreDataAuditTests {
    private final class Device {
        let sink = CollectingAuditSink()
        let audit: CoreDataAudit
        let container = NSPersistentCloudKitContainer()
        let card = NSEntityDescription(name: "Card", attributes: ["uuid", "title", "auditStamp"])
        private var row: NSManagedObjectID?
        private let directory = FileManager.default.temporaryDirectory.appending(path: "coredata-\(UUID())")

        init(
            _ level: ObservationLevel = .recordStamp("auditStamp"), configure: (inout SyncObserver.Configuration) -> Void = { _ in }
        ) throws {
            audit = try CoreDataAudit(
                device: "phone", entities: [AuditedEntity("Card", identifiedBy: "uuid", level: level)], directory: directory, sink: sink,
                configure: configure, fails: { Issue.record("the audit failed: \($0)") })
        }

        deinit {
            // Until then a reading may be under way that keeps how far it came.
            audit.readHistory()
            audit.stop()
            try? FileManager.default.removeItem(at: directory)
        }

        func set(_ values: [String: Any], by author: String? = nil) throws {
            let context = container.newBackgroundContext()
            context.transactionAuthor = author
            let object = try row.map { try context.existingObject(with: $0) } ?? context.insertObject(card)
            for (key, value) in values { object.setValue(value, forKey: key) }
            try context.save()
            row = object.objectID
            audit.readHistory()
        }

        func post(_ type: NSPersistentCloudKitContainer.EventType, store: String? = nil) {
            let (id, start) = (UUID(), Date())
            let store = store ?? container.persistentStoreCoordinator.persistentStores.first?.identifier ?? ""
            for end in [nil, Date()] {
                let event = NSPersistentCloudKitContainer.Event(id, type, store: store, started: start, ended: end, succeeded: end != nil)
                NotificationCenter.default.post(
                    name: NSPersistentCloudKitContainer.eventChangedNotification, object: container,
                    userInfo: [NSPersistentCloudKitContainer.eventNotificationUserInfoKey: event])
            }
        }

        var stamp: String? { container.persistentStoreCoordinator.rows(of: "Card").values.first?["auditStamp"] as? String }
    }

    @Test func anArrivalOverAnUnsentEditIsProven() throws {
        let device = try Device()
        try device.audit.start(device.container)
        try device.set(["uuid": "1", "title": "Draft"])
        let first = try #require(device.stamp)
        device.post(.export)
        try device.set(["title": "Plan"])
        #expect(device.stamp != first)
        try device.set(["title": "Theirs"], by: "NSCloudKitMirroringDelegate.import")
        let conflict = try #require(device.sink.conflicts.first)
        #expect(device.sink.conflicts.count == 1 && conflict.isProven && conflict.key == RecordKey(type: "Card", id: "1"))
        #expect(conflict.loser.value == "Plan" && device.audit.conflicts.lostEdits.count == 1)
        #expect(try device.audit.observer.proposedChange(restoring: conflict.id).value == "Plan")
    }

    @Test func aConflictSaysWhatItsRecordIsCalled() throws {
        let device = try Device { $0.auditRules.displayFields = ["Card": "title"] }
        try device.audit.start(device.container)
        try device.set(["uuid": "1", "title": "Draft"])
        device.post(.export)
        try device.set(["title": "Plan"])
        try device.set(["title": "Theirs"], by: "NSCloudKitMirroringDelegate.import")
        #expect(device.sink.conflicts.map(\.name) == [RecordName(field: "title", value: "Theirs")])
    }

    @Test func anotherStoresExportSendsNothingOfThisOne() throws {
        let device = try Device(.unstamped)
        try device.audit.start(device.container)
        try device.set(["uuid": "1", "title": "Draft"])
        device.post(.export)
        try device.set(["title": "Plan"])
        device.post(.export, store: "another")
        try device.set(["title": "Theirs"], by: "NSCloudKitMirroringDelegate.import")
        #expect(device.sink.conflicts.map(\.isProven) == [true])
    }

    @Test func preparingAsksForTheHistory() throws {
        let container = NSPersistentCloudKitContainer()
        container.persistentStoreDescriptions = [URL(filePath: "/tmp/1.sqlite"), URL(filePath: "/tmp/2.sqlite")].map(
            NSPersistentStoreDescription.init)
        CoreDataAudit.prepare(container)
        for description in container.persistentStoreDescriptions {
            let asked = description.options.filter { $0.value == true as NSNumber }.keys
            #expect(Set(asked) == [NSPersistentHistoryTrackingKey, NSPersistentStoreRemoteChangeNotificationPostOptionKey])
        }
    }

    @Test(arguments: [
        ([], "the container has no store: start the audit once its stores are loaded"),
        (
            [(NSSQLiteStoreType, "/tmp/1.sqlite"), (NSSQLiteStoreType, "/tmp/2.sqlite")],
            "the container has no store that is known to sync, but '1.sqlite', '2.sqlite'; name one by 'store:', and give each other one "
                + "an audit with a directory and a device name of its own"
        ),
        ([(NSInMemoryStoreType, "/tmp/1")], "the container keeps its store in memory: an audit needs one in a file"),
        ([(NSSQLiteStoreType, "/dev/null")], "the container keeps its store in memory: an audit needs one in a file"),
    ])
    func storesThatCannotBeAuditedAreNamed(files: [(String, String)], error: String) throws {
        let device = try Device()
        device.container.persistentStoreCoordinator.open(files.map { ($0.0, URL(filePath: $0.1)) })
        #expect {
            try device.audit.start(device.container)
        } throws: {
            "\($0)" == error
        }
        if files.count == 2 {
            let second = try #require(device.container.persistentStoreCoordinator.persistentStores.last)
            try device.audit.start(device.container, store: second)
        }
    }

    /// Two stores of one model, whose transactions have equal numbers.
    private func twoStores(synced: [Int]) throws -> (device: Device, stores: [NSPersistentStore]) {
        let device = try Device()
        let files = (1...2).map { URL(filePath: "/tmp/\(UUID())-\($0).sqlite") }
        device.container.persistentStoreCoordinator.open(files.map { (NSSQLiteStoreType, $0) })
        device.container.persistentStoreDescriptions = files.enumerated().map { index, url in
            let description = NSPersistentStoreDescription(url: url)
            if synced.contains(index) {
                description.cloudKitContainerOptions = NSPersistentCloudKitContainerOptions(containerIdentifier: "iCloud.cards")
            }
            return description
        }
        return (device, device.container.persistentStoreCoordinator.persistentStores)
    }

    @Test(arguments: [0, 1]) func theOnlyStoreThatSyncsIsAudited(index: Int) throws {
        let (device, stores) = try twoStores(synced: [index])
        try device.audit.start(device.container)
        let context = device.container.newBackgroundContext()
        let (synced, local) = (context.insertObject(device.card), context.insertObject(device.card))
        synced.setValue("1", forKey: "uuid")
        local.setValue("2", forKey: "uuid")
        context.assign(synced, to: stores[index])
        context.assign(local, to: stores[1 - index])
        try context.save()
        // A second save in the synced store alone: the numbers of the two stores differ from now on.
        synced.setValue("Plan", forKey: "title")
        try context.save()
        device.audit.readHistory()
        let writes = device.sink.events.compactMap { if case .write(let write) = $0.content { write.key.id.rawValue } else { nil } }
        #expect(writes == ["1", "1"])
        #expect(synced.value(forKey: "auditStamp") != nil && local.value(forKey: "auditStamp") == nil)
    }

    @Test func ofTwoStoresThatSyncOneIsNamed() throws {
        let (device, stores) = try twoStores(synced: [0, 1])
        #expect {
            try device.audit.start(device.container)
        } throws: {
            "\($0)".hasPrefix("the container has several stores that sync: ")
        }
        try device.audit.start(device.container, store: stores[1])
    }
}
