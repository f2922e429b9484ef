import SyncBytes
import SyncCoding
import SyncModel

/// What a conflict's loser had written.
struct LostValue: Equatable {
    var key: RecordKey
    var field: FieldName?
    /// Nil for a delete.
    var value: FieldValue?
    /// When it was lost, in milliseconds since 1970.
    var milliseconds: Int64

    init(key: RecordKey, field: FieldName?, value: FieldValue?, milliseconds: Int64) {
        self.key = key
        self.field = field
        self.value = value
        self.milliseconds = milliseconds
    }

    var encoded: [UInt8] {
        var encoder = StateEncoder()
        encoder.append(key)
        encoder.append(field == nil ? 0 : 1 as UInt8)
        encoder.append(field?.rawValue ?? "")
        encoder.append(value)
        encoder.append(milliseconds)
        return encoder.bytes
    }

    init(encoded bytes: [UInt8]) throws(CodingFailure) {
        var decoder = try StateDecoder(bytes)
        key = try decoder.key()
        let hasField = try decoder.flag()
        let name = try decoder.text()
        field = hasField ? FieldName(name) : nil
        value = try decoder.optionalValue()
        milliseconds = try decoder.signedNumber()
        try decoder.finish()
    }
}
