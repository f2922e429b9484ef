import SyncModel

/// Which columns of a table are what.
struct TableColumns {
    /// Where each comes from; of several the first that has a value in a row.
    var sources: [RowKey: [TableValue]] = [:]
    /// How the times of a column are written.
    var times: [TableValue: ColumnTimes] = [:]
    /// The plain columns that are fields, in the order of their names, where no column holds the record.
    var fieldCells: [(name: FieldName, cell: Int)] = []
    /// The fields of the record that are none, where columns hold the record.
    var excluded: Set<FieldName> = []
    /// The fields of the record that a person has named; nil for all that are not excluded.
    var onlyFields: Set<FieldName>?
    /// The plain column of the value before, where each row names one field.
    var oldValue: Int?
    /// The plain column that tells until when the record showed the row, and how it is written.
    var end: (cell: Int, times: ColumnTimes)?
    /// What the operations' words mean.
    var words = OperationWords()
    /// What rows did that tell it in the column of fields, in lower case.
    var fieldWords: [String: RowOperation] = [:]
    /// Whether the rows come newest first, and no number of theirs says so.
    var isReversed = false
    /// What tells that the newest row comes first, for a person.
    var reversal = ""
    /// Whether rows that delete show in the column of the record after what was removed, as it was before.
    var deletesShowRemoved = true
    /// What rows that delete say of the removed row alone, as where a trigger copies that one into the history.
    var repeatedByDeletes: Set<RowKey> = []
    /// Whether nothing says in which order the rows were saved but their order in the table.
    var isOrderUnknown = false
    /// What each column was taken for.
    var sentences: [String] = []
    /// The columns that may say who saved, for a person who has to say it.
    var authorCandidates: [String] = []
    /// Whether an empty cell is a field that its row does not name, as where rows show only what changed.
    var showsChangesAlone = false
    /// The column that says who replaced each row.
    var replacer: String?
    /// The column that numbers the rows.
    var orderColumn: String?
    /// Whether more rows may tell more than these.
    var wantsMoreRows = false
    /// How much a table looks like a history, to choose between tables.
    var likeness = 0
}

/// What says yes or no.
enum RowFlag {
    /// Whether a value says yes; nil where it says neither.
    static func isTrue(_ value: FieldValue) -> Bool? {
        switch value {
        case .bool(let flag): flag
        case .null: false
        default:
            switch value.plainText.lowercased() {
            case "0", "false", "f", "no", "n", "", "0.0": false
            case "1", "true", "t", "yes", "y": true
            default: nil
            }
        }
    }
}

extension RowKey {
    /// The name by which a person is told to map it.
    var shown: String {
        switch self {
        case .revision: "version"
        case .parents: "base"
        case .hubSequence: "order"
        default: rawValue
        }
    }
}
