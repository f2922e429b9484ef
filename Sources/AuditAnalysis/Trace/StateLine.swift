import ConflictAudit
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

    /// Reads what ``encoded`` holds.
    init(_ entry: SpillFile.Entry) throws(CodingFailure) {
        var decoder = try StateDecoder(entry.bytes)
        key = try decoder.key()
        bytes = try decoder.bytes()
    }

    /// The line with its key, to be read back.
    var encoded: [UInt8] {
        var encoder = StateEncoder()
        encoder.append(key)
        encoder.append(bytes: bytes)
        return encoder.bytes
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
        for (name, edit) in edits.fields.sorted(by: { $0.key < $1.key }) {
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
