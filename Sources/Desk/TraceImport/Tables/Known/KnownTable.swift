import SyncModel

/// A table that a tool makes, as its documentation describes it: which columns are what, and what its words mean.
struct KnownTable: Sendable {
    /// What a column of JSON holds.
    enum Image: Sendable {
        case after
        /// The record as it was when somebody looked, perhaps after later changes: what the row itself changed says more.
        case later
        case before
        case changes
        case removed
        case nothing
    }

    /// The tool's name for the table, for a person.
    let name: String
    /// The columns by which it is known, without case: all are there.
    let marks: [String]
    /// Which column is what; of several the first that is there.
    ///
    /// With a plus sign between them, columns are one together; so are those whose names begin with what is before an asterisk.
    var roles: [RowKey: [String]] = [:]
    /// The column of a path of collections and documents in turn, which names the record and its type.
    var documentPath: String?
    /// The column of the time until which the record showed the row.
    var end: String?
    /// The columns that hold the record before and after, or what changed of it.
    var images: [String: Image] = [:]
    /// What words mean that no other tool writes.
    var words: [String: RowOperation] = [:]
    /// What words mean in the column that names fields, in lower case.
    var fieldWords: [String: RowOperation] = [:]
    /// The column of the value before, where each row names one field.
    var oldValue: String?
    /// Columns that say nothing of the record.
    var ignored: Set<String> = []
    /// Columns whose names begin so say nothing of the record.
    var ignoredPrefixes: [String] = []

    /// Whether columns hold the record.
    var hasImages: Bool { !images.isEmpty }

    /// What a column of JSON holds.
    func image(_ column: String) -> Image? { images[column.lowercased()] ?? nil }

    /// Whether a column holds others that are something.
    func opens(_ column: String) -> Bool {
        let prefix = column.lowercased() + "."
        return images.keys.contains { $0.hasPrefix(prefix) } || roles.values.contains { $0.contains { $0.hasPrefix(prefix) } }
    }

    /// Whether a column says nothing of the record.
    func ignores(_ column: String) -> Bool {
        let name = column.lowercased()
        return ignored.contains(name) || ignoredPrefixes.contains { name.hasPrefix($0) }
    }

    /// The table that columns are of; nil where it is none of those known.
    static func of(_ columns: [String]) -> KnownTable? {
        let names = Set(columns.map { $0.lowercased() })
        return all.first { $0.marks.allSatisfy(names.contains) }
    }
}
