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
    /// Whether writers, by a scanner's numbers, are such as devices became.
    private var laterWriters: [Int32: Bool] = [:]

    /// Nothing known of a record.
    package init(of key: RecordKey) {
        self.key = key
        chosen = ChosenRecords([key])
    }

    package static var choosesLines: Bool { true }

    package mutating func begin(_ input: EventSource.Input) { restarts.begin() }

    /// Chooses the conflicts over the record, and the writes to it that a device has made under a later name.
    package mutating func chooses(_ line: ScannedLine, _ names: ScannedNames) -> Bool {
        if restarts.chooses(line, names) { return true }
        guard chosen.contain(line, names) else { return false }
        if line.isConflict { return true }
        if let isLater = laterWriters[line.device] { return isLater }
        let writer = DeviceID(names.devices.name(Int(line.device)).text)
        laterWriters[line.device] = writer != writer.firstWriter
        return writer != writer.firstWriter
    }

    /// Records what a conflict over the record discarded, or that a write has got another name.
    package mutating func observe(_ line: AuditLine, at location: AuditLogReader.Location) {
        switch line.event.content {
        case .conflict(let conflict) where conflict.key == key: ledger.observe(line, at: location)
        case .write(let write):
            restarts.observe(write, in: line.source, at: location)
            if write.key == key { renamed.observe(write, source: line.source) }
        default: break
        }
    }
}
