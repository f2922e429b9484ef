import ConflictAudit
import SyncBytes
import SyncLines
import SyncModel

/// Makes saved rows of the rows of a table.
struct SavedRowReader {
    private var shape: TableShape
    let columns: TableColumns
    let reading: TableReading
    /// Where each key comes from, at its slot: a row looks up several.
    private let sources: [[TableValue]]
    private let madeTimes: ColumnTimes?
    private let receivedTimes: ColumnTimes?
    /// What the last row did, where it says so.
    var lastOperation: RowOperation?
    /// How many rows have come.
    var row = 0
    /// What the words of operations mean that have come.
    private var meanings: [FieldValue: RowOperation] = [:]
    /// Who saved each record last, where rows show only what changed: who saves again does not change.
    private var lastAuthors: [RecordKey: DeviceID] = [:]
    private let remembersAuthors: Bool
    /// Whether fields are those of a row's plain columns, and the columns that had come when they were listed.
    private(set) var fieldCells: [(name: FieldName, cell: Int)]
    private var fieldNames: [FieldName]
    /// Where plain cells go; nil where rows have to be opened.
    var cells: PlainCells?

    /// Whether each row names one field.
    var namesFields: Bool { !sources[RowKey.field.slot].isEmpty }

    init(_ table: JudgedTable, _ reading: TableReading) {
        (shape, columns, self.reading) = (table.shape, table.columns, reading)
        var sources = [[TableValue]](repeating: [], count: RowKey.allCases.count)
        for (key, values) in table.columns.sources { sources[key.slot] = values }
        self.sources = sources
        madeTimes = sources[RowKey.timestamp.slot].first.flatMap { table.columns.times[$0] }
        receivedTimes = sources[RowKey.received.slot].first.flatMap { table.columns.times[$0] }
        if case .image = sources[RowKey.device.slot].first {
            remembersAuthors = table.shape.showsChanges && !table.columns.isReversed
        } else {
            remembersAuthors = false
        }
        fieldCells = table.columns.fieldCells
        fieldNames = fieldCells.map(\.name)
        cells = sources[RowKey.field.slot].isEmpty ? PlainCells(table, sources, fields: fieldCells) : nil
    }

    /// The saved row of a row; nil where it says nothing of a record.
    mutating func saved(_ source: TableRow, columns names: [String]) throws(RowProblem) -> SavedRow? {
        row += 1
        do throws(LineError) {
            if names.count > shape.columnCount { extend(to: names) }
            return try saved(shape.open(source))
        } catch {
            throw RowProblem(line: source.line, sentence: error.problem)
        }
    }

    /// Columns that come later are fields.
    private mutating func extend(to names: [String]) {
        let known = shape.cells.count
        shape.extend(to: names)
        guard !shape.hasImages, !namesFields, reading.mapping.fields == nil else { return }
        fieldCells += shape.cells.indices[known...].map { (FieldName(shape.cells[$0]), $0) }
        fieldCells.sort { $0.name < $1.name }
        fieldNames = fieldCells.map(\.name)
    }

    private mutating func saved(_ opened: OpenedRow) throws(LineError) -> SavedRow? {
        var opened = opened
        let word = fieldWord(opened)
        var operation = word
        if word == nil, let value = value(.operation, opened) { operation = try self.operation(value) }
        lastOperation = operation
        if operation == .nothing { return nil }
        // Some tables show what was made in the column of the record before.
        if operation == .create, opened.after == nil { swap(&opened.after, &opened.before) }
        let isDelete =
            operation == .delete || isMarkedDeleted(opened)
            || shape.hasImages && operation == nil && opened.after == nil && opened.before != nil
        // Or what was removed in that of the record after.
        if operation == .delete, opened.before == nil, columns.deletesShowRemoved { swap(&opened.after, &opened.before) }
        var saved = SavedRow(key: try key(type: text(.recordType, opened), id: text(.recordID, opened)), isDelete: isDelete)
        if let name = text(.device, opened) {
            let author = try author(name)
            saved.author = author
            if remembersAuthors { lastAuthors[saved.key] = author }
        } else if opened.after != nil {
            saved.author = lastAuthors[saved.key]
        }
        func tells(_ key: RowKey) -> Bool { self.tells(key, operation) }
        if tells(.timestamp) {
            saved.made = try value(.timestamp, opened).flatMap { value throws(LineError) in try time(.timestamp, value) }
        }
        if tells(.received) {
            saved.received = try value(.received, opened).flatMap { value throws(LineError) in try time(.received, value) }
        }
        saved.until = columns.end.flatMap { opened.value(.cell($0.cell), fillsFromBefore: false) }.flatMap(end)
        saved.order = columns.isReversed ? Int64(-row) : value(.hubSequence, opened)?.wholeNumber
        if tells(.revision) { saved.version = value(.revision, opened).flatMap(Self.versionName) }
        if tells(.parents) { saved.base = value(.parents, opened).flatMap(Self.versionName) }
        if saved.base == "0", saved.version != "0" { saved.base = nil }
        if namesFields {
            if word == nil { try takeField(opened, &saved) }
        } else if shape.hasImages {
            if !isDelete, let after = opened.after { saved.fields = try fields(after) }
            if let before = opened.before {
                let fields = try fields(before)
                // Where only the key of the row before is told, its other columns are empty.
                if fields.contains(where: { !$0.value.isBlank }) { saved.before = fields }
            }
        } else if !isDelete {
            saved.fields = try fields(opened)
        }
        return saved
    }

