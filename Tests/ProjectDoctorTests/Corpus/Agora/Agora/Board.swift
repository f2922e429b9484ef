import CloudKit
import Observation

@MainActor
@Observable
final class Board {
    private(set) var posts: [Post] = []
    private let container = CKContainer(identifier: "iCloud.org.example.agora")
    private var database: CKDatabase { container.publicCloudDatabase }

    func reload() async throws {
        let query = CKQuery(recordType: "Post", predicate: NSPredicate(value: true))
        let found = try await database.records(matching: query, resultsLimit: 50)
        posts = found.matchResults.compactMap { id, result in
            guard case .success(let record) = result else { return nil }
            return Post(id: id, headline: record["headline"] as? String ?? "", likes: record["likes"] as? Int ?? 0)
        }
    }

    func publish(_ post: Post, isNew: Bool) async throws {
        guard try await container.accountStatus() == .available else { throw CKError(.notAuthenticated) }
        let record = CKRecord(recordType: "Post", recordID: post.id)
        post.fill(record)
        let operation = CKModifyRecordsOperation(recordsToSave: [record])
        operation.savePolicy = isNew ? .ifServerRecordUnchanged : .allKeys
        database.add(operation)
    }

    func invite(to post: Post) async throws -> CKShare {
        let record = try await database.record(for: post.id)
        let share = CKShare(rootRecord: record)
        share[CKShare.SystemFieldKey.title] = post.headline
        _ = try await database.modifyRecords(saving: [record, share], deleting: [])
        return share
    }
}
