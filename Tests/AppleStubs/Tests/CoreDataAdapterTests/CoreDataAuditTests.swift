import ConflictAudit
import ConflictAuditTesting
import CoreData
import CoreDataAdapter
import SyncModel
import SyncObservation
import Testing

/// The lines that an app with `NSPersistentCloudKitContainer` adds.
@Suite(.serialized, .timeLimit(.minutes(10))) struct CoreDataAuditTests {
    /// What an audit says has failed.
    private final class Failures: @unchecked Sendable {
        // Sound: reached with `lock` held.
        private let lock = NSLock()
        private var sentences: [String] = []

        var all: [String] { lock.withLock { sentences } }

        func add(_ sentence: String) { lock.withLock { sentences.append(sentence) } }
    }

    private final class Device {
        let sink = CollectingAuditSink()
        let audit: CoreDataAudit
        let container = NSPersistentCloudKitContainer()
        let card = NSEntityDescription(name: "Card", attributes: ["uuid", "title", "auditStamp"])
        private var row: NSManagedObjectID?
        let directory = FileManager.default.temporaryDirectory.appending(path: "coredata-\(UUID())")

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

        /// Inserts a card into each store, named by the store's number from 1, in one save.
        func insert(into stores: [NSPersistentStore], _ values: [String: Any] = [:]) throws {
            let context = container.newBackgroundContext()
            for (index, store) in stores.enumerated() {
                let card = context.insertObject(card)
                card.setValue("\(index + 1)", forKey: "uuid")
                for (name, value) in values { card.setValue(value, forKey: name) }
                context.assign(card, to: store)
            }
            try context.save()
        }

        /// Another audit of the same device, as after a restart.
        func another(
            fails: @escaping @Sendable (any Error) -> Void = { Issue.record("the audit failed: \($0)") }
        ) throws -> CoreDataAudit {
            audit.stop()
            return try CoreDataAudit(
                device: "phone", entities: [AuditedEntity("Card", identifiedBy: "uuid")], directory: directory, sink: sink, fails: fails)
        }

        var nameOfSecondStore: DeviceID {
            get throws {
                let name = try #require(audit.observers.last).writer
                #expect(audit.observers.count == 2 && name.rawValue.hasPrefix("phone~"))
                return name
            }
        }

        /// Who wrote each record, in order.
        var writers: [String: [DeviceID]] {
            sink.events.reduce(into: [:]) { writers, event in
                guard case .write(let write) = event.content else { return }
                writers[write.key.id.rawValue, default: []].append(write.dot.device)
            }
        }

        func post(_ type: NSPersistentCloudKitContainer.EventType, store: String? = nil, failing: Bool = false) {
            let (id, start) = (UUID(), Date())
            let store = store ?? container.persistentStoreCoordinator.persistentStores.first?.identifier ?? ""
            for end in [nil, Date()] {
                let succeeded = end != nil && !failing
                let event = NSPersistentCloudKitContainer.Event(id, type, store: store, started: start, ended: end, succeeded: succeeded)
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
        #expect(try device.audit.proposedChange(restoring: conflict.id).value == "Plan")
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
    }

    /// Two stores of one model, whose transactions have equal numbers.
    private func twoStores(synced: [Int]) throws -> (device: Device, stores: [NSPersistentStore]) {
        let device = try Device()
        let name = "\(UUID())"
        let files = (1...2).map { URL(filePath: "/tmp/\(name)-\($0).sqlite") }
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

    /// Of two that sync each has an observer: their transactions have the same numbers, and an export of one sends nothing of the other.
    @Test(arguments: [[0, 1], []]) func storesThatSyncAreAuditedEachByItself(synced: [Int]) throws {
        let (device, stores) = try twoStores(synced: synced)
        try device.audit.start(device.container)
        let context = device.container.newBackgroundContext()
        let cards = try ["1", "2"].enumerated().map { index, id in
            let card = context.insertObject(device.card)
            for (key, value) in ["uuid": id, "title": "Draft"] { card.setValue(value, forKey: key) }
            context.assign(card, to: stores[index])
            try context.save()
            return card
        }
        device.audit.readHistory()
        let second = try device.nameOfSecondStore
        #expect(device.writers == ["1": ["phone"], "2": [second]])
        for store in stores { device.post(.export, store: store.identifier) }
        for card in cards { card.setValue("Plan", forKey: "title") }
        try context.save()
        device.audit.readHistory()
        // What is waiting in the second store is not sent by an export of the first.
        device.post(.export, store: stores[0].identifier)
        context.transactionAuthor = "NSCloudKitMirroringDelegate.import"
        cards[1].setValue("Theirs", forKey: "title")
        try context.save()
        device.audit.readHistory()
        let conflict = try #require(device.sink.conflicts.first)
        #expect(device.sink.conflicts.count == 1 && conflict.isProven && conflict.loser.dot.device == second)
        #expect(device.audit.observers.count == 2)
        #expect(try device.audit.proposedChange(restoring: conflict.id).value == "Plan")
        let unknown = try #require(ConflictID("00c0ffee00c0ffee"))
        #expect { try device.audit.proposedChange(restoring: unknown) } throws: { "\($0)".contains("00c0ffee00c0ffee") }
    }

    @Test func whatNeitherStoreCanTellIsSaidOnce() throws {
        let (device, stores) = try twoStores(synced: [0, 1])
        try device.audit.start(device.container)
        try device.insert(into: stores, ["title": NSObject()])
        device.audit.readHistory()
        let gaps = device.sink.events.compactMap { if case .log(.unobserved(let gap)) = $0.content { gap.field } else { nil } }
        #expect(gaps == ["title"])
    }

    @Test func aFailureOfOneStoreIsNotHiddenByAnother() throws {
        let (device, stores) = try twoStores(synced: [0, 1])
        try device.audit.start(device.container)
        for store in stores {
            for type in [NSPersistentCloudKitContainer.EventType.import, .export] { device.post(type, store: store.identifier) }
        }
        #expect(device.audit.sync.overallState == .succeeded)
        device.post(.export, store: stores[1].identifier, failing: true)
        device.post(.export, store: stores[0].identifier)
        guard case .failed = device.audit.sync.overallState else {
            Issue.record("the state is \(device.audit.sync.overallState)")
            return
        }
        device.post(.export, store: stores[1].identifier)
        #expect(device.audit.sync.overallState == .succeeded)
        let names = device.sink.events.compactMap { if case .sync(let activity) = $0.content { activity.device } else { nil } }
        #expect(try Set(names) == [device.nameOfSecondStore])
    }

    /// A store keeps its name, whichever is opened first; one that was made anew has none of the old one's numbers.
    @Test func aStoreKeepsItsNameAcrossStarts() throws {
        let (device, stores) = try twoStores(synced: [0, 1])
        for _ in 0..<2 {
            let audit = try device.another()
            try audit.start(device.container)
            try device.insert(into: stores)
            audit.readHistory()
            audit.stop()
        }
        let names = try #require(device.writers["2"])
        #expect(device.writers["1"] == ["phone", "phone"] && names.count == 2 && names[0] == names[1] && names[0] != "phone")
        let anew = try Device()
        anew.container.persistentStoreCoordinator.open([(NSSQLiteStoreType, URL(filePath: "/tmp/\(UUID()).sqlite"))])
        let audit = try device.another()
        try audit.start(anew.container)
        try anew.set(["uuid": "3"])
        audit.readHistory()
        audit.stop()
        let third = try #require(device.writers["3"]?.first)
        #expect(third.rawValue.hasPrefix("phone~") && third != names[0])
        let all = try audit.observers.map { try $0.writer }
        #expect(all.count == 3 && all[0] == "phone" && Set(all) == ["phone", names[0], third])
    }

    /// An audit of before stores were told apart may be of either of two.
    @Test func anAuditThatDoesNotSayWhoseItIsIsTakenForNoneOfTwo() throws {
        let (device, stores) = try twoStores(synced: [0, 1])
        try device.audit.start(device.container, store: stores[1])
        try device.insert(into: stores)
        device.audit.readHistory()
        try FileManager.default.removeItem(at: device.directory.appending(path: "store"))
        for _ in 0..<2 {
            let audit = try device.another()
            try audit.start(device.container)
            try device.insert(into: stores)
            audit.readHistory()
            audit.stop()
        }
        let (first, second) = (device.writers["1"]?.dropFirst() ?? [], device.writers["2"]?.dropFirst() ?? [])
        #expect(Set(first).union(second).count == 2 && !(first + second).contains("phone"))
    }

    @Test(arguments: ["9223372036854775807", "2", "..store"]) func whatElseLiesInTheDirectoryIsPassedOver(name: String) throws {
        let (device, stores) = try twoStores(synced: [0, 1])
        let others = device.directory.appending(path: "stores")
        try FileManager.default.createDirectory(at: others.appending(path: name), withIntermediateDirectories: true)
        try Data("x".utf8).write(to: others.appending(path: "a file"))
        let audit = try device.another()
        try audit.start(device.container)
        try device.insert(into: stores)
        audit.readHistory()
        #expect(audit.observers.count == 2 && device.writers.count == 2)
        // Nothing was said to have failed.
        #expect(!device.sink.events.contains { if case .sync = $0.content { true } else { false } })
        audit.stop()
    }

    @Test func aStoreThatCannotBeAuditedKeepsNoOtherFromIt() throws {
        let (device, stores) = try twoStores(synced: [0, 1])
        try device.audit.start(device.container)
        device.audit.stop()
        let others = device.directory.appending(path: "stores")
        let second = try #require(try FileManager.default.contentsOfDirectory(atPath: others.path).first)
        for suffix in ["", "-wal", "-shm"] {
            try Data("no database".utf8).write(to: others.appending(path: second).appending(path: "shadow.sqlite" + suffix))
        }
        let failures = Failures()
        let audit = try device.another { failures.add("\($0)") }
        try audit.start(device.container)
        try device.insert(into: stores)
        audit.readHistory()
        audit.stop()
        #expect(device.writers == ["1": ["phone"]])
        #expect(!failures.all.isEmpty && failures.all.allSatisfy { $0.contains("shadow.sqlite") })
        #expect(throws: (any Error).self) { try audit.start(device.container, store: stores[1]) }
    }

    /// A store that is not synced any more shows no failure, and one that takes its part does.
    @Test func whatAStoreThatHasGoneSaidIsForgotten() throws {
        let (device, stores) = try twoStores(synced: [0, 1])
        try device.audit.start(device.container)
        device.post(.export, store: stores[0].identifier, failing: true)
        guard case .failed = device.audit.sync.overallState else {
            Issue.record("the state is \(device.audit.sync.overallState)")
            return
        }
        try device.audit.start(device.container, store: stores[1])
        #expect(device.audit.sync.overallState == .idle)
        for type in [NSPersistentCloudKitContainer.EventType.import, .export] { device.post(type, store: stores[1].identifier) }
        #expect(device.audit.sync.overallState == .succeeded)
    }

    @Test func aStoreThatIsNamedIsAuditedAlone() throws {
        let (device, stores) = try twoStores(synced: [0, 1])
        try device.audit.start(device.container, store: stores[1])
        try device.insert(into: stores)
        device.audit.readHistory()
        #expect(device.writers == ["2": ["phone"]])
    }
}
