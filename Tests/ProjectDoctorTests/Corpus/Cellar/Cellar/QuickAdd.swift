import CloudKit

/// Adds a bottle from the watch, without the store.
struct QuickAdd {
    private let database = CKContainer(identifier: "iCloud.org.example.cellar").privateCloudDatabase
    private let zone = CKRecordZone.ID(zoneName: "com.apple.coredata.cloudkit.zone")

    func add(_ label: String) async throws {
        guard try await CKContainer(identifier: "iCloud.org.example.cellar").accountStatus() == .available else { return }
        let record = CKRecord(recordType: "CD_Bottle", recordID: CKRecord.ID(recordName: UUID().uuidString, zoneID: zone))
        record["CD_label"] = label
        record["CD_entityName"] = "Bottle"
        _ = try await database.save(record)
    }
}
