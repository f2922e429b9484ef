import SyncBytes
import SyncModel

/// Judges the columns of a table by their values and names together.
struct TableJudge {
    var sample: TableSample
    let reading: TableReading
    let known: KnownTable?
    let shape: TableShape
    var result = TableColumns()
    /// The columns that are something already.
    var taken: Set<TableValue> = []
    /// The first column of each key, in the sample.
    var chosen: [RowKey: SampleColumn] = [:]
    /// The rows of each record, by their numbers in the sample, in the order of saving as far as it is known.
    var records: [[Int]] = []
    /// The record of each row; -1 where it has none.
    var recordIDs: SampleColumn?
    /// Columns of numbers that do not follow the server's order.
    var notOrder: Set<TableValue> = []
    /// The columns that are fields, and those that are none, and why.
    var kept: [SampleColumn] = []
    var rejected: [(column: SampleColumn, reason: NoField)] = []

    /// The columns of a table.
    ///
    /// - Parameters:
    ///   - type: The type of the records where nothing tells it.
    ///   - file: The name of the file, which may be the device; nil where there is none.
    static func columns(
        _ sample: TableSample, _ shape: TableShape, known: KnownTable?, _ reading: TableReading, type: String, file: String?
    ) throws(RowMapping.Problem) -> TableColumns {
        var judge = TableJudge(sample: sample, reading: reading, known: known, shape: shape)
        try judge.applyMapping(file: file)
        judge.applyKnown()
        judge.findOperations()
        try judge.findRecord(type)
        judge.findOrder()
        judge.findAuthor()
        judge.lookAtDeletes()
        judge.findVersions()
        judge.findTimes()
        judge.settleOrder()
        judge.findRepeatedByDeletes()
        try judge.findFields()
        judge.describe()
        judge.measureLikeness()
        judge.result.wantsMoreRows = judge.wantsMoreRows
        return judge.result
    }

    private init(sample: TableSample, reading: TableReading, known: KnownTable?, shape: TableShape) {
        (self.sample, self.reading, self.known, self.shape) = (sample, reading, known, shape)
        result.words.own = known?.words ?? [:]
        result.fieldWords = known?.fieldWords ?? [:]
    }

    /// The columns that are nothing yet.
    var free: [SampleColumn] { sample.columns.filter { !taken.contains($0.source) && !isIgnored($0) } }

    /// Whether a column says nothing of the record, as is known of the table.
    func isIgnored(_ column: SampleColumn) -> Bool { !column.isImage && known?.ignores(column.shown) == true }

    /// The column that a person means by a name: as it is shown, else a field of the record of that name.
    mutating func column(named name: String) -> SampleColumn? {
        single(named: name) ?? joined(name.split(separator: "+").map { single(named: String($0)) }, shown: name)
    }

    /// The column of a name: as it is shown, else a field of the record of that name.
    func single(named name: String) -> SampleColumn? {
        if let exact = sample.columns.first(where: { $0.shown == name }) { return exact }
        return sample.columns.first { $0.source == .image(FieldName(name)) }
    }

    /// A column of several together, which are nothing else then; nil where one of them is not there, or there are not several.
    mutating func joined(_ columns: [SampleColumn?], shown: String) -> SampleColumn? {
        let parts = columns.compactMap { $0 }
        guard parts.count > 1, parts.count == columns.count else { return nil }
        taken.formUnion(parts.map(\.source))
        return made(.joined(parts.map(\.source)), shown: shown)
    }

    /// A column that is made of others.
    private mutating func made(_ source: TableValue, shown: String) -> SampleColumn {
        let column = sample.column(source, shown: shown)
        sample.columns.append(column)
        return column
    }

    /// The column that a known table names: one, several with plus signs between them, or all whose names begin alike.
    private mutating func column(known name: String) -> SampleColumn? {
        func free(_ isMeant: (String) -> Bool) -> [SampleColumn] {
            sample.columns.filter { !$0.isImage && !taken.contains($0.source) && isMeant($0.shown.lowercased()) }
        }
        if name.hasSuffix("*") {
            let all = free { $0.hasPrefix(name.dropLast()) }
            return all.count > 1 ? joined(all, shown: all.map(\.shown).joined(separator: "+")) : all.first
        }
        let parts = name.split(separator: "+").map { part in free { $0 == part }.first }
        if parts.count == 1 { return parts[0] }
        return joined(parts, shown: parts.compactMap { $0?.shown }.joined(separator: "+"))
    }

