import SyncBytes
import SyncCoding
import SyncMerge
import SyncModel

// What a hub keeps to tell things apart that differ by accident, not by malice.

extension TaggedWrite {
    /// Equal for a write however often it is sent as it was made; that of another is most likely another.
    var fingerprint: UInt64 {
        TaggedWrite(dot: dot, timestamp: timestamp, key: key, operation: operation, seen: seen).encoded.fingerprint
    }
}

extension MergeRules {
    /// Equal for rules that keep and decide alike, as ``DeviceReport/rulesFingerprint`` reports it.
    var fingerprint: UInt64 {
        var encoder = StateEncoder()
        KeptRules(self).encode(into: &encoder)
        return encoder.bytes.fingerprint
    }
}

extension [UInt8] {
    /// From 1 to the largest number that every reader of JSON keeps.
    fileprivate var fingerprint: UInt64 { Swift.max(1, FNV1a.hash(span) & (1 << 53 - 1)) }
}
