public import ConflictAudit
import SyncBytes
import SyncMerge
public import SyncModel

/// The limits of a batch, of a write, and of what waits to be sent.
///
/// ```swift
/// var configuration = ReplicaConfiguration()
/// configuration.outboxLimits = OutboxLimits(writesPerBatch: 50)
/// ```
public struct OutboxLimits: Hashable, Sendable {
    /// Writes in one batch at most; 1 or more.
    public var writesPerBatch: Int

    /// Bytes in one batch at most.
    ///
    /// A write that is larger by itself travels alone.
    public var bytesPerBatch: Int

    /// Bytes of one write to a record at most, its assets left out.
    ///
    /// A larger write is set aside.
    public var bytesPerRecord: Int

    /// Bytes of one asset at most, decoded; see `AssetWrite.byteCount`.
    ///
    /// A write with a larger one is set aside.
    public var bytesPerAsset: Int

    /// Bytes that may wait in the outbox before `OutboxStatus/isOverWarningLevel` says so.
    ///
    /// Nothing is refused.
    public var queuedBytesWarning: Int

    /// Limits.
    ///
    /// - Parameters:
    ///   - writesPerBatch: Writes in one batch at most; 1 or more, 200 unless given.
    ///   - bytesPerBatch: Bytes in one batch at most; 1 MB unless given.
    ///   - bytesPerRecord: Bytes of one write at most, its assets left out; 1 MB unless given.
    ///   - bytesPerAsset: Bytes of one asset at most; 50 MB unless given.
    ///   - queuedBytesWarning: Bytes that may wait before a warning; 3 MB unless given. A megabyte is 1,000,000 bytes.
    public init(
        writesPerBatch: Int = 200, bytesPerBatch: Int = 1_000_000, bytesPerRecord: Int = 1_000_000, bytesPerAsset: Int = 50_000_000,
        queuedBytesWarning: Int = OutboxStatus.defaultWarningBytes
    ) {
        precondition(writesPerBatch >= 1, "a batch holds at least one write")
        self.writesPerBatch = writesPerBatch
        self.bytesPerBatch = bytesPerBatch
        self.bytesPerRecord = bytesPerRecord
        self.bytesPerAsset = bytesPerAsset
        self.queuedBytesWarning = queuedBytesWarning
    }

    /// Why a write is too large to be sent, nil where it is not.
    ///
    /// - Parameter bytes: The write's size as it is stored and sent.
    func problem(with write: TaggedWrite, bytes: Int) -> String? {
        let assets = (write.fields ?? [:]).compactMap { field in AssetWrite(field.value).map { (name: field.name, asset: $0) } }
        for (name, asset) in assets where asset.byteCount > bytesPerAsset {
            return
                "the asset \(name.rawValue.quoted) has \(asset.byteCount) bytes, and \(bytesPerAsset) are allowed: make it smaller, or raise bytesPerAsset"
        }
        let rest = bytes - assets.reduce(0) { $0 + $1.asset.text.utf8.count }
        guard rest > bytesPerRecord else { return nil }
        return
            "the write has \(rest) bytes beside its assets, and \(bytesPerRecord) are allowed: write less at once, or raise bytesPerRecord"
    }
}

/// A write of this device that the hub does not have and will not get as it is.
///
/// ```swift
/// for item in try replica.setAsideWrites() {
///     print(item.write.dot, "is not sent:", item.reason)
/// }
/// ```
public struct SetAsideWrite: Hashable, Sendable {
    /// The write.
    public let write: TaggedWrite
    /// A sentence on why, and what to do.
    public let reason: String
}
