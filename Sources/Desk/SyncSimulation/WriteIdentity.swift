import SyncModel

/// What a write is whatever it is called: a store that was put back or copied writes it under another name, or with another running
/// total.
struct WriteIdentity: Hashable, Sendable {
    private let device: DeviceID
    private let timestamp: HybridTimestamp
    private let key: RecordKey
    private let isDelete: Bool

    init(_ write: TaggedWrite) {
        device = write.dot.device.firstWriter
        timestamp = write.timestamp
        key = write.key
        isDelete = write.isDelete
    }
}
