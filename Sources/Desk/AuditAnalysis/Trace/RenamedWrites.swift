package import SyncModel

/// The writes that a device wrote anew under another name, because its store had been put back from a backup and their names were others'.
///
/// The new name of the writer is the device's, `~` and eight hexadecimal digits. A write keeps its time, record and operation; a running
/// total may change.
///
/// - Complexity: memory grows with the writes of such writers. A value type; its owner guards it.
package struct RenamedWrites: Sendable {
    /// What a write keeps.
    package struct Signature: Hashable, Sendable {
        private let timestamp: HybridTimestamp
        /// A hash of record and operation.
        private let target: Int

        /// - Parameter target: As ``target(_:isDelete:)`` makes it.
        package init(timestamp: HybridTimestamp, target: Int) { (self.timestamp, self.target) = (timestamp, target) }

        /// What a write keeps.
        package init(_ write: TaggedWrite) {
            self.init(timestamp: write.timestamp, target: Self.target(write.key, isDelete: write.isDelete))
        }

        /// A hash of record and operation.
        package static func target(_ key: RecordKey, isDelete: Bool) -> Int {
            var hasher = Hasher()
            hasher.combine(key)
            hasher.combine(isDelete)
            return hasher.finalize()
        }
    }

    /// By device, the writers that made a write last, and the numbers of the lines that tell so.
    private var writers: [DeviceID: [Signature: (name: DeviceID, sequence: UInt64)]] = [:]

    /// None.
    package init() {}

    /// Whether no write of a later writer was told of.
    package var isEmpty: Bool { writers.isEmpty }

    /// Takes a write that a log tells of.
    ///
    /// - Parameter sequence: The number of the line, so that a log's files may come in any order; nil where it has none.
    package mutating func observe(_ write: TaggedWrite, source: DeviceID?, sequence: UInt64? = nil) {
        guard let source, write.dot.device.isLaterWriter(of: source) else { return }
        let (signature, sequence) = (Signature(write), sequence ?? .max)
        if let known = writers[source]?[signature], known.sequence > sequence { return }
        writers[source, default: [:]][signature] = (write.dot.device, sequence)
    }

    /// Whether a writer's device has written anything anew.
    package func concerns(_ writer: DeviceID) -> Bool { writers[writer.firstWriter] != nil }

    /// Whether a write of that writer goes by another name since.
    package func contains(_ signature: @autoclosure () -> Signature, of writer: DeviceID) -> Bool {
        guard let renamed = writers[writer.firstWriter] else { return false }
        return renamed[signature()].map { $0.name != writer } ?? false
    }

    /// Whether a write goes by another name since.
    package func contain(_ write: TaggedWrite) -> Bool { contains(Signature(write), of: write.dot.device) }
}
