import ConflictAudit
import ConflictAuditTesting
import CoreData
import CoreDataAdapter
import SyncModel
import SyncObservation
import Testing

@Suite(.serialized) struct CoreDataObserverTests {
    private let sink = CollectingAuditSink()
    private let container = NSPersistentCloudKitContainer()
    private let card = NSEntityDescription(name: "Card", attributes: ["id", "title", "body", "stamp"])
    private let app: NSManagedObjectContext
    private let mirroring: NSManagedObjectContext
    private let queue = DispatchQueue(label: "history")

    init() {
        app = container.newBackgroundContext()
        mirroring = container.newBackgroundContext()
        mirroring.transactionAuthor = "NSCloudKitMirroringDelegate.import"
    }

    private final class Kept: @unchecked Sendable {
        // Sound in these tests: it is written on the queue and read when the queue is empty.
        var token: Data?
        var failures: [String] = []
    }

    private let kept = Kept()

    private func observer(_ level: ObservationLevel = .unstamped) throws -> SyncObserver {
        var configuration = SyncObserver.Configuration(device: "phone", installation: "1")
        configuration.standardLevel = level
        configuration.pendingFields = .overwritten
        return try SyncObserver(
            configuration, shadow: .memory, sink: sink, wallClock: { WallTime(millisecondsSince1970: 1_768_482_000_000) })
    }

    private func started(_ observer: SyncObserver) -> CoreDataObserver {
        var callbacks = CoreDataObserver.Callbacks()
        let kept = kept
        callbacks.keepToken = { kept.token = $0 }
        callbacks.fails = { kept.failures.append("\($0)") }
        nonisolated(unsafe) let container = container
        let coreData = CoreDataObserver(
            observer: observer, context: { container.newBackgroundContext() }, token: kept.token, queue: queue, callbacks: callbacks)
        coreData.start()
        return coreData
    }

    private func insert(_ values: [String: Any], in context: NSManagedObjectContext) throws -> NSManagedObjectID {
        let object = context.insertObject(card)
        for (key, value) in values { object.setValue(value, forKey: key) }
        try context.save()
        return object.objectID
    }

    private func update(_ objectID: NSManagedObjectID, _ values: [String: Any], in context: NSManagedObjectContext) throws {
        context.reset()
        let object = try context.existingObject(with: objectID)
        for (key, value) in values { object.setValue(value, forKey: key) }
        try context.save()
    }

    private var lost: [String] {
        sink.conflicts.map { "\($0.key) \($0.field?.rawValue ?? "-") \($0.loser.value ?? "nothing") \($0.basis)" }
    }

    @Test func anArrivalOverAnUnsentSaveIsAProvenConflict() throws {
        let coreData = started(try observer())
        let id = try insert(["id": "1", "title": "Draft", "body": "text"], in: app)
        queue.sync {}
        try update(id, ["title": "Plan"], in: app)
        try update(id, ["title": "Theirs"], in: mirroring)
        queue.sync {}
        coreData.stop()
        #expect(kept.failures == [])
        #expect(sink.conflicts.map(\.key) == [RecordKey(type: "Card", id: "1")])
        #expect(sink.conflicts.first?.loser.value == "Plan")
        #expect(sink.conflicts.first?.winner.value == "Theirs")
        #expect(sink.conflicts.first?.basis == .causal)
    }

    @Test func aValueThatWasReplacedBeforeTheHistoryWasReadIsKnownAllTheSame() throws {
        let observer = try observer()
        let coreData = started(observer)
        queue.suspend()
        let id = try insert(["id": "1", "title": "Mine"], in: app)
        try update(id, ["title": "Theirs"], in: mirroring)
        queue.resume()
        coreData.readHistory()
        coreData.stop()
        #expect(sink.conflicts.map(\.loser.value) == ["Mine"])
        #expect(try observer.lastTransaction == 1)
    }

    @Test func stampsAreFilledInBeforeTheSave() throws {
        let coreData = started(try observer(.fieldStamps(["title": "stamp"])))
        let id = try insert(["id": "1", "title": "Draft"], in: app)
        queue.sync {}
        coreData.stop()
        let stamp = try container.newBackgroundContext().existingObject(with: id).value(forKey: "stamp") as? String
        #expect(stamp?.isEmpty == false)
        #expect(kept.failures == [])
        // What the mirroring saves is not stamped.
        let other = try insert(["id": "2", "title": "Theirs"], in: mirroring)
        #expect(try container.newBackgroundContext().existingObject(with: other).value(forKey: "stamp") == nil)
    }

    @Test func theHistoryIsReadOnFromTheTokenThatWasKept() throws {
        let observer = try observer()
        let first = started(observer)
        let id = try insert(["id": "1", "title": "Draft"], in: app)
        queue.sync {}
        first.stop()
        #expect(kept.token != nil)
        try update(id, ["title": "Theirs"], in: mirroring)
        let second = started(observer)
        queue.sync {}
        second.stop()
        #expect(sink.conflicts.count == 1)
        // From the start, nothing is counted again.
        kept.token = nil
        let third = started(observer)
        queue.sync {}
        third.stop()
        #expect(sink.conflicts.count == 1)
    }

    @Test func deletesAreNamedByTheirTombstones() throws {
        card.attributesByName["id"]?.preservesValueInHistoryOnDeletion = true
        let coreData = started(try observer())
        let id = try insert(["id": "1", "title": "Draft"], in: app)
        queue.sync {}
        mirroring.delete(try mirroring.existingObject(with: id))
        try mirroring.save()
        queue.sync {}
        coreData.stop()
        #expect(sink.conflicts.contains { $0.key == RecordKey(type: "Card", id: "1") && $0.winner.operation == .delete })
    }

    @Test func otherStoresAndContextsWithParentsAreLeftAlone() throws {
        let coreData = started(try observer(.fieldStamps(["title": "stamp"])))
        let elsewhere = NSPersistentCloudKitContainer().newBackgroundContext()
        let child = container.newBackgroundContext()
        child.parent = app
        for context in [elsewhere, child] {
            let object = context.insertObject(card)
            object.setValue("Draft", forKey: "title")
            try context.save()
            #expect(object.value(forKey: "stamp") == nil)
        }
        coreData.stop()
    }
}
