import CloudKit

/// Reports of users, in a zone of their own.
struct Feedback {
    private let database = CKContainer(identifier: "iCloud.org.example.cellar").privateCloudDatabase
    private let zone = CKRecordZone.ID(zoneName: "Feedback")

    func withdraw(_ ids: [CKRecord.ID]) {
        let operation = CKModifyRecordsOperation(recordsToSave: nil, recordIDsToDelete: ids)
        operation.savePolicy = .allKeys
        database.add(operation)
    }
}
