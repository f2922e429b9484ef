import SyncModel

/// What a write is whatever it is called: a store that was put back or copied writes it under another name, with another running total.
struct WriteIdentity: Hashable, Sendable {
    private let device: String
    private let timestamp: HybridTimestamp
    private let key: RecordKey
    private let fields: FieldMap?

    init(_ write: TaggedWrite) {
        device = write.dot.device.withoutWriter
        timestamp = write.timestamp
        key = write.key
        fields = write.fields.map { fields in
            var fields = fields
            // How far a device has counted depends on the name that it counts under.
            for field in fields where field.value.object?["$counter"] != nil { fields[field.name] = ["$counter": 0] }
            return fields
        }
    }
}

extension DeviceID {
    /// The name that the device was given by its app.
    var withoutWriter: String { rawValue.split(separator: "~", maxSplits: 1).first.map(String.init) ?? rawValue }
}
