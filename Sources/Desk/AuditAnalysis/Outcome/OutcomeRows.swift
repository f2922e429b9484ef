package import SyncMerge
package import SyncModel

/// The final rows of a system, by the names of their records.
package struct OutcomeRows: Sendable {
    /// The final state of one record.
    package struct Row: Sendable {
        /// All that is known of the record; of a row of CSV, whose values are strings, the value of every column.
        package let fields: FieldMap
        /// Whether the values are strings that spell values of any kind.
        package let isText: Bool

        /// A row.
        package init(fields: FieldMap, isText: Bool) {
            (self.fields, self.isText) = (fields, isText)
        }

        /// Whether the row says anything of a field: one of JSON does without it, one of CSV has a column for it.
        func holds(_ field: FieldName) -> Bool { !isText || fields[field] != nil }

        /// Whether the row shows a value; nil is a field that is not there.
        ///
        /// - Parameter policy: The policy of the field, nil where the record is one register: order means nothing in a set, and no count
        ///   is 0.
        package func shows(_ value: FieldValue?, in field: FieldName, under policy: MergePolicy?) -> Bool {
            ShownValue.areSame(shown(field, like: value), value, [policy])
        }

        /// The value shown, where it is a string read as the kind that another value has.
        func shown(_ field: FieldName, like other: FieldValue?) -> FieldValue? {
            guard let value = fields[field] else { return nil }
            guard isText, case .string(let text) = value else { return value == .null ? nil : value }
            return ShownValue(text, like: other).value
        }
    }

    /// Rows read, those included that repeat a record.
    package private(set) var count = 0
    /// Rows of a record of which a row had come; the first of each counts.
    package private(set) var repeats = 0
    /// The location of the first of these.
    package private(set) var firstRepeat: String?
    /// The types of which the outcome holds all records: one that is not there was deleted.
    package private(set) var types: Set<RecordType> = []
    package private(set) var rows: [RecordKey: Row] = [:]
    /// The columns of the types that come from CSV.
    private var columns: [RecordType: Set<FieldName>] = [:]

    /// No rows.
    package init() {}

    package mutating func insert(_ row: Row, of key: RecordKey, at location: @autoclosure () -> String) {
        count += 1
        if types.insert(key.type).inserted || columns[key.type] == nil, row.isText { columns[key.type] = Set(row.fields.sortedNames) }
        guard rows[key] == nil else {
            repeats += 1
            if firstRepeat == nil { firstRepeat = location() }
            return
        }
        rows[key] = row
    }

    /// Makes known that there is a table of a type, even if it has no rows.
    mutating func insert(_ type: RecordType) { types.insert(type) }

    /// Whether there is no column for a field.
    func lacks(_ field: FieldName, of type: RecordType) -> Bool { columns[type].map { !$0.contains(field) } ?? false }
}