    /// A version's name: an ETag without its quotes, the one parent of a list.
    static func versionName(_ value: FieldValue) -> String? {
        if let elements = value.canonical.array { return elements.count == 1 ? versionName(elements[0]) : nil }
        var text = Substring(value.canonical.plainText)
        if text.hasPrefix("W/\"") { text = text.dropFirst(2) }
        if text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") { text = text.dropFirst().dropLast() }
        return text.isEmpty || saysNone(String(text)) ? nil : String(text)
    }

    /// Whether the name of a version is what programs write where there is none.
    static func saysNone(_ text: String) -> Bool {
        text.utf8.count <= 9 && ["none", "null", "nan", "nil", "\\n", "undefined"].contains(text.lowercased())
    }

    /// Whether a row that did something tells by a key what is so of its save.
    func tells(_ key: RowKey, _ operation: RowOperation?) -> Bool { operation != .delete || !columns.repeatedByDeletes.contains(key) }

    /// The author with a name.
    func author(_ name: String) throws(LineError) -> DeviceID {
        let author = DeviceID(name)
        if let problem = WriteLimits.problem(with: author) { throw LineError(problem) }
        return author
    }

    /// The record with a name.
    func key(type: String?, id: String?) throws(LineError) -> RecordKey {
        guard let id, !id.isEmpty else { throw LineError("\(shown(.recordID)) is empty; it must name the record") }
        let key = RecordKey(type: RecordType(type ?? "Record"), id: RecordID(id))
        if let problem = WriteLimits.problem(with: key) { throw LineError(problem) }
        return key
    }

    /// What a word says that a row did.
    mutating func operation(_ value: FieldValue) throws(LineError) -> RowOperation {
        if let meaning = meanings[value] { return meaning }
        if let meaning = columns.words.meaning(of: value) {
            if meanings.count < Self.mostMeanings, value.size <= Self.mostMeanings { meanings[value] = meaning }
            return meaning
        }
        throw LineError(
            "\(shown(.operation)) is \(value.described), which is no operation that is known: create, update and delete are, and the words that tools "
                + "have for them; --map op=:update takes all rows as saves")
    }

    /// How many words are remembered, and how long each may be.
    private static let mostMeanings = 256

    /// What a row did that tells it where others name a field.
    private func fieldWord(_ row: OpenedRow) -> RowOperation? {
        columns.fieldWords.isEmpty ? nil : text(.field, row).flatMap { columns.fieldWords[$0.lowercased()] }
    }

    /// When the record showed the row no more; nil where it still does, which databases write as the last time that they know.
    func end(_ value: FieldValue) -> Int64? { columns.end?.times.milliseconds(value).flatMap { $0 < Self.lastTimes ? $0 : nil } }

    /// The beginning of 2038, at the end of whose January seconds of 32 bits end.
    private static let lastTimes: Int64 = 2_145_916_800_000

    private func isMarkedDeleted(_ row: OpenedRow) -> Bool {
        // A flag of the tool's may be beside one of the app's. The time of the deletion says yes too.
        sources[RowKey.deleted.slot].contains { row.value($0, fillsFromBefore: false).map(saysDeleted) ?? false }
    }

