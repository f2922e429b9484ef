package import AuditAnalysis
import AuditLog
import ConflictAudit
import SyncBytes
import SyncLines
import SyncModel

/// Writes the details of a conflict for other programs.
package enum ConflictDocument {
    /// One JSON object on one line: `{"conflict":…,"explanation":…,"timeline":[…],…}`.
    ///
    /// `conflict` is the line of the log. `explanation` holds `outcome`, `evidence` and `remarks`. An entry of `timeline` holds `role`
    /// (ancestor, winner, loser, other, restoring), `device`, `n`, `ts`, `counter`, `op` and `seen`?. `recoverability`, `charactersLost`,
    /// `restored`, `restoredBy`?, `successor`? and `siblings` are those of `ConflictDetails`. Of a table of saved rows `versions` holds
    /// those between which the edit was lost: `role` (base, lost, current, save), `version`, `device`?, `ts`? and `fields`, null where
    /// the record was removed.
    package static func json(_ details: ConflictDetails) -> [UInt8] {
        var buffer = LineBuffer()
        buffer.object { object in
            object.key("conflict")
            let event = AuditEvent(at: details.conflict.milliseconds, .conflict(details.conflict))
            LineEncoder.append(event, sequence: nil, source: nil, to: &object)
            object.truncate(to: object.count - 1)
            object.key("explanation")
            object.object { text in
                text.field("outcome", details.explanation.outcome)
                text.field("evidence", details.explanation.evidence)
                text.list("remarks", details.explanation.remarks) { JSONText.append($1, to: &$0) }
            }
            object.list("timeline", details.timeline.entries) { object, entry in
                object.object { row in
                    row.field("role", entry.role.rawValue)
                    row.field("device", entry.dot.device.rawValue)
                    row.field("n", entry.dot.sequence)
                    row.date("ts", entry.timestamp.milliseconds)
                    row.field("counter", Int64(entry.timestamp.counter))
                    row.field("op", entry.operation.rawValue)
                    guard let seen = entry.seen else { return }
                    row.key("seen")
                    WriteLine.append(seen, to: &row)
                }
            }
            object.field("recoverability", details.recoverability.rawValue)
            object.field("charactersLost", details.charactersLost)
            object.field("restored", details.isRestored)
            if let dot = details.restoredBy { object.field("restoredBy", dot.description) }
            if let dot = details.successor { object.field("successor", dot.description) }
            object.list("siblings", details.siblings) { JSONText.append($1.description, to: &$0) }
            if details.versions.isEmpty { return }
            object.list("versions", details.versions) { object, version in
                object.object { row in
                    row.field("role", version.role.rawValue)
                    row.field("version", version.name)
                    if let author = version.author { row.field("device", author.rawValue) }
                    if let time = version.milliseconds { row.date("ts", time) }
                    row.field("fields", version.fields.map(FieldValue.object) ?? .null)
                }
            }
        }
        buffer.append(UInt8(ascii: "\n"))
        return buffer.array
    }
}
