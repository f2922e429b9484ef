import ConflictAudit
import ConflictAuditTesting
import CoreData
import SwiftData
import SwiftDataAdapter
import SyncModel
import SyncObservation
import Testing

/// Notifications reach every audit of a process, so that these tests run one by one.
@Suite(.serialized, .timeLimit(.minutes(10))) enum SwiftDataTests {}

/// A device with an app on SwiftData, its audit, and a mirroring that imports into the same store file.
final class SwiftDataDevice {
    let sink = CollectingAuditSink()
    let audit: SwiftDataAudit
    let container: ModelContainer
    let app: ModelContext
    private let directory: URL
    private let mirroring: NSManagedObjectContext
    private let mirror: NSPersistentContainer

    init(_ name: DeviceID, _ model: AuditedModel, in directory: URL? = nil) throws {
        let directory = directory ?? FileManager.default.temporaryDirectory.appending(path: "swiftdata-\(UUID())")
        self.directory = directory
        audit = try SwiftDataAudit(
            device: name, models: [model], directory: directory, sink: sink, fails: { Issue.record("the audit failed: \($0)") })
        let configuration = ModelConfiguration(url: directory.appending(path: "store.sqlite"))
        container = try ModelContainer(for: Note.self, configurations: configuration)
        app = ModelContext(container)
        mirror = NSPersistentContainer(
            name: "mirror", managedObjectModel: try #require(NSManagedObjectModel.makeManagedObjectModel(for: [Note.self])))
        let description = NSPersistentStoreDescription(url: configuration.url)
        description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        mirror.persistentStoreDescriptions = [description]
        mirror.loadPersistentStores { _, _ in }
        mirroring = mirror.newBackgroundContext()
        mirroring.transactionAuthor = "NSCloudKitMirroringDelegate.import"
        try audit.start(container)
    }

    deinit {
        // Until then a reading may be under way that keeps how far it came.
        audit.readHistory()
        audit.stop()
        try? FileManager.default.removeItem(at: directory)
    }

    /// The one note there is, as the app's context shows it.
    var note: Note { get throws { try #require(app.fetch(FetchDescriptor<Note>()).first) } }

    /// Sets attributes of the one note, or makes it, as the mirroring does.
    func `import`(_ values: [String: Any]) throws {
        mirroring.reset()
        let row = mirror.persistentStoreCoordinator.rows(of: "Note").keys.first
        let object =
            try row.map { try mirroring.existingObject(with: $0) }
            ?? mirroring.insertObject(try #require(mirror.managedObjectModel.entitiesByName["Note"]))
        for (key, value) in values { object.setValue(value, forKey: key) }
        try mirroring.save()
        audit.readHistory()
    }

    /// Saves in the app, and waits until the observer has been told.
    func save() throws {
        try app.save()
        audit.readHistory()
    }

    func post(_ type: NSPersistentCloudKitContainer.EventType) {
        let (id, start) = (UUID(), Date())
        for end in [nil, Date()] {
            let store = mirror.persistentStoreCoordinator.persistentStores.first?.identifier ?? ""
            let event = NSPersistentCloudKitContainer.Event(
                id, type, store: store, started: start, ended: end, succeeded: end != nil)
            NotificationCenter.default.post(
                name: NSPersistentCloudKitContainer.eventChangedNotification, object: nil,
                userInfo: [NSPersistentCloudKitContainer.eventNotificationUserInfoKey: event])
        }
    }

    /// What the store holds of the one note.
    var stored: [String: Any] { mirror.persistentStoreCoordinator.rows(of: "Note").values.first ?? [:] }

    /// What an export sends of some attributes.
    func exported(_ names: [String]) -> [String: Any] {
        post(.export)
        return stored.filter { names.contains($0.key) }
    }

    var losses: [String] {
        sink.conflicts.filter(\.severity.isLoss).map {
            "\($0.key) \($0.field?.rawValue ?? "-") \($0.loser.value?.string ?? "-") \($0.basis)"
        }
    }
}
