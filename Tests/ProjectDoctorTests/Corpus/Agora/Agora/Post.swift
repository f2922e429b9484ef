import CloudKit
import Foundation

struct Post: Identifiable {
    let id: CKRecord.ID
    var headline: String
    var picture: URL?
    var likes: Int

    func fill(_ record: CKRecord) {
        record["headline"] = headline
        record["likes"] = likes
        if let picture { record["picture"] = CKAsset(fileURL: picture) }
    }
}
