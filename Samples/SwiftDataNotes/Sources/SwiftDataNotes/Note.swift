import Foundation
import SwiftData
import SyncAuditApple

#if canImport(Darwin)
    /// A note, as CloudKit wants it: every attribute has a default or is optional, and none is unique.
    @Model
    public final class Note {
        /// Names the note on every device, also in the history of deletes.
        @Attribute(.preserveValueOnDeletion) public var noteID: String = UUID().uuidString
        /// The first line.
        public var title: String = ""
        /// The rest.
        public var body: String = ""
        /// Whether it is ticked off.
        public var isDone: Bool = false
        /// Filled in by the audit before every save; the app leaves it alone.
        public var auditStamp: String?

        /// A note that is not in the store yet.
        public init(title: String) { self.title = title }
    }
#endif

extension AuditedModel {
    /// The attributes of a note by which its edits are audited.
    public static let note = AuditedModel(
        Note.self, identifiedBy: "noteID",
        attributes: ["noteID": \.noteID, "title": \.title, "body": \.body, "isDone": \.isDone], recordStamp: ("auditStamp", \.auditStamp))
}
