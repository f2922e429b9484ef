package import AuditLog
package import ConflictAudit
package import SyncModel

/// What people call records: the latest known value of the most telling field of theirs.
///
/// A conflict may say what its record was called when it was found: that is worth more than any field but the one that is named for the
/// type.
///
/// A value type; its owner guards it.
package struct RecordNames: EventObserver, Sendable {
    private let fields: [RecordType: FieldName]
    /// The fields that are tried where the field of the type gives no name, the most telling first.
    private let fallbacks: [FieldName]
    private var wanted: Set<RecordKey>?
    /// Those that are wanted, by a scanner's numbers.
    private var chosen: ChosenRecords?
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

    /// No fields: records are called as their conflicts say, or by their identities.
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
        chosen = wanted.map { ChosenRecords($0) }
        fallbacks = everywhere + (guesses ? Self.usualFields + ["email"] : [])
    }

    /// Whether there is any field that may hold a name, so that it is worth looking for one beside the conflicts.
    package var looksForAny: Bool { !fields.isEmpty || !fallbacks.isEmpty }

    /// Asks for no names but those of some records.
    package mutating func narrow(to keys: Set<RecordKey>) {
        wanted = keys
        chosen = ChosenRecords(keys)
        names = names.filter { keys.contains($0.key) }
    }

    package static var choosesLines: Bool { true }
    package var asksForNames: Bool { true }

    /// Chooses the lines about the records where a field may hold a name, and else the conflicts that state one.
    package mutating func chooses(_ line: ScannedLine, _ names: ScannedNames) -> Bool {
        (looksForAny || line.statesName) && chosen?.contain(line, names) != false
    }

    /// Looks for a name in whatever is logged.
    package mutating func observe(_ line: AuditLine, at location: AuditLogReader.Location) {
        switch line.event.content {
        case .conflict(let conflict): observe(conflict)
        case .write(let write) where looksForAny: learn(write.key, at: write.timestamp.milliseconds) { write.fields?[$0] }
        case .merge(let merge) where looksForAny: learn(merge.key, at: line.event.milliseconds) { merge.server.fields?[$0] }
        default: break
        }
    }

    /// Looks for a name in a conflict.
    package mutating func observe(_ conflict: Conflict) {
        if let name = conflict.name, wanted?.contains(conflict.key) != false {
            let rank = fields[conflict.key.type] == name.field ? 0 : Self.statedRank
            learn(conflict.key, Name(text: name.text, rank: rank, milliseconds: conflict.milliseconds))
        }
        guard looksForAny else { return }
        for side in [conflict.loser, conflict.winner] {
            learn(conflict.key, at: side.timestamp.milliseconds) { field in
                conflict.field == nil ? side.value?.object?[field] : conflict.field == field ? side.value : nil
            }
        }
    }

    /// The rank of a name that a conflict states: behind the field that is named for the type.
    private static let statedRank = 1

    private mutating func learn(_ key: RecordKey, at milliseconds: Int64, value: (FieldName) -> FieldValue?) {
        if wanted?.contains(key) == false { return }
        func name(_ field: FieldName, rank: Int) -> Name? {
            RecordName(field: field, value: value(field)).map { Name(text: $0.text, rank: rank, milliseconds: milliseconds) }
        }
        if let own = fields[key.type], let name = name(own, rank: 0) { return learn(key, name) }
        for (index, field) in fallbacks.enumerated() {
            if let name = name(field, rank: Self.statedRank + 1 + index) { return learn(key, name) }
        }
    }

    private mutating func learn(_ key: RecordKey, _ name: Name) {
        if let known = names[key] {
            if known < name { names[key] = name }
        } else if names.count < Self.limit {
            names[key] = name
        }
    }

    /// The fields that may hold the name of a record, the most telling first.
    ///
    /// - Parameter stated: The field by which a conflict calls it.
    package func fields(of type: RecordType, stated: FieldName?) -> [FieldName] {
        [fields[type], stated].compactMap(\.self) + fallbacks
    }

    /// What a record is called; nil where no name is known.
    package subscript(key: RecordKey) -> String? { names[key]?.text }
}
