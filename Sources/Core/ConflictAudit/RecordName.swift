public import SyncModel

/// What people call a record: the value of the field that the rules name for its type, as it was shown when a conflict was found.
///
/// ```swift
/// if let name = conflict.name { print("\(conflict.key.type) \(name.text)") }
/// ```
///
/// A value; safe to share.
public struct RecordName: Hashable, Sendable {
    /// The field that holds it.
    public let field: FieldName
    /// Its value, not empty: of a longer one the first ``maximumLength`` Unicode scalars.
    public let text: String

    /// How many Unicode scalars of a value a name has at most.
    public static let maximumLength = 200

    /// The name that a field gives its record.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - value: Its value.
    /// - Returns: Nil where the value is no string, or an empty one.
    /// - Complexity: O(1): no more of the value is looked at than is kept.
    public init?(field: FieldName, value: FieldValue?) {
        guard let text = value?.string, !text.isEmpty else { return nil }
        self.field = field
        let scalars = text.unicodeScalars
        let end = scalars.index(scalars.startIndex, offsetBy: Self.maximumLength, limitedBy: scalars.endIndex)
        self.text = end.map { String(scalars[..<$0]) } ?? text
    }
}

extension AuditRules {
    /// The fields that may hold what people call a record of a type, the most telling first.
    package func displayFields(of type: RecordType) -> [FieldName] {
        displayFields[type].map { [$0] + displayFieldsInAnyType } ?? displayFieldsInAnyType
    }

    /// Whether the records of any type have names.
    package var namesRecords: Bool { !(displayFields.isEmpty && displayFieldsInAnyType.isEmpty) }

    /// What the record of two writes is called.
    ///
    /// - Parameters:
    ///   - key: The record.
    ///   - writes: Those that met: one of them may hold the name that is shown no more.
    ///   - earlier: What the record was called before it was deleted.
    ///   - shown: What the record shows of a field.
    /// - Returns: Nil where the rules name no field of the type, or none of these has a value of it that is a name.
    package func name(
        of key: RecordKey, besides writes: [TaggedWrite], earlier: RecordName? = nil, shown: (FieldName) throws -> FieldValue?
    ) rethrows -> RecordName? {
        for field in displayFields(of: key.type) {
            if let name = RecordName(field: field, value: try shown(field)) { return name }
            for write in writes where write.key == key {
                if let name = RecordName(field: field, value: write.value(of: field)) { return name }
            }
        }
        return earlier
    }
}
