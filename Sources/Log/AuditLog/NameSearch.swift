package import ConflictAudit
package import SyncModel

/// Looks for types and fields, by the names that options and files give them, in what is read.
///
/// Costs nothing once all of them have been found. A value type; its owner guards it.
package struct NameSearch: EventObserver, Sendable {
    /// A name as it is given, and all that it may mean.
    ///
    /// Types and fields may contain dots, so that `a.b.c` may be the field `b.c` of the type `a`, the field `c` of the type `a.b`, or a
    /// type.
    package struct Name: Hashable, Sendable {
        /// What gives the name: an option with its dashes, or a file.
        package let origin: String
        /// The name.
        package let text: String
        /// The types that it may mean.
        package let types: Set<RecordType>
        /// The fields that it may mean.
        package let fields: Set<ConflictStatistics.FieldKey>
        /// The field of any type that it means.
        package let anyField: FieldName?
        /// The record that it means.
        package let record: RecordKey?

        /// A name.
        package init(
            origin: String, text: String, types: Set<RecordType> = [], fields: Set<ConflictStatistics.FieldKey> = [],
            anyField: FieldName? = nil, record: RecordKey? = nil
        ) {
            self.origin = origin
            self.text = text
            self.types = types
            self.fields = fields
            self.anyField = anyField
            self.record = record
        }
    }

    /// The names not found so far, in the order in which they were given.
    package private(set) var missing: [Name]
    /// The types that occurred while a name was missing, as far as they are kept.
    package private(set) var types: Set<RecordType> = []
    /// The fields that occurred while a name was missing, as far as they are kept.
    package private(set) var fields: Set<ConflictStatistics.FieldKey> = []

    /// How many types, and how many fields, are kept: enough to name one that was meant.
    private static let maximumKept = 10_000

    /// Looks for names.
    package init(_ names: [Name]) {
        missing = names
    }

    /// Whether a name that an option gives is missing.
    package func lacks(option: String) -> Bool { missing.contains { $0.origin == "--" + option } }

    /// Whether any name is missing, so that there is something to look for.
    package var isSearching: Bool { !missing.isEmpty }

    /// Looks at a write.
    ///
    /// - Complexity: O(*f*) for *f* fields and each missing name.
    package mutating func observe(_ write: TaggedWrite) {
        guard !missing.isEmpty else { return }
        observe(write.key)
        for name in write.fieldNames ?? [] { observe(name, of: write.key.type) }
    }

    /// Looks at a conflict.
    package mutating func observe(_ conflict: Conflict) {
        guard !missing.isEmpty else { return }
        observe(conflict.key)
        if let field = conflict.field {
            observe(field, of: conflict.key.type)
        } else {
            // Of a record that is kept or dropped as a whole, the values name the fields.
            for case .object(let fields)? in [conflict.winner.value, conflict.loser.value] {
                for name in fields.names { observe(name, of: conflict.key.type) }
            }
        }
    }

    /// Looks at the versions that met in a merge.
    package mutating func observe(_ merge: RecordedMerge) {
        guard !missing.isEmpty else { return }
        observe(merge.key)
        for fields in [merge.ancestor?.fields, merge.client.fields, merge.server.fields] {
            for name in fields?.names.map(\.self) ?? [] { observe(name, of: merge.key.type) }
        }
    }

    /// Looks at a name.
    package mutating func observe(_ key: ConflictStatistics.FieldKey) {
        guard !missing.isEmpty else { return }
        observe(key.type)
        if let field = key.field { observe(field, of: key.type) }
    }

    /// Once no name is missing.
    package var isDone: Bool { missing.isEmpty }

    /// As long as any name is missing.
    package func chooses(_ line: ScannedLine, _ names: ScannedNames) -> Bool { isSearching }

    package static var choosesLines: Bool { true }

    /// Looks at whatever is logged.
    package mutating func observe(_ line: AuditLine, at location: AuditLogReader.Location) {
        switch line.event.content {
        case .write(let write): observe(write)
        case .conflict(let conflict): observe(conflict)
        case .merge(let merge): observe(merge)
        default: break
        }
    }

    /// Looks at a record.
    package mutating func observe(_ key: RecordKey) {
        observe(key.type)
        missing.removeAll { $0.record == key }
    }

    private mutating func observe(_ type: RecordType) {
        missing.removeAll { $0.types.contains(type) }
        if types.count < Self.maximumKept { types.insert(type) }
    }

    private mutating func observe(_ field: FieldName, of type: RecordType) {
        let key = ConflictStatistics.FieldKey(type: type, field: field)
        missing.removeAll { $0.anyField == field || $0.fields.contains(key) }
        if fields.count < Self.maximumKept { fields.insert(key) }
    }
}
