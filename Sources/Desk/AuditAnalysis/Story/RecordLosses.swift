package import AuditLog
import ConflictAudit
package import SyncModel

/// What all lines say was lost of one record.
///
/// A value type; its owner guards it.
package struct RecordLosses: EventObserver, Sendable {
    /// The losses.
    package private(set) var ledger = LossLedger()
    private let key: RecordKey
    private var chosen: ChosenRecords

    /// Nothing known of a record.
    package init(of key: RecordKey) {
        self.key = key
        chosen = ChosenRecords([key])
    }

    package static var choosesLines: Bool { true }

    /// Chooses the conflicts over the record.
    package mutating func chooses(_ line: ScannedLine, _ names: ScannedNames) -> Bool { line.isConflict && chosen.contain(line, names) }

    /// Records what a conflict over the record discarded.
    package mutating func observe(_ line: AuditLine, at location: AuditLogReader.Location) {
        if case .conflict(let conflict) = line.event.content, conflict.key == key { ledger.observe(line, at: location) }
    }
}
