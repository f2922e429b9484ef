import CloudKit
import Observation

@MainActor
@Observable
final class Wall {
    private(set) var notes: [String] = []
    private let access = CloudAccess()

    func refresh() async throws {
        guard let access, try await CKContainer(identifier: "iCloud.org.example.bulletin").accountStatus() == .available else { return }
        let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
        let (found, _) = try await access.database.records(matching: query)
        notes = found.compactMap { try? $0.1.get()["text"] as? String }
    }

    func pin(_ text: String) async throws {
        guard let access else { return }
        let record = CKRecord(recordType: "Note")
        record["text"] = text
        _ = try await access.database.save(record)
    }
}
