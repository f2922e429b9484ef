package import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncLines
import SyncMerge
import SyncModel

/// Writes a ledger for other programs.
package enum LedgerDocument {
    /// The ledger as one JSON object on one line: `{"losses":[{"id":…,"status":…,…}]}`, the latest loss first.
    ///
    /// A loss has `id`, `status` (lost, waiting, decided, restored), `recoverability` (available, omitted, truncated, not_applicable),
    /// `proven`, `kind`, `severity`, `recordType`, `recordID`, `name`?, `field`?, `device`, `written`, `op`, `lostTo`, `policy`, `reason`,
    /// `characters` and `value`?. `isUnaudited` is true where there are writes in which nobody has looked for conflicts, so that no loss
    /// says nothing; `writesWithoutContext` is how many write lines carry no causal context, so that of these nothing can be proven.
    /// `restoredIsKnown` is false where no write line was read, which alone tells of values that were written again.
    package static func json(_ ledger: LossLedger) -> [UInt8] {
        var buffer = LineBuffer()
        buffer.object { object in
            object.field("isUnaudited", ledger.evidence.isUnaudited)
            object.field("writesWithoutContext", ledger.evidence.writes - (ledger.evidence.withContext ?? 0))
            object.field("restoredIsKnown", ledger.hasWrites)
            object.list("losses", ledger.losses) { object, loss in
                object.object { row in
                    let conflict = loss.conflict
                    row.field("id", conflict.id.description)
                    row.field("status", loss.status.rawValue)
                    row.field("recoverability", loss.recoverability.rawValue)
                    row.field("proven", conflict.isProven)
                    row.field("kind", conflict.kind.rawValue)
                    row.field("severity", conflict.severity.rawValue)
                    row.record(conflict.key)
                    if let name = conflict.name { row.field("name", name.text) }
                    if let field = conflict.field { row.field("field", field.rawValue) }
                    row.field("device", conflict.loser.dot.device.rawValue)
                    row.date("written", loss.milliseconds)
                    row.field("op", conflict.loser.operation.rawValue)
                    row.field("lostTo", conflict.winner.dot.device.rawValue)
                    row.field("policy", conflict.policy)
                    row.field("reason", conflict.reason.rawValue)
                    row.field("characters", loss.characters)
                    if let value = conflict.loser.value { row.field("value", value) }
                }
            }
        }
        buffer.append(UInt8(ascii: "\n"))
        return buffer.array
    }

    /// The ledger as comma-separated values with a line of names, the latest loss first; the value is JSON.
    package static func csv(_ ledger: LossLedger) -> String {
        var text = CSVText.line([
            "id", "status", "recoverability", "proven", "kind", "severity", "recordType", "recordID", "field", "device", "written", "op",
            "lostTo",
            "policy", "reason", "characters", "value",
        ])
        for loss in ledger.losses {
            let conflict = loss.conflict
            text += CSVText.line([
                conflict.id.description, loss.status.rawValue, loss.recoverability.rawValue, conflict.isProven ? "true" : "false",
                conflict.kind.rawValue, conflict.severity.rawValue, conflict.key.type.rawValue.escaped(for: .spreadsheet),
                conflict.key.id.rawValue.escaped(for: .spreadsheet), (conflict.field?.rawValue ?? "").escaped(for: .spreadsheet),
                conflict.loser.dot.device.rawValue.escaped(for: .spreadsheet), RFC3339.string(milliseconds: loss.milliseconds),
                conflict.loser.operation.rawValue, conflict.winner.dot.device.rawValue.escaped(for: .spreadsheet),
                conflict.policy.escaped(for: .spreadsheet),
                conflict.reason.rawValue, String(loss.characters), conflict.loser.value.map { CSVText.json($0) } ?? "",
            ])
        }
        return text
    }
}
