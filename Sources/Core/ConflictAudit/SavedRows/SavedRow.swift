package import SyncModel

/// One row of a table that remembers what was saved: a version of a record as the server kept it, and by whom.
///
/// A table of versions, a trigger's log with the old and the new row, or a change feed holds them in the server's order. What the server
/// kept stands in them, so that nothing has to be merged.
package struct SavedRow: Sendable {
    /// The record.
    package var key: RecordKey
    /// Who saved it; nil where the row does not tell.
    package var author: DeviceID?
    /// The time of the edit by its author's clock, in milliseconds since 1970; nil where the row does not tell.
    package var made: Int64?
    /// The time by the server's clock at which it had the row, in milliseconds since 1970.
    package var received: Int64?
    /// The time by the server's clock until which the record showed the row, where the table tells ends; nil while it still does.
    package var until: Int64?
    /// The server's number of the row, of the record's versions or of all rows: it only has to rise within a record.
    package var order: Int64?
    /// The name of the version, as a number that is counted up within the record, an ETag or a revision.
    package var version: String?
    /// The version that the author had been looking at, by its name, where the row tells.
    package var base: String?
    /// Whether the record was removed.
    package var isDelete: Bool
    /// The fields that the row names, and their values afterwards; null is an empty field, and of a removed record there is nothing.
    package var fields: FieldMap
    /// What the fields were before, where the table remembers the old row too.
    package var before: FieldMap?

    /// A row of which only the record is known.
    package init(key: RecordKey, isDelete: Bool = false, fields: FieldMap = [:]) {
        (self.key, self.isDelete, self.fields) = (key, isDelete, fields)
    }
}
