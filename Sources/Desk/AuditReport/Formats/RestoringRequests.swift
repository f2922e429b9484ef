package import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncLines
import SyncModel

/// Requests that give lost values back through the server of the table whose rows they were.
package enum RestoringRequests {
    /// What a request carries.
    package enum Form: String, CaseIterable, Sendable {
        /// The whole record.
        case put
        /// The lost values alone.
        case patch
    }

    /// The request for a record, as one line of JSON: `method`, `recordType`, `recordID`, `version`? to be sent as If-Match, `now`, what is
    /// there (null where the record was removed), `body`, and `conflicts`, the ids of the losses that it makes good.
    ///
    /// A removed record is made again, as a whole.
    package static func line(for record: SavedRestoration, as form: Form) -> [UInt8] {
        let isWhole = form == .put || record.now.isRemoved
        var buffer = LineBuffer()
        buffer.object { object in
            object.field("method", isWhole ? "PUT" : "PATCH")
            object.record(record.key)
            if let version = record.now.version { object.field("version", version) }
            object.field("now", record.now.isRemoved ? .null : .object(isWhole ? record.now.fields : shown(record)))
            object.field("body", .object(isWhole ? record.fields : record.values))
            object.field("conflicts", .array(record.conflicts.reversed().map { .string($0.id.description) }))
        }
        buffer.append(UInt8(ascii: "\n"))
        return buffer.array
    }

    /// What is there now of the fields that get values back.
    private static func shown(_ record: SavedRestoration) -> FieldMap {
        var fields: FieldMap = [:]
        for field in record.values { fields[field.name] = record.now.fields[field.name] ?? .null }
        return fields
    }
}
