package import AuditLog
import ConflictAudit
package import SyncModel

/// What all lines say was lost of one record, and what became of writes whose device's store was put back from a backup.
///
/// A value type; its owner guards it.
package struct RecordLosses: EventObserver, Sendable {
    /// The losses.
    package private(set) var ledger = LossLedger()
    /// The writes to the record that go by another name since.
    package private(set) var renamed = RenamedWrites()
    /// Where stores were put back.
    package private(set) var restarts = StoreRestarts()
    private let key: RecordKey
    private var chosen: ChosenRecords

    /// Nothing known of a record.
    package init(of key: RecordKey) {
        self.key = key
        chosen = ChosenRecords([key])
    }

    package static var choosesLines: Bool { true }

    package mutating func begin(_ input: EventSource.Input) { restarts.begin() }

    /// Chooses the conflicts over the record, and the writes to it that its own device has logged.
    package mutating func chooses(_ line: ScannedLine, _ names: ScannedNames) -> Bool {
        if chosen.contain(line, names), line.isConflict || restarts.isOwn(line, names) { return true }
        return restarts.chooses(line, names)
    }

    /// Records what a conflict over the record discarded, or that a write has got another name.
    package mutating func observe(_ line: AuditLine, at location: AuditLogReader.Location) {
        switch line.event.content {
        case .conflict(let conflict) where conflict.key == key: ledger.observe(line, at: location)
        case .write(let write):
            restarts.observe(write, in: line.source, at: location, isOfRecord: write.key == key)
            if write.key == key { renamed.observe(write, source: line.source, sequence: line.sequence) }
        default: break
        }
    }
}
