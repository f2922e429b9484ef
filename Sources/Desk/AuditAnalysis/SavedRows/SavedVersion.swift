package import SyncModel

/// A version of a record in a table of saved rows, beside the others between which an edit was lost.
package struct SavedVersion: Hashable, Sendable {
    /// What it is to the loss.
    package enum Role: String, Hashable, Sendable, CaseIterable {
        /// What the author of the save had been looking at.
        case base
        /// The version whose edit went.
        case lost
        /// What was shown before the save, where that is a later one.
        case current
        /// What the save made of it.
        case save
    }

    package let role: Role
    /// As the table names it, or its row.
    package let name: String
    /// Who saved it, where the table tells.
    package let author: DeviceID?
    /// The time of the edit, or else of its receipt, in milliseconds since 1970.
    package let milliseconds: Int64?
    /// What the record shows in it; nil where it was removed.
    package let fields: FieldMap?

    package init(role: Role, name: String, author: DeviceID?, milliseconds: Int64?, fields: FieldMap?) {
        (self.role, self.name, self.author, self.milliseconds, self.fields) = (role, name, author, milliseconds, fields)
    }
}
