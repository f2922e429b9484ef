import AuditLog
import SyncMerge
package import SyncModel

/// The size of a value in a record.
package struct ValueSize: Hashable, Sendable {
    /// Bytes: of an asset decoded, of a string its own, of anything else its JSON's.
    ///
    /// Of a value that a log has cut, those of the whole.
    package let bytes: Int
    /// Whether the value counts as an asset beside its record.
    package let isAsset: Bool

    /// A size.
    package init(bytes: Int, isAsset: Bool) {
        self.bytes = bytes
        self.isAsset = isAsset
    }

    /// Measures a value; nil where the log has left it out.
    ///
    /// - Complexity: O(*n*) in the length of a string, of an asset or of what is parsed; O(1) in other values of a trace.
    package init?(_ written: WrittenValue) {
        guard written.mayBeObject(withKeyPrefix: "$") else {
            self.init(bytes: written.length, isAsset: false)
            return
        }
        let value = written.value
        if let asset = AssetWrite(value) {
            self.init(bytes: asset.byteCount, isAsset: true)
        } else if let cut = TruncatedValue(value) {
            let isAsset = cut.start.hasPrefix(Self.assetStart)
            // Whatever a line says, many of them add up without an overflow.
            let whole = min(cut.bytes, Self.largest)
            // Its base64 is between the quotes of an object with one key.
            self.init(bytes: isAsset ? max(0, whole - Self.assetStart.utf8.count - 2) / 4 * 3 : whole, isAsset: isAsset)
        } else if let fields = value.object, fields.count == 1, fields["$omitted"] != nil {
            return nil
        } else {
            self.init(bytes: written.length, isAsset: false)
        }
    }

    private static let largest = Int(clamping: Int64(1) << 36)
    private static let assetStart = #"{"$asset":""#
}
