package import ConflictAudit
package import SyncModel

/// What people call records: the latest known value of the most telling field of theirs.
///
/// A value type; its owner guards it.
package struct RecordNames: Sendable {
    private let fields: [RecordType: FieldName]
    /// The fields that are tried where the field of the type gives no name, the most telling first.
    private let fallbacks: [FieldName]
    private var wanted: Set<RecordKey>?
    private var names: [RecordKey: Name] = [:]

    private struct Name {
        let text: String
        /// The number of more telling fields.
        let rank: Int
        let milliseconds: Int64

        static func < (left: Name, right: Name) -> Bool {
            // Of two at once one, whichever was read first.
            left.rank != right.rank ? left.rank > right.rank : (left.milliseconds, left.text) < (right.milliseconds, right.text)
        }
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
    ///   - everywhere: Fields that hold the name in any type, the most telling first.
    ///   - wanted: The records whose names are asked for; nil for any.
    ///   - guesses: Whether records without a name by these fields are called by the fields that usually hold one.
    package init(
        fields: [RecordType: FieldName], everywhere: [FieldName] = [], wanted: Set<RecordKey>? = nil, guesses: Bool = false
    ) {
        self.fields = fields
        self.wanted = wanted
        fallbacks = everywhere + (guesses ? Self.usualFields + ["email"] : [])
    }

    /// Whether there is any field that may hold a name.
    package var looksForAny: Bool { !fields.isEmpty || !fallbacks.isEmpty }

    /// Asks for no names but those of some records.
    package mutating func narrow(to keys: Set<RecordKey>) {
        wanted = keys
        names = names.filter { keys.contains($0.key) }
    }

    /// Looks for a name in whatever is logged.
    package mutating func observe(_ event: AuditEvent) {
        guard looksForAny else { return }
        switch event.content {
        case .write(let write): learn(write.key, at: write.timestamp.milliseconds) { write.fields?[$0] }
        case .conflict(let conflict):
            for side in [conflict.loser, conflict.winner] {
                learn(conflict.key, at: side.timestamp.milliseconds) { field in
                    conflict.field == nil ? side.value?.object?[field] : conflict.field == field ? side.value : nil
                }
            }
        case .merge(let merge): learn(merge.key, at: event.milliseconds) { merge.server.fields?[$0] }
        default: break
        }
    }

    private mutating func learn(_ key: RecordKey, at milliseconds: Int64, value: (FieldName) -> FieldValue?) {
        if wanted?.contains(key) == false { return }
        for (rank, field) in ((fields[key.type].map { [$0] } ?? []) + fallbacks).enumerated() {
            guard let text = value(field)?.string, !text.isEmpty else { continue }
            let name = Name(text: String(text.unicodeScalars.prefix(200).map(Character.init)), rank: rank, milliseconds: milliseconds)
            if let known = names[key] {
                if known < name { names[key] = name }
            } else if names.count < Self.limit {
                names[key] = name
            }
            return
        }
    }

    /// What a record is called; nil where no name is known.
    package subscript(key: RecordKey) -> String? { names[key]?.text }
}
