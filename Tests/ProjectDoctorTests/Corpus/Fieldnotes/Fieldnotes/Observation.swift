import CloudKit
import Foundation

struct Observation: Identifiable {
    let id: UUID
    var habitat: String
    var rating: Int
    var mood: String
    var seenAt: Date

    func record(in zone: CKRecordZone.ID) -> CKRecord {
        let record = CKRecord(recordType: "Observation", recordID: CKRecord.ID(recordName: id.uuidString, zoneID: zone))
        record["habitat"] = habitat
        record["rating"] = String(rating)
        record["mood"] = mood
        record["seenAt"] = seenAt
        return record
    }

    init?(_ record: CKRecord) {
        guard let id = UUID(uuidString: record.recordID.recordName), let habitat = record["habitat"] as? String else { return nil }
        self.id = id
        self.habitat = habitat
        rating = Int(record["rating"] as? String ?? "") ?? 0
        mood = record["mood"] as? String ?? ""
        seenAt = record["seenAt"] as? Date ?? record.creationDate ?? .now
    }
}
