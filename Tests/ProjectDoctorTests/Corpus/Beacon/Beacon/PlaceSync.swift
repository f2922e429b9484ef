import CloudKit
import Foundation
import os

@MainActor
final class PlaceSync: CKSyncEngineDelegate {
    private unowned let store: PlaceStore
    private var engine: CKSyncEngine?
    private let log = Logger(subsystem: "org.example.beacon", category: "sync")
    private let zone = CKRecordZone.ID(zoneName: "Places")
    private let stateFile = URL.applicationSupportDirectory.appending(path: "sync-state")

    init(store: PlaceStore) { self.store = store }

    func start() {
        let state = try? JSONDecoder().decode(CKSyncEngine.State.Serialization.self, from: Data(contentsOf: stateFile))
        let database = CKContainer(identifier: "iCloud.org.example.beacon").privateCloudDatabase
        engine = CKSyncEngine(CKSyncEngine.Configuration(database: database, stateSerialization: state, delegate: self))
    }

    func changed(_ id: UUID) {
        engine?.state.add(pendingRecordZoneChanges: [.saveRecord(CKRecord.ID(recordName: id.uuidString, zoneID: zone))])
    }

    func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
        switch event {
        case .stateUpdate(let update):
            try? JSONEncoder().encode(update.stateSerialization).write(to: stateFile)
        case .accountChange(let change):
            if case .switchAccounts = change.changeType { store.removeAll() }
        case .fetchedRecordZoneChanges(let changes):
            for modification in changes.modifications { take(modification.record) }
            for deletion in changes.deletions { store.remove(UUID(uuidString: deletion.recordID.recordName) ?? UUID()) }
        case .sentRecordZoneChanges(let sent):
            for failure in sent.failedRecordSaves { handle(failure, engine: syncEngine) }
        default:
            break
        }
    }

    private func handle(_ failure: CKSyncEngine.Event.SentRecordZoneChanges.FailedRecordSave, engine: CKSyncEngine) {
        switch failure.error.code {
        case .serverRecordChanged:
            log.debug("Another device was faster: \(failure.record.recordID.recordName)")
        case .zoneNotFound:
            engine.state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneID: zone))])
            engine.state.add(pendingRecordZoneChanges: [.saveRecord(failure.record.recordID)])
        case .networkFailure, .networkUnavailable, .serviceUnavailable, .zoneBusy:
            break
        default:
            log.error("\(failure.error)")
        }
    }

    private func take(_ record: CKRecord) {
        guard let id = UUID(uuidString: record.recordID.recordName), let name = record["name"] as? String else { return }
        store.apply(
            Place(id: id, name: name, latitude: record["latitude"] as? Double ?? 0, longitude: record["longitude"] as? Double ?? 0))
    }

    func nextRecordZoneChangeBatch(
        _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.RecordZoneChangeBatch? {
        let pending = syncEngine.state.pendingRecordZoneChanges.filter { context.options.scope.contains($0) }
        let places = store.all
        return await CKSyncEngine.RecordZoneChangeBatch(pendingChanges: pending) { id in
            guard let place = places.first(where: { $0.id.uuidString == id.recordName }) else { return nil }
            let record = CKRecord(recordType: "Place", recordID: id)
            place.write(to: record)
            return record
        }
    }
}
