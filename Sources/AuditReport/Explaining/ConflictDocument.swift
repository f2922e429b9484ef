package import AuditAnalysis
import AuditLog
import ConflictAudit
import SyncLines
import SyncModel

/// Writes the details of a conflict for other programs.
package enum ConflictDocument {
    /// One JSON object on one line: `{"conflict":…,"explanation":…,"timeline":[…],…}`.
    ///
    /// `conflict` is the line of the log. `explanation` holds `outcome`, `evidence` and `remarks`. An entry of `timeline` holds `role` (ancestor,
    /// winner, loser, other, restoring), `device`, `n`, `ts`, `counter`, `op` and `seen`?. `recoverability`, `charactersLost`, `restored`,
    /// `restoredBy`?, `successor`? and `siblings` are those of ``ConflictDetails``.
    package static func json(_ details: ConflictDetails) -> [UInt8] {
        var buffer = LineBuffer()
        buffer.writeObject { object, buffer in
            object.key("conflict", in: &buffer)
            let event = AuditEvent(at: details.conflict.milliseconds, .conflict(details.conflict))
            LineEncoder.append(event, sequence: nil, source: nil, to: &buffer)
            buffer.truncate(to: buffer.count - 1)
            object.key("explanation", in: &buffer)
            buffer.writeObject { text, buffer in
                text.field("outcome", details.explanation.outcome, in: &buffer)
                text.field("evidence", details.explanation.evidence, in: &buffer)
                text.list("remarks", details.explanation.remarks, in: &buffer) { JSONText.append($1, to: &$0) }
            }
            object.list("timeline", details.timeline.entries, in: &buffer) { buffer, entry in
                buffer.writeObject { row, buffer in
                    row.field("role", entry.role.rawValue, in: &buffer)
                    row.field("device", entry.dot.device.rawValue, in: &buffer)
                    row.field("n", entry.dot.sequence, in: &buffer)
                    row.date("ts", entry.timestamp.milliseconds, in: &buffer)
                    row.field("counter", Int64(entry.timestamp.counter), in: &buffer)
                    row.field("op", entry.operation.rawValue, in: &buffer)
                    guard let seen = entry.seen else { return }
                    row.key("seen", in: &buffer)
                    WriteLine.append(seen, to: &buffer)
                }
            }
            object.field("recoverability", details.recoverability.rawValue, in: &buffer)
            object.field("charactersLost", details.charactersLost, in: &buffer)
            object.field("restored", details.isRestored, in: &buffer)
            if let dot = details.restoredBy { object.field("restoredBy", dot.description, in: &buffer) }
            if let dot = details.successor { object.field("successor", dot.description, in: &buffer) }
            object.list("siblings", details.siblings, in: &buffer) { JSONText.append($1.description, to: &$0) }
        }
        buffer.append(UInt8(ascii: "\n"))
        return buffer.array
    }
}
