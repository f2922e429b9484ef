package import SyncModel

/// What several exports of the same records, one of each device or account, have different.
package struct CloudKitDifferences: Sequence, IteratorProtocol {
    /// A record that some lack, or a field that not all show the same of.
    package struct Difference: Hashable, Sendable {
        /// The record.
        package let key: RecordKey
        /// The field; nil where it is the record that some lack.
        package let field: FieldName?
        /// For each export the value; nil where it has none, or lacks the record.
        package let values: [FieldValue?]
        /// For each export when the record was last saved, in milliseconds since 1970.
        package let modified: [Int64?]
        /// The exports that lack the record, by their index.
        package let missing: [Int]
    }

    private let exports: [CloudKitRecords]
    private var keys: ArraySlice<RecordKey>
    private var found: [Difference] = []

    /// Compares exports.
    ///
    /// - Complexity: O(*n* log *n*) in the number of records and of their fields.
    package init(_ exports: [CloudKitRecords]) {
        self.exports = exports
        keys = exports.reduce(into: Set<RecordKey>()) { $0.formUnion($1.records.keys) }.sorted()[...]
    }

    /// The next difference, in order of record and field.
    package mutating func next() -> Difference? {
        while found.isEmpty, let key = keys.popFirst() { found = Self.differences(key, exports.map { $0.records[key] }).reversed() }
        return found.popLast()
    }

    private static func differences(_ key: RecordKey, _ records: [CloudKitRecords.Record?]) -> [Difference] {
        let modified = records.map { $0?.modified }
        let missing = records.indices.filter { records[$0] == nil }
        let present = records.compactMap(\.self)
        var differences: [Difference] = []
        if !missing.isEmpty {
            differences.append(
                Difference(key: key, field: nil, values: records.map { _ in nil }, modified: modified, missing: missing))
        }
        let names = present.reduce(into: Set<FieldName>()) { $0.formUnion($1.fields.names) }
        for name in names.sorted() where present.contains(where: { $0.fields[name] != present[0].fields[name] }) {
            differences.append(
                Difference(key: key, field: name, values: records.map { $0?.fields[name] }, modified: modified, missing: missing))
        }
        return differences
    }
}
