import AuditAnalysis
import ConflictAudit
import SyncModel

/// The writes that a device wrote anew under another name, because its store had been put back from a backup and their names were others'.
///
/// The new name of the writer is the device's, `~` and eight hexadecimal digits. A write keeps its time, record and operation; a running
/// total may change.
///
/// - Complexity: memory grows with the writes of such writers.
struct RenamedWrites: Sendable {
    /// What a write keeps.
    struct Signature: Hashable, Sendable {
        let timestamp: HybridTimestamp
        /// A hash of record and operation.
        let target: Int
    }

    /// By device, the writers that made a write last.
    private var writers: [DeviceID: [Signature: DeviceID]] = [:]

    var isEmpty: Bool { writers.isEmpty }

    /// Takes a write that a log tells of.
    mutating func observe(_ write: TaggedWrite, source: DeviceID?, _ signature: Signature) {
        guard let source, write.dot.device.isLaterWriter(of: source) else { return }
        writers[source, default: [:]][signature] = write.dot.device
    }

    /// Whether a writer's device has written anything anew.
    func concerns(_ writer: DeviceID) -> Bool { writers[writer.firstWriter] != nil }

    /// Whether a write of that writer goes by another name since.
    func contains(_ signature: Signature, of writer: DeviceID) -> Bool {
        writers[writer.firstWriter]?[signature].map { $0 != writer } ?? false
    }
}