    /// Whether a value says that the record was removed.
    func saysDeleted(_ value: FieldValue) -> Bool { RowFlag.isTrue(value) ?? true }

    private func takeField(_ row: OpenedRow, _ saved: inout SavedRow) throws(LineError) {
        guard !saved.isDelete else { return }
        guard let name = text(.field, row) else { throw LineError("\(shown(.field)) is empty; it must name the field") }
        if let problem = WriteLimits.problem(name: name, "the field's name") { throw LineError(problem) }
        saved.fields = FieldMap(sortedNames: [FieldName(name)], values: [value(.value, row) ?? .null])
        if let old = columns.oldValue {
            saved.before = FieldMap(sortedNames: [FieldName(name)], values: [row.cells[old]?.canonical ?? .null])
        }
    }

    private func fields(_ row: OpenedRow) throws(LineError) -> FieldMap {
        var (names, values) = ([FieldName](), [FieldValue]())
        values.reserveCapacity(fieldCells.count)
        let keepsNull = reading.empty == .null
        var isWhole = true
        for index in fieldCells.indices {
            guard let value = row.cells[fieldCells[index].cell], keepsNull || value != .null, !columns.showsChangesAlone || !value.isBlank
            else {
                if isWhole { names = values.indices.map { fieldNames[$0] } }
                isWhole = false
                continue
            }
            if !isWhole { names.append(fieldNames[index]) }
            values.append(value.canonical)
        }
        return FieldMap(sortedNames: isWhole ? fieldNames : names, values: values)
    }

    private func fields(_ image: FieldMap) throws(LineError) -> FieldMap {
        var (names, values) = ([FieldName](), [FieldValue]())
        names.reserveCapacity(image.count)
        values.reserveCapacity(image.count)
        image.forEachField { name, value in
            guard columns.onlyFields?.contains(name) ?? !columns.excluded.contains(name), value != .null || reading.empty == .null else {
                return
            }
            names.append(name)
            values.append(value.canonical)
        }
        for name in names where name.rawValue.utf8.count > WriteLimits.nameBytes {
            if let problem = WriteLimits.problem(name: name.rawValue, "the field's name") { throw LineError(problem) }
        }
        return FieldMap(sortedNames: names, values: values)
    }

    /// The value of a key in a row; nil where there is none.
    private func value(_ key: RowKey, _ row: OpenedRow) -> FieldValue? {
        for source in sources[key.slot] {
            // What was there before names the record, and says nothing of who removed it and when.
            if let value = row.value(source, fillsFromBefore: key == .recordID) { return value }
        }
        return nil
    }

    private func text(_ key: RowKey, _ row: OpenedRow) -> String? { value(key, row)?.name }

    /// How the times of a key are written; nil where the column has none to tell by.
    func times(_ key: RowKey) -> ColumnTimes? { key == .received ? receivedTimes : madeTimes }

    /// The time that a value is; nil where it is what databases write for none.
    func time(_ key: RowKey, _ value: FieldValue) throws(LineError) -> Int64? {
        guard !ColumnTimes.isNoTime(value) else { return nil }
        let form = times(key) ?? ColumnTimes([value], stated: reading.times)
        guard let time = form?.milliseconds(value), WriteLimits.milliseconds.contains(time) else {
            throw LineError(
                "\(shown(key)) is \(value.described), which is no time as the other rows have them; --map \(key.shown)=COLUMN takes another column"
            )
        }
        return time
    }

    /// A column's name for messages.
    private func shown(_ key: RowKey) -> String {
        switch columns.sources[key]?.first {
        case .cell(let cell): shape.cells[cell].quoted
        case .image(let name): name.rawValue.quoted
        default: key.shown.quoted
        }
    }
}

extension RowKey {
    /// The index of the key among all.
    var slot: Int {
        switch self {
        case .recordType: 0
        case .recordID: 1
        case .device: 2
        case .timestamp: 3
        case .received: 4
        case .operation: 5
        case .deleted: 6
        case .field: 7
        case .value: 8
        case .number: 9
        case .counter: 10
        case .hubSequence: 11
        case .cursor: 12
        case .revision: 13
        case .parents: 14
        case .app: 15
        }
    }
}