    /// Says that a column is something.
    mutating func take(_ column: SampleColumn, as key: RowKey) {
        result.sources[key, default: []].append(column.source)
        taken.insert(column.source)
        if chosen[key] == nil { chosen[key] = column }
        if key == .timestamp || key == .received { result.times[column.source] = column.times }
    }

    private mutating func applyMapping(file: String?) throws(RowMapping.Problem) {
        for (key, text) in reading.mapping.given.ordered(by: { $0.key.rawValue < $1.key.rawValue }) {
            if let column = column(named: text) {
                if key == .timestamp || key == .received, column.times == nil, column.told > 0 {
                    throw RowMapping.Problem(
                        sentence:
                            "\(text.quoted) holds \(column.values.first?.described ?? ""), which is no time: map \(key.shown) to another column"
                    )
                }
                take(column, as: key == .cursor ? .parents : key)
            } else if text.hasPrefix(":") {
                result.sources[key] = [.constant(try RowMapping.constant(text, for: key, file: file))]
            } else {
                throw RowMapping.Problem(
                    sentence:
                        "there is no column \(text.quoted), which --map takes as \(key.shown); a value for all rows is written \(key.shown)=:\(text). "
                        + listing)
            }
        }
        if (result.sources[.field] == nil) != (result.sources[.value] == nil) {
            throw RowMapping.Problem(sentence: "field and value go together: map both, or neither")
        }
    }

    /// The columns, for a person.
    var listing: String {
        if sample.columns.isEmpty { return "The rows name none" }
        let names = sample.columns.prefix(16).map(\.shown.quoted).joined(separator: ", ")
        return "There are \(names)\(sample.columns.count > 16 ? ", …" : "")"
    }

    private mutating func applyKnown() {
        guard let known else { return }
        for (key, names) in known.roles.ordered(by: { $0.key.rawValue < $1.key.rawValue }) where result.sources[key] == nil {
            for name in names {
                guard let column = column(known: name), column.told > 0 || key == .recordID else { continue }
                if key == .timestamp || key == .received, column.times == nil { continue }
                if key == .hubSequence, !column.areNumbers { continue }
                take(column, as: key)
                // One column says when, and one in which order; who and which record may be told by either of two.
                if key != .device && key != .recordID { break }
            }
        }
        if let name = known.documentPath, let path = column(known: name) {
            if result.sources[.recordType] == nil { take(made(.collections(path.source), shown: path.shown), as: .recordType) }
            if result.sources[.recordID] == nil { take(made(.documents(path.source), shown: path.shown), as: .recordID) }
            taken.insert(path.source)
        }
        if let name = known.end, let column = column(known: name), let times = column.times, case .cell(let cell) = column.source {
            result.end = (cell, times)
            taken.insert(column.source)
        }
        if let name = known.oldValue, let column = sample.columns.first(where: { $0.shown.lowercased() == name }) {
            if case .cell(let cell) = column.source { result.oldValue = cell }
            taken.insert(column.source)
        }
    }

