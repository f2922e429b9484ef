import SyncBytes
import SyncModel

/// A table whose first rows have been judged.
struct JudgedTable {
    let shape: TableShape
    let columns: TableColumns
    /// The name of the column of the record, for a person.
    let recordColumn: String
    /// Columns that may name the record instead.
    let otherRecords: [String]

    /// Judges a table.
    ///
    /// - Parameters:
    ///   - type: The type of records that nothing tells.
    ///   - file: The name of the file, which may be the device; nil where there is none.
    init(_ source: SampledTable, _ reading: TableReading, type: String, file: String?) throws(RowMapping.Problem) {
        var names: Set<String> = []
        for name in source.columns where !names.insert(name).inserted && !name.isEmpty {
            throw RowMapping.Problem(sentence: "two columns have the name \(name.quoted); give each a name of its own")
        }
        let known = KnownTable.of(source.columns)
        while true {
            let shape = TableShape(source.columns, source.sample, known: known)
            // Rows that only begin and end transactions say nothing of what columns hold.
            let opened = source.sample.map(shape.open)
            let telling = shape.hasImages ? opened.filter { $0.after != nil || $0.before != nil } : opened
            let sample = TableSample(telling.isEmpty ? opened : telling, shape, isWhole: source.isWhole, times: reading.times)
            let columns = try TableJudge.columns(sample, shape, known: known, reading, type: type, file: file)
            if columns.wantsMoreRows, source.extend() { continue }
            try Self.checkUnit(columns, sample, reading)
            self.init(shape, columns, sample)
            return
        }
    }

    /// Makes sure that a unit which a person has stated is not wrong of every column that tells times.
    private static func checkUnit(_ columns: TableColumns, _ sample: TableSample, _ reading: TableReading) throws(RowMapping.Problem) {
        guard let form = reading.times else { return }
        var problem: String?
        for source in (columns.sources[.timestamp] ?? []) + (columns.sources[.received] ?? []) {
            guard let column = sample.columns.first(where: { $0.source == source }), var stated = StatedTimes(form, now: reading.now) else {
                continue
            }
            for value in column.values { stated.observe(value.canonical) }
            if stated.isPossible { return }
            problem = problem ?? stated.problem(named: column.shown.quoted, isFoundWithout: true)?.sentence
        }
        if let problem { throw RowMapping.Problem(sentence: problem) }
    }

    private init(_ shape: TableShape, _ columns: TableColumns, _ sample: TableSample) {
        (self.shape, self.columns) = (shape, columns)
        let record = columns.sources[.recordID]?.first
        recordColumn = sample.columns.first { $0.source == record }?.shown ?? "recordID"
        otherRecords = sample.columns.filter { column in
            column.source != record && !column.isImage && column.name.isIdentity && !column.isUnique && column.name.authorRank == 0
        }.map(\.shown)
    }
}
