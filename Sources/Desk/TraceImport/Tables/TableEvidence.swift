import ConflictAudit
import SyncBytes
import SyncModel

/// What the rows of a table tell of whether anything can be found in them.
struct TableEvidence {
    private let table: JudgedTable
    /// Whether each record has come, by its number, and whether one has come again.
    private var hasCome: [Bool] = []
    private var hasRepeatedRecord = false
    private var authors: Set<DeviceID> = []
    private var creations = 0
    /// The type that each identity came with first, where rows tell types.
    private var types: [RecordID: RecordType] = [:]
    private var sharedIDs: Set<RecordID> = []
    private let tellsTypes: Bool

    init(_ table: JudgedTable) {
        self.table = table
        if case .constant? = table.columns.sources[.recordType]?.first { tellsTypes = false } else { tellsTypes = true }
    }

    mutating func observe(_ row: NumberedRow, _ numbers: SavedRowNumbers, isCreation: Bool) {
        if hasCome.count <= row.record { hasCome += repeatElement(false, count: row.record + 1 - hasCome.count) }
        if hasCome[row.record] {
            hasRepeatedRecord = true
        } else {
            hasCome[row.record] = true
            if tellsTypes { observe(numbers.records[row.record]) }
        }
        if authors.count < 2, let author = row.author { authors.insert(numbers.authors[author]) }
        if isCreation { creations += 1 }
    }

    private mutating func observe(_ key: RecordKey) {
        let type = types[key.id]
        if type == nil { types[key.id] = key.type } else if type != key.type { sharedIDs.insert(key.id) }
    }

    /// Why nothing can be found.
    func doubts(_ counts: SavedTable.Counts) -> [String] {
        guard counts.rows > 0 else {
            return [
                counts.skipped > 0 ? "no row could be understood" : "there are no rows, so there is nothing in which an edit could be lost"
            ]
        }
        var doubts: [String] = []
        if !hasRepeatedRecord { doubts.append(noHistory) }
        if hasRepeatedRecord, creations == counts.rows {
            doubts.append("all rows are creations, so no edit is among them; give the table that remembers changes too")
        }
        if authors.count < 2 { doubts.append(oneAuthor) }
        return doubts
    }

    private var noHistory: String {
        let column = table.recordColumn.quoted
        if let id = sharedIDs.min() {
            return
                "no two rows are of one record, though \(column) repeats: \(id.rawValue.quoted) comes with two types; if the types are no part of the record's "
                + "name, add --map recordType=:record"
        }
        var sentence =
            "no two rows have the same \(column): this is each record as it stands and no history, and nothing can be found in it"
        if let other = table.otherRecords.first {
            sentence += "; if \(other.quoted) names the record, add \(RowColumns.option(map: [(.recordID, other)]))"
        } else {
            sentence += "; give the table that remembers each version, as an audit log or a history table does"
        }
        return sentence
    }

    private var oneAuthor: String {
        let candidates = table.columns.authorCandidates
        let option = RowColumns.option(map: [(.device, candidates.first ?? "COLUMN")])
        guard let author = authors.first else {
            if candidates.isEmpty, let replacer = table.columns.replacer?.quoted {
                return
                    "\(replacer) says who replaced a row and not who saved it, and no column says that; give each row its own author, as "
                    + "a query does that takes \(replacer) from the record's row before, with --query"
            }
            return
                "no column says who saved the rows, and without that no edit of one author can be lost to another; say which does, as with \(option)"
        }
        let other = candidates.first { name in table.columns.sources[.device]?.contains { shown($0) == name } != true }
        return
            "all rows were saved by \(author.rawValue.quoted), and who is alone loses no edit to another; if another column says who saved, add "
            + RowColumns.option(map: [(.device, other ?? "COLUMN")])
    }

    private func shown(_ source: TableValue) -> String? {
        if case .cell(let cell) = source { table.shape.cells[cell] } else { nil }
    }

    /// What is to be known of the rows.
    var notes: [String] {
        guard !sharedIDs.isEmpty, hasRepeatedRecord, let id = sharedIDs.min() else { return [] }
        let count = sharedIDs.count
        return [
            "\(count == 1 ? "one identity comes" : "\(count) identities come") with more than one type, as \(id.rawValue.quoted) does: each "
                + "type has a record of "
                + "its own then; --map recordType=:record takes them as one"
        ]
    }
}