    private mutating func findOperations() {
        if result.sources[.operation] == nil {
            let found = free.first { column in
                guard column.told > 0, !column.isImage else { return false }
                let isNamed = column.name.saysOperation
                let takesSigns = column.name.saysOperationOnly || shape.hasImages && column.told == sample.rows.count && !isNamed
                guard column.distinct <= 12, column.values.allSatisfy({ RowOperation($0.plainText, takesSigns: takesSigns) != nil }) else {
                    return false
                }
                if isNamed { return true }
                // Letters without a name fit where creations have no row before and removals none after.
                if shape.hasImages, fitsImages(column) { return true }
                return column.distinct > 1 && column.told == sample.rows.count
                    && column.values.allSatisfy { RowOperation.plain.contains($0.plainText.lowercased()) }
            }
            if let found { take(found, as: .operation) }
        }
        if reading.mapping.given[.deleted] == nil {
            let flags = free.filter { column in
                column.name.saysDeleted && column.values.allSatisfy { RowFlag.isTrue($0.canonical) != nil || column.times != nil }
                    && (column.told > 0 || !column.isImage)
            }
            // The app's own before the tool's.
            if let found = flags.first(where: { !$0.name.isHidden }) ?? flags.first { take(found, as: .deleted) }
        }
        // Each row names one field.
        if result.sources[.field] == nil, !shape.hasImages {
            let fields = free.first {
                ["field", "fieldname", "columnname", "attribute", "attributename", "propertyname"].contains($0.name.plain)
            }
            let values = free.first { ["value", "newvalue", "fieldvalue", "newval", "valueafter", "after", "to"].contains($0.name.plain) }
            if let fields, let values, !fields.isUnique || fields.told < 3 {
                take(fields, as: .field)
                take(values, as: .value)
                if result.oldValue == nil,
                    let old = free.first(where: {
                        ["oldvalue", "oldval", "valuebefore", "before", "from", "previousvalue"].contains($0.name.plain)
                    }),
                    case .cell(let cell) = old.source
                {
                    result.oldValue = cell
                    taken.insert(old.source)
                }
            }
        }
    }

    /// Whether what the values mean goes with the records before and after in all rows, and there are updates among them.
    private func fitsImages(_ column: SampleColumn) -> Bool {
        var updates = 0
        for (index, row) in sample.rows.enumerated() {
            switch column.value(index).flatMap({ result.words.meaning(of: $0) }) {
            case .create?: if row.before?.isEmpty == false { return false }
            case .delete?: if row.after != nil, row.before != nil { return false }
            case .update?:
                if row.after == nil { return false }
                updates += 1
            default: return false
            }
        }
        return updates > 0
    }

    /// What the operation of a row of the sample is.
    func operation(_ row: Int) -> RowOperation? { chosen[.operation]?.value(row).flatMap { result.words.meaning(of: $0.canonical) } }

    /// Finds out whether rows that delete repeat the row before, and so say nothing of who deleted and when.
    private mutating func lookAtDeletes() {
        var (repeated, own) = (0, 0)
        let order = savingOrder
        var latest: [Int32: FieldMap] = [:]
        for row in order {
            guard let id = recordIDs?.ids[row], id >= 0, let after = sample.rows[row].after else { continue }
            if operation(row) == .delete, let before = latest[id] {
                if before.allSatisfy({ after[$0.name] ?? $0.value == $0.value }) { repeated += 1 } else { own += 1 }
            }
            latest[id] = after
        }
        result.deletesShowRemoved = repeated >= own
    }

    /// Finds out which versions and times of rows that delete are those of the row before, and so say nothing of the removal.
    private mutating func findRepeatedByDeletes() {
        guard !shape.hasImages else { return }
        let records = savedRecords
        for key in [RowKey.timestamp, .received, .revision, .parents] {
            guard let column = chosen[key] else { continue }
            // Two saves may have seen the same version.
            if key == .parents, result.repeatedByDeletes.isEmpty { continue }
            var (repeated, own) = (0, 0)
            for rows in records {
                for (row, next) in zip(rows, rows.dropFirst()) where operation(next) == .delete && column.ids[next] >= 0 {
                    if column.ids[row] == column.ids[next] { repeated += 1 } else { own += 1 }
                }
            }
            if repeated > own * 20 { result.repeatedByDeletes.insert(key) }
        }
    }

    private mutating func measureLikeness() {
        let repeated = records.filter { $0.count > 1 }.count
        var likeness = 0
        if repeated > 0 { likeness += 8 }
        if shape.hasImages { likeness += 4 }
        if result.sources[.operation] != nil { likeness += 2 }
        if (chosen[.device]?.distinct ?? 0) > 1 { likeness += 2 }
        if result.sources[.received] != nil || result.sources[.timestamp] != nil { likeness += 2 }
        if known != nil { likeness += 2 }
        if result.sources[.revision] != nil { likeness += 1 }
        result.likeness = repeated > 0 && sample.rows.count > 1 ? likeness : likeness / 4
    }
}
