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

    init(
        _ name: DeviceID, _ model: AuditedModel, _ others: [(model: AuditedModel, type: any PersistentModel.Type)] = [],
        in directory: URL? = nil
    ) throws {
        let directory = directory ?? FileManager.default.temporaryDirectory.appending(path: "swiftdata-\(UUID())")
        self.directory = directory
        audit = try SwiftDataAudit(
            device: name, models: [model] + others.map(\.model), directory: directory, sink: sink,
            fails: { Issue.record("the audit failed: \($0)") })
        let configuration = ModelConfiguration(url: directory.appending(path: "store.sqlite"))
        let types: [any PersistentModel.Type] = [Note.self] + others.map(\.type)
        container = try ModelContainer(for: Schema(types), configurations: [configuration])
        app = ModelContext(container)
        mirror = NSPersistentContainer(
            name: "mirror", managedObjectModel: try #require(NSManagedObjectModel.makeManagedObjectModel(for: types)))
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

    /// What the log says that is not observed.
    var unobserved: [UnobservedField] {
        sink.events.compactMap { if case .log(.unobserved(let gap)) = $0.content { gap } else { nil } }
    }

    /// The fields of the last save that the log has.
    var lastEdit: FieldMap? {
        sink.events.lazy.reversed().compactMap {
            guard case .write(let write) = $0.content, case .put(let fields) = write.operation else { return nil }
            return fields
        }.first
    }

    /// Saves in the app, and waits until the observer has been told.
    func save() throws {
        try app.save()
        audit.readHistory()
    }

    /// The mirroring's own object of a row.
    func row(of entity: String, _ key: String? = nil) throws -> NSManagedObject {
        let rows = mirror.persistentStoreCoordinator.rows(of: entity)
        let row = rows.first { row in key.map { key in row.value.values.contains { $0 as? String == key } } ?? true }
        return try mirroring.existingObject(with: try #require(row?.key))
    }

    func post(_ type: NSPersistentCloudKitContainer.EventType, failing error: (any Error)? = nil) {
        let (id, start) = (UUID(), Date())
        for end in [nil, Date()] {
            let store = mirror.persistentStoreCoordinator.persistentStores.first?.identifier ?? ""
            let event = NSPersistentCloudKitContainer.Event(
                id, type, store: store, started: start, ended: end, succeeded: end != nil && error == nil, error: error)
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
