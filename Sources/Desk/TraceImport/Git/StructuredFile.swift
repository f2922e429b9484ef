import SyncBytes
import SyncModel

/// A JSON or property list file as records: its top-level entries, with their keys as fields.
///
/// An entry that is no object has one field, `value`. A null is taken as an absent field.
struct StructuredFile {
    /// How a file is written.
    enum Form: String {
        case json
        case propertyList

        /// The form of a file by its name, nil for all others.
        init?(path: String) {
            let name = path.lowercased()
            if name.hasSuffix(".json") { self = .json } else if name.hasSuffix(".plist") { self = .propertyList } else { return nil }
        }
    }

    /// By their keys, which are bytes: keys that differ by their Unicode form are two.
    let entries: [RecordID: FieldMap]

    /// Reads a file; nil where it is malformed or no object at its top.
    init?(_ bytes: [UInt8], _ form: Form) {
        let value: FieldValue?
        switch form {
        case .json:
            // A byte order mark is no part of the data.
            value = try? JSONParser.parse(bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.span.extracting(3...) : bytes.span)
        case .propertyList: value = FieldValue(propertyList: bytes)
        }
        guard let object = value?.object else { return nil }
        var entries: [RecordID: FieldMap] = [:]
        for entry in object where entry.value != .null {
            var fields = FieldMap()
            if let own = entry.value.object {
                for field in own where field.value != .null { fields[field.name] = field.value }
            } else {
                fields["value"] = entry.value
            }
            entries[RecordID(entry.name.rawValue)] = fields
        }
        self.entries = entries
    }
}
