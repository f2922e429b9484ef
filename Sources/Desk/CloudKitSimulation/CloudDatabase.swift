import SyncBytes
import SyncModel

/// The private database of one account, as CloudKit keeps it: records with fields, a number for every change, tokens to fetch from.
struct CloudDatabase {
    /// What a field holds, and which version of it that really is; stamps have no version.
    struct Cell: Equatable {
        var value: FieldValue
        var version: Int?
    }

    struct Record {
        var cells: [FieldName: Cell] = [:]
        /// The number of its last change: where it is in a fetch, and what a check compares.
        var number: UInt64 = 0
        /// The delete, as a version, where it is deleted.
        var deletion: Int?
        /// Who changed it since, by number.
        var writers: [(number: UInt64, device: Int)] = []
    }

    enum SavePolicy: CaseIterable {
        /// The fields sent replace those there, unchecked: the last export of each wins.
        case changedKeys
        /// Refused unless the record is as the device last had it.
        case ifServerRecordUnchanged
        /// The whole record replaces the one there, unchecked.
        case allKeys
    }

    struct Save {
        var key: RecordKey
        /// The fields to send; nil deletes the record.
        var cells: [FieldName: Cell]?
        /// The delete as a version.
        var deletion: Int?
        /// The number that the device last had.
        var base: UInt64
    }

    enum Outcome {
        case saved(UInt64)
        case serverRecordChanged(Record)
    }

    static let batchLimit = 400

    private(set) var records: [RecordKey: Record] = [:]
    private(set) var number: UInt64 = 0

    /// Takes one record of a batch.
    ///
    /// - Returns: The outcome, and which versions it replaced by which others.
    mutating func save(_ save: Save, policy: SavePolicy, from device: Int) -> (outcome: Outcome, replaced: [(old: Int, new: Int)]) {
        var record = records[save.key] ?? Record()
        if policy == .ifServerRecordUnchanged, record.number != save.base { return (.serverRecordChanged(record), []) }
        number += 1
        record.number = number
        record.writers.append((number, device))
        var replaced: [(old: Int, new: Int)] = []
        if let cells = save.cells {
            // A deleted record is made anew, with what is sent and nothing else.
            if let deletion = record.deletion {
                for cell in cells.values { if let version = cell.version { replaced.append((deletion, version)) } }
                record.cells = [:]
            }
            record.deletion = nil
            for (name, cell) in cells {
                if let old = record.cells[name]?.version, let new = cell.version, old != new { replaced.append((old, new)) }
                record.cells[name] = cell
            }
        } else if let deletion = save.deletion {
            for cell in record.cells.values { if let version = cell.version { replaced.append((version, deletion)) } }
            record.cells = [:]
            record.deletion = deletion
        }
        records[save.key] = record
        return (.saved(number), replaced)
    }

    /// A page of the records that changed after a token, in the order of their last changes.
    func changes(since token: UInt64, limit: Int) -> (page: [(key: RecordKey, record: Record)], token: UInt64, hasMore: Bool) {
        let changed = records.filter { $0.value.number > token }.ordered { $0.value.number < $1.value.number }
        let page = changed.prefix(limit).map { (key: $0.key, record: $0.value) }
        return (page, page.last?.record.number ?? token, changed.count > limit)
    }
}
