import SyncModel

/// What a write is whatever it is called: a store that was put back or copied writes it under another name, with another running total, or with every
/// field that its writer knew of.
struct WriteIdentity: Hashable, Sendable {
    private let device: String
    private let timestamp: HybridTimestamp
    private let key: RecordKey
    private let isDelete: Bool

    init(_ write: TaggedWrite) {
        device = write.dot.device.withoutWriter
        timestamp = write.timestamp
        key = write.key
        isDelete = write.isDelete
    }
}

extension DeviceID {
    /// The name that the device was given by its app.
    var withoutWriter: String { rawValue.split(separator: "~", maxSplits: 1).first.map(String.init) ?? rawValue }
}

extension TaggedWrite {
    /// Whether another is this write as some device has it: what is settled, or unknown to others, may be told with more fields.
    func isSameApartFromFields(as other: TaggedWrite) -> Bool {
        guard dot == other.dot, timestamp == other.timestamp, key == other.key, seen == other.seen, isDelete == other.isDelete else {
            return false
        }
        guard let fields, let others = other.fields else { return true }
        return fields.allSatisfy { others[$0.name] == nil || others[$0.name] == $0.value }
    }
}
