import CloudKit

/// Keeps the newer of two names: the loser is merged, and sent again.
func saveName(_ name: String, of record: CKRecord, in database: CKDatabase) async throws -> CKRecord {
    record["name"] = name
    do {
        return try await database.save(record)
    } catch let error as CKError where error.code == .serverRecordChanged {
        guard let server = error.serverRecord else { throw error }
        server["name"] = name
        return try await saveName(name, of: server, in: database)
    }
}
