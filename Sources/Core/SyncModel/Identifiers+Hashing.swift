public import SyncBytes

extension DeviceID {
    /// A keyed hash of the device and of what has been hashed before it; all 64 bits are usable.
    @inlinable package func quickHash(_ key: HashKey, after hash: UInt64? = nil) -> UInt64 { bytes.quickHash(key, after: hash) }
}

extension FieldName {
    /// A keyed hash of the name and of what has been hashed before it; all 64 bits are usable.
    @inlinable package func quickHash(_ key: HashKey, after hash: UInt64? = nil) -> UInt64 { bytes.quickHash(key, after: hash) }
}

extension RecordType {
    /// A keyed hash of the type and of what has been hashed before it; all 64 bits are usable.
    @inlinable package func quickHash(_ key: HashKey, after hash: UInt64? = nil) -> UInt64 { bytes.quickHash(key, after: hash) }
}

extension RecordKey {
    /// A keyed hash of the record's type and identity; all 64 bits are usable.
    @inlinable @inline(__always) package func quickHash(_ key: HashKey) -> UInt64 {
        id.bytes.quickHash(key, after: type.bytes.quickHash(key, after: nil))
    }
}

extension FNV1a {
    /// Adds the device and the number.
    package mutating func combine(_ dot: Dot) {
        combine(dot.device.bytes)
        combine(dot.sequence)
    }
}
