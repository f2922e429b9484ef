package import SyncModel

/// What a table of saved rows shows of a record after its last row.
package struct SavedState: Sendable {
    /// Its fields; of a removed record those that it had before.
    package let fields: FieldMap
    package let isRemoved: Bool
    /// The name of the last version, where the table tells.
    package let version: String?
    /// The row that gave each field its value.
    package let rows: [FieldName: Row]
    /// The last row.
    package let row: Row

    /// A row, and who saved it when.
    package struct Row: Hashable, Sendable {
        /// Its line or number.
        package let line: Int
        /// Who saved it; nil where the table does not tell.
        package let author: DeviceID?
        /// The time of the edit, or else of its receipt, in milliseconds since 1970.
        package let milliseconds: Int64?
    }
}
