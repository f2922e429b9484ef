import CloudKit

extension Board {
    /// Removes a post; what was deleted already is no failure.
    static func remove(_ id: CKRecord.ID, from database: CKDatabase) async throws {
        do {
            _ = try await database.deleteRecord(withID: id)
        } catch let error as CKError where error.code == .unknownItem {
            return
        }
    }
}
