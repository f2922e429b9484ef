package import ConflictAudit
package import SyncModel

/// What people call records: the latest known value of a field of theirs.
///
/// A value type; its owner guards it.
package struct RecordNames: Sendable {
    private let fields: [RecordType: FieldName]
    private let wanted: Set<RecordKey>?
    private var names: [RecordKey: Name] = [:]

    private struct Name {
        let text: String
        let milliseconds: Int64
    }

    /// What a field by whose value people know a record is likely to be called, the most telling first.
    static let usualFields: [FieldName] = ["fullName", "displayName", "name", "title", "label", "subject"]

    /// How many records have a name at most; those that come later keep their identity.
    package static let limit = 100_000

    /// No names: records are called by their identities.
    package static let none = RecordNames(fields: [:])

    /// Nothing known yet.
    ///
    /// - Parameters:
    ///   - fields: The field that holds the name, by type.
    ///   - wanted: The records whose names are asked for; nil for any.
    package init(fields: [RecordType: FieldName], wanted: Set<RecordKey>? = nil) {
        self.fields = fields
        self.wanted = wanted
    }

    /// Looks for a name in whatever is logged.
    package mutating func observe(_ event: AuditEvent) {
        if fields.isEmpty { return }
        switch event.content {
        case .write(let write):
            guard let field = fields[write.key.type], let value = write.fields?[field] else { return }
            learn(write.key, value, at: write.timestamp.milliseconds)
        case .conflict(let conflict):
            guard let field = fields[conflict.key.type] else { return }
            for side in [conflict.loser, conflict.winner] {
                let value = conflict.field == nil ? side.value?.object?[field] : conflict.field == field ? side.value : nil
                if let value { learn(conflict.key, value, at: side.timestamp.milliseconds) }
            }
        case .merge(let merge):
            guard let field = fields[merge.key.type], let value = merge.server.fields?[field] else { return }
            learn(merge.key, value, at: event.milliseconds)
        default: break
        }
    }

    private mutating func learn(_ key: RecordKey, _ value: FieldValue, at milliseconds: Int64) {
        guard let text = value.string, !text.isEmpty, wanted?.contains(key) != false else { return }
        if let known = names[key] {
            // Of two at once one, whichever was read first.
            guard (known.milliseconds, known.text) < (milliseconds, text) else { return }
        } else if names.count == Self.limit {
            return
        }
        names[key] = Name(text: String(text.unicodeScalars.prefix(200).map(Character.init)), milliseconds: milliseconds)
    }

    /// What a record is called; nil where no name is known.
    package subscript(key: RecordKey) -> String? { names[key]?.text }
}
