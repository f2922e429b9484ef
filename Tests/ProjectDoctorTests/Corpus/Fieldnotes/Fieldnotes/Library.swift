import CloudKit
import Foundation

@MainActor
final class Library: ObservableObject {
    @Published private(set) var observations: [Observation] = []
    private let database = CKContainer(identifier: "iCloud.org.example.fieldnotes").privateCloudDatabase
    private let zone = CKRecordZone.ID(zoneName: "Notes")

    func start() async throws {
        guard try await CKContainer(identifier: "iCloud.org.example.fieldnotes").accountStatus() == .available else { return }
        _ = try await database.save(CKRecordZone(zoneID: zone))
        let subscription = CKRecordZoneSubscription(zoneID: zone, subscriptionID: "notes")
        let information = CKSubscription.NotificationInfo()
        information.shouldSendContentAvailable = true
        subscription.notificationInfo = information
        _ = try await database.save(subscription)
    }

    func send(_ changed: [Observation], removed: [UUID]) async throws {
        let operation = CKModifyRecordsOperation(
            recordsToSave: changed.map { $0.record(in: zone) },
            recordIDsToDelete: removed.map { CKRecord.ID(recordName: $0.uuidString, zoneID: zone) })
        operation.savePolicy = .changedKeys
        operation.isAtomic = true
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            operation.modifyRecordsResultBlock = { continuation.resume(with: $0) }
            database.add(operation)
        }
    }
}
