import ConflictAudit
import SyncBytes
import SyncLines
import SyncMerge
import SyncModel

/// What is told of merged records.
package enum StateDetail: Sendable {
    /// What their fields hold.
    case fields
    /// Also who wrote it.
    case edits
}

/// A line of the state: a merged record.
struct StateLine: Sendable {
    let key: RecordKey
    /// The line with its line break.
    let bytes: [UInt8]

    init(key: RecordKey, fields: FieldMap, edits: RecordEdits?) {
        self.key = key
        var buffer = LineBuffer()
        buffer.beginObject()
        buffer.record(key)
        buffer.field("fields", .object(fields))
        if let edits { buffer.append(edits) }
        buffer.endObject()
        buffer.append(UInt8(ascii: "\n"))
        bytes = buffer.array
    }

    /// Reads what ``write(to:)`` wrote.
    init(from bytes: inout ByteReader) throws(CodingFailure) {
        key = RecordKey(type: RecordType(try bytes.text()), id: RecordID(try bytes.text()))
        self.bytes = try bytes.counted()
    }

    /// Writes the line with its key, to be read back.
    func write(to writer: inout ByteWriter) {
        writer.text(key.type.rawValue)
        writer.text(key.id.rawValue)
        writer.counted(bytes.span)
    }
}

extension LineBuffer {
    /// Appends the write that was shown last, and those of the fields.
    fileprivate mutating func append(_ edits: RecordEdits) {
        key("edited")
        beginObject()
        append(edits.latest)
        key("fields")
        beginObject()
        for (name, edit) in edits.fields.ordered(by: { $0.key < $1.key }) {
            key(named: name.rawValue)
            beginObject()
            append(edit)
            endObject()
        }
        endObject()
        endObject()
    }

    private mutating func append(_ edit: LastEdit) {
        field("device", edit.dot.device.rawValue)
        field("n", edit.dot.sequence)
        date("ts", edit.timestamp.milliseconds)
        field("counter", Int64(edit.timestamp.counter))
    }
}
