package import AuditAnalysis
import AuditLog
import ConflictAudit
import SyncLines
import SyncModel

/// Writes a record's story for other programs.
package enum StoryDocument {
    /// One JSON object on one line: `{"recordType":…,"recordID":…,"writes":[…],"now":…,"devices":[…],…}`.
    ///
    /// A write of `writes` has `device`, `n`, `ts`, `op`, `fields`?, `parents` and `unseen` (indices of the writes that it follows on and of
    /// those that its writer had not seen, from 0), `hasContext`, `shown`, and `logs` of `{source, at?}`. `losses` and `conflicts` are lines
    /// of the log, each with its `write`: the index of the later of the two writes, absent where it is not told; a loss also has `status`
    /// (lost, waiting, decided, restored). `now` holds the fields shown once all writes have been taken, null where the record is not there.
    /// `devices` are `{source, shown, missing}`, `missing` the indices of the writes not taken. `omitted` counts earlier writes.
    package static func json(_ story: RecordStory.Answer) -> [UInt8] {
        var buffer = LineBuffer()
        buffer.object { object in
            object.record(story.key)
            if let field = story.field { object.field("field", field.rawValue) }
            object.list("writes", story.steps) { append($1, to: &$0) }
            object.field("omitted", story.omittedCount)
            let told = story.steps.enumerated().flatMap { index, step in step.losses.map { (Int?.some(index), $0) } }
            object.list("losses", told + story.otherLosses.map { (nil, $0) }) { list, loss in
                list.object { row in
                    if let index = loss.0 { row.field("write", index) }
                    row.field("status", loss.1.status.rawValue)
                    append(loss.1.conflict, to: &row)
                }
            }
            let conflicts = story.steps.enumerated().flatMap { index, step in step.conflicts.map { (index, $0) } }
            object.list("conflicts", conflicts) { list, conflict in
                list.object { row in
                    row.field("write", conflict.0)
                    append(conflict.1, to: &row)
                }
            }
            object.field("now", story.now.map(FieldValue.object) ?? .null)
            object.list("devices", story.replicas) { list, replica in
                list.object { row in
                    row.field("source", replica.name.rawValue)
                    row.field("shown", replica.shown.map(FieldValue.object) ?? .null)
                    row.list("missing", replica.missing) { $0.append(decimal: UInt64($1)) }
                }
            }
        }
        buffer.append(UInt8(ascii: "\n"))
        return buffer.array
    }

    private static func append(_ step: RecordStory.Step, to list: inout LineBuffer) {
        list.object { row in
            row.field("device", step.write.dot.device.rawValue)
            row.field("n", step.write.dot.sequence)
            row.date("ts", step.write.timestamp.milliseconds)
            row.field("op", step.write.isDelete ? "delete" : "put")
            if let fields = step.write.fields { row.field("fields", .object(fields)) }
            row.list("parents", step.parents) { $0.append(decimal: UInt64($1)) }
            row.list("unseen", step.unseen) { $0.append(decimal: UInt64($1)) }
            row.field("hasContext", step.write.hasCausalContext)
            row.field("shown", step.isShown)
            row.list("logs", step.logs) { list, log in
                list.object { row in
                    row.field("source", log.name.rawValue)
                    if let time = log.milliseconds { row.date("at", time) }
                }
            }
        }
    }

    /// The conflict's own line, as one value.
    private static func append(_ conflict: Conflict, to row: inout LineBuffer) {
        row.key("conflict")
        LineEncoder.append(AuditEvent(at: conflict.milliseconds, .conflict(conflict)), sequence: nil, source: nil, to: &row)
        row.truncate(to: row.count - 1)
    }
}
