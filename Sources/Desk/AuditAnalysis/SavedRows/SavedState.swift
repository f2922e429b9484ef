package import SyncModel

/// What a table of saved rows shows of a record after its last row.
package struct SavedState: Sendable {
    /// Its fields; of a removed record those that it had before.
    package let fields: FieldMap
    package let isRemoved: Bool
    /// The name of the last version, where the table tells.
    package let version: String?
    /// The line or number of the row that gave each field its value.
    package let rows: [FieldName: Int]
    /// The same of the last row.
    package let row: Int
}
