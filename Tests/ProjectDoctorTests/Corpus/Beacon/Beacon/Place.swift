import CloudKit
import Foundation

struct Place: Codable, Identifiable {
    var id = UUID()
    var name: String
    var latitude: Double
    var longitude: Double
    var systemFields: Data?

    func write(to record: CKRecord) {
        record["name"] = name
        record["latitude"] = latitude
        record["longitude"] = longitude
    }
}
