public import ConflictAudit
import SyncModel

/// How a lost edit is put to the user.
///
/// ```swift
/// let edit = LostEdit(conflict)
/// print(edit.title, edit.value, edit.evidence)
/// ```
public struct LostEdit: Hashable, Sendable {
    /// What was edited: the field, or the record where it was deleted as a whole, the type of the record, and what people call it.
    public let title: String
    /// What was lost.
    public let value: String
    /// By whom it was replaced, and whether that is certain.
    public let evidence: String

    /// Puts a conflict's loser to the user.
    public init(_ conflict: Conflict) {
        let name = conflict.name.map { " “\($0.text)”" } ?? ""
        title = (conflict.field.map { "\($0) of " } ?? "") + "\(conflict.key.type)" + name
        value =
            switch conflict.loser.value {
            case .string(let text)?: text
            case .number(let number)?: number.text
            case .bool(let isTrue)?: isTrue ? "Yes" : "No"
            case .null?: "Empty"
            case .array?, .object?: "A value of several parts"
            case nil: conflict.loser.operation == .delete ? "The deletion" : "A value that is not in the log"
            }
        let winner = conflict.winner.operation == .delete ? "Deleted on" : "Replaced by"
        evidence = "\(winner) \(conflict.winner.dot.device)" + (conflict.isProven ? "" : ", perhaps on purpose")
    }
}
