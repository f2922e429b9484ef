package import AuditLog
import SyncBytes
import SyncLines
package import SyncModel
import SyncSystem

/// How rows are read as writes.
package struct RowReading: Sendable {
    /// What a row with a column for each field is.
    package enum Shape: String, CaseIterable, Sendable {
        /// Every value in it is an edit.
        case changes
        /// The whole record as it was then: an edit is what the row's device had not been shown.
        case snapshots
    }

    /// What a value that is not there means in a row with a column for each field.
    package enum EmptyValue: String, CaseIterable, Sendable {
        /// The row says nothing of the field.
        case absent
        /// The field is empty.
        case null
    }

    /// Which columns are what.
    package var mapping = RowMapping()
    /// What a row is.
    package var shape = Shape.snapshots
    /// What an empty cell and SQL's NULL mean.
    package var empty = EmptyValue.absent
    /// How times are written.
    package var times = TimestampForm.zoned
    /// The time, in milliseconds since 1970: what is written lies before the end of the next year.
    package var now: Int64 = 4_102_444_800_000
    /// Whether the writes carry the values of a row that are no edits, for records that are kept or dropped as a whole.
    package var carriesRest = false
    /// Whether rows that cannot be understood are counted and passed over.
    package var isLenient = false

    /// Nothing stated.
    package init() {}
}

/// Reads a table as a trace: a line for each row that is a write.
///
/// Of a file, the number of a line is that of the row's first line; blank lines make up for what is no write. A reference type, safe to use
/// from several threads, one at a time.
package final class RowTrace: Sendable {
    /// What was read.
    package struct Counts: Sendable {
        /// Rows that could be understood.
        package var rows = 0
        /// Rows that showed nothing but what their device had been shown.
        package var repeats = 0
        /// Rows passed over because they could not be understood, and the problem of the first.
        package var skipped = 0
        package var firstProblem: String?
        /// Rows that are earlier than the row of their device before, and the first of them.
        package var backwards = 0
        package var firstBackwards: String?
        /// Rows that the server received before they were written, by their own times.
        package var tooEarly = 0
        /// Rows that arrived in the reverse of the order of their timestamps, each beside the row of its record before.
        package var reversed = 0
        /// Where the column guessed to be the record's counts upwards from row to row, as a row's own number does: others that may be it.
        package var otherRecordColumns: [String]?
    }

    /// The table's name in messages.
    package let name: String
    /// Which column was taken as what, as a sentence without its full stop.
    package let columns: String
    /// Which columns are no fields by what their values are, as a sentence without its full stop; nil where there are none.
    package let rejection: String?
    /// Why no conflict can be found in the table by itself, and what to do: its records, as guessed, are each written once.
    ///
    /// A sentence without its full stop; nil where they are not, or where nothing else may name them.
    package let recordDoubt: String?
    /// Whether the doubt is about all rows, and not the first of them.
    package let isDoubtWhole: Bool
    /// Whether an edit is told from what a row only repeats.
    package let areSnapshots: Bool

    private let reading: RowReading
    private let state: Locked<State>

    private struct State {
        let rows: any RowSource
        let columns: RowColumns
        var counts = Counts()
        var snapshots = SnapshotReading()
        var latest: [DeviceID: Int64] = [:]
        var lastID: Int64?
        /// The row of each record before, by the hash of its key, where rows have times of receipt.
        var before: [Int: (time: Int64, received: Int64)] = [:]
        /// How many lines have been written.
        var lines = 0
        var failure: RowProblem?
    }

    /// The rows of CSV in a file; the type of records that no column tells is the file's name up to its first dot.
    ///
    /// - Parameter separator: What separates values; nil for what the header tells.
    /// - Throws: ``TraceImportError`` and ``AuditLogError``.
    package convenience init(
        csv path: String, separator: UInt8?, _ reading: RowReading, onRead: ReadingObserver? = nil
    ) throws {
        let lines = try LineReader(path: path, maximumLength: TextLines.maximumLength, onRead: onRead)
        try self.init(csv: lines, name: path, type: Self.stem(path), file: Self.stem(path), separator: separator, reading)
    }

    /// The rows of CSV behind an open descriptor, which stays open.
    package convenience init(
        csv descriptor: Int32, name: String, separator: UInt8?, _ reading: RowReading, onRead: ReadingObserver? = nil
    ) throws {
        let lines = LineReader(descriptor: descriptor, maximumLength: TextLines.maximumLength, onRead: onRead)
        try self.init(csv: lines, name: name, type: "Record", file: nil, separator: separator, reading)
    }

    private convenience init(
        csv lines: consuming sending LineReader, name: String, type: String, file: String?, separator: UInt8?, _ reading: RowReading
    ) throws {
        do throws(RowProblem) {
            try self.init(try CSVRows(lines, separator: separator), name: name, type: type, file: file, reading)
        } catch {
            throw TraceImportError(.badData, "\(name.escaped(for: .terminal)):\(error.line): \(error.sentence)")
        }
    }

    /// The rows that a query of a database of SQLite returns.
    ///
    /// - Parameter query: One statement that returns rows; without it the error tells which tables there are.
    /// - Throws: ``TraceImportError``.
    package convenience init(sqlite path: String, query: String?, _ reading: RowReading) throws {
        let rows = try SQLiteRows(path, query: query)
        do throws(RowProblem) {
            try self.init(rows, name: path + ", row", type: Self.stem(path), file: Self.stem(path), reading)
        } catch {
            throw TraceImportError(.badData, "\(path.escaped(for: .terminal)): --query: \(error.sentence)")
        }
    }

    private init(_ rows: sending any RowSource, name: String, type: String, file: String?, _ reading: RowReading) throws(RowProblem) {
        let rows = SampledRows(rows)
        let columns: RowColumns
        do throws(RowMapping.Problem) {
            columns = try RowColumns(
                reading.mapping, of: rows.columns, type: reading.mapping.type(ofFile: type), file: file, sample: rows.sample,
                times: reading.times)
        } catch {
            throw RowProblem(line: 1, sentence: error.sentence, isFatal: true)
        }
        if let problem = columns.unitProblem(rows.sample, reading) { throw problem }
        self.name = name
        self.reading = reading
        self.columns = columns.sentence
        rejection = columns.rejection
        recordDoubt = columns.recordDoubt(rows.sample)
        isDoubtWhole = rows.sample.isWhole
        areSnapshots = !columns.areChanges && reading.shape == .snapshots
        state = Locked(State(rows: rows, columns: columns))
    }

    private static func stem(_ path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return name.split(separator: ".").first.map(String.init) ?? "Record"
    }

    /// What was read so far.
    package var counts: Counts {
        state.withLock { state in
            var counts = state.counts
            if state.columns.isRecordGuessed, counts.rows >= 3, state.lastID != nil {
                counts.otherRecordColumns = state.columns.recordCandidates
            }
            return counts
        }
    }

    /// Appends the lines of some rows, about 64 KiB of them; false at the end.
    ///
    /// - Throws: ``ReadingError`` about the row that is at the next line.
    package func append(to bytes: inout [UInt8]) throws(ReadingError) -> Bool {
        let result = state.withLock { state in
            Result { () throws(ReadingError) in try append(to: &bytes, &state) }
        }
        return try result.get()
    }

    private func append(to bytes: inout [UInt8], _ state: inout State) throws(ReadingError) -> Bool {
        func pad(to line: Int) {
            guard line > state.lines else { return }
            bytes.append(contentsOf: repeatElement(UInt8(ascii: "\n"), count: line - state.lines))
            state.lines = line
        }
        if let failure = state.failure { throw ReadingError(badData: failure.sentence) }
        var buffer = LineBuffer()
        let end = bytes.count + 64 << 10
        while bytes.count < end {
            do throws(RowProblem) {
                guard let row = try state.rows.next() else { return false }
                buffer.truncate(to: 0)
                if try write(row, to: &buffer, &state) {
                    pad(to: row.line - 1)
                    bytes += buffer.array
                    state.lines += 1
                } else {
                    pad(to: row.line)
                }
                state.counts.rows += 1
            } catch {
                pad(to: error.line - 1)
                guard reading.isLenient, !error.isFatal else {
                    state.failure = error
                    throw ReadingError(badData: error.sentence)
                }
                state.counts.skipped += 1
                if state.counts.firstProblem == nil {
                    state.counts.firstProblem = "\(name.escaped(for: .terminal)):\(error.line): \(error.sentence)"
                }
            }
        }
        return true
    }

    /// Puts the line of a row into the buffer; false where the row is no write.
    private func write(_ row: Row, to buffer: inout LineBuffer, _ state: inout State) throws(RowProblem) -> Bool {
        do throws(LineError) {
            let cells = Cells(row: row, columns: state.columns)
            let key = RecordKey(type: RecordType(try cells.name(.recordType)), id: RecordID(try cells.name(.recordID)))
            let device = DeviceID(try cells.name(.device))
            if let problem = WriteLimits.problem(with: device) ?? WriteLimits.problem(with: key) { throw LineError(problem) }
            let time = try cells.time(.timestamp, reading.times)
            guard let time else { throw LineError("\(cells.shown(.timestamp)) is empty; it must say when the row was written") }
            note(time, by: device, key, row, &state)
            if let received = try cells.time(.received, reading.times) { note(received, of: time, key, &state) }
            let isDelete = try cells.isDelete()
            if isDelete {
                state.snapshots.delete(key, by: device)
                try begin(&buffer, cells, key, device, time, operation: "delete")
            } else {
                let (fields, rest) = try fields(cells, key, device, &state)
                if fields.isEmpty, areSnapshots {
                    state.counts.repeats += 1
                    return false
                }
                try begin(&buffer, cells, key, device, time, operation: "put")
                buffer.append(fields, as: .fields)
                if reading.carriesRest, !rest.isEmpty { buffer.append(rest, as: .carried) }
            }
            buffer.endObject()
            buffer.append(UInt8(ascii: "\n"))
            return true
        } catch {
            throw RowProblem(line: row.line, sentence: error.problem)
        }
    }

    private func note(_ time: Int64, by device: DeviceID, _ key: RecordKey, _ row: Row, _ state: inout State) {
        if let latest = state.latest[device], time < latest {
            state.counts.backwards += 1
            if state.counts.firstBackwards == nil { state.counts.firstBackwards = "\(name.escaped(for: .terminal)):\(row.line)" }
        }
        state.latest[device] = time
        let id = Int64(key.id.rawValue)
        if state.counts.rows == 0 {
            state.lastID = id
        } else if let last = state.lastID {
            state.lastID = id.flatMap { $0 > last ? $0 : nil }
        }
    }

    private func note(_ received: Int64, of time: Int64, _ key: RecordKey, _ state: inout State) {
        // Clocks that differ by less are as good as one.
        if received < time - 1000 { state.counts.tooEarly += 1 }
        guard let before = state.before.updateValue((time, received), forKey: key.hashValue) else { return }
        if before.time < time && before.received > received || before.time > time && before.received < received {
            state.counts.reversed += 1
        }
    }

    private typealias NamedValue = (name: String, value: FieldValue)

    private func fields(
        _ cells: Cells, _ key: RecordKey, _ device: DeviceID, _ state: inout State
    ) throws(LineError) -> (edited: [NamedValue], rest: [NamedValue]) {
        if state.columns.areChanges {
            let name = try cells.name(.field)
            if let problem = WriteLimits.problem(name: name, "the field's name") { throw LineError(problem) }
            // A change to nothing.
            return ([(name, cells.value(.value) ?? .null)], [])
        }
        let columns = state.columns.fields
        let values = columns.map { column -> FieldValue? in
            let value = cells.row.values[column.column]
            return value == .null && reading.empty == .absent ? nil : value
        }
        let edits =
            areSnapshots ? state.snapshots.edits(values, of: key, by: device) : values.map { $0 != nil }
        var (edited, rest): ([NamedValue], [NamedValue]) = ([], [])
        for (index, value) in values.enumerated() {
            guard let value else { continue }
            if edits[index] { edited.append((columns[index].name, value)) } else { rest.append((columns[index].name, value)) }
        }
        return (edited, rest)
    }

    private func begin(
        _ line: inout LineBuffer, _ cells: Cells, _ key: RecordKey, _ device: DeviceID, _ time: Int64, operation: String
    ) throws(LineError) {
        line.beginObject()
        line.field(.event, "write")
        line.date(.timestamp, time)
        line.field(.device, device.rawValue)
        for (column, name) in [(RowKey.number, LineKey.number), (.counter, .counter), (.hubSequence, .hubSequence), (.cursor, .cursor)] {
            if let number = try cells.number(column) { line.field(name, number) }
        }
        if let received = try cells.time(.received, reading.times) { line.date(.received, received) }
        line.record(key)
        line.field(.operation, operation)
        if let revision = try cells.optionalName(.revision) {
            line.field(.revision, revision)
            let parents = cells.value(.parents)
            let list = parents?.string.flatMap { try? JSONParser.parse(Array($0.utf8).span).array }
            if cells.columns.sources[.parents] != nil {
                line.field(.parents, .array(list ?? parents.map { [.string($0.plainText)] } ?? []))
            }
        }
        if let app = try cells.optionalName(.app) { line.field(.app, app) }
    }
}

extension LineBuffer {
    fileprivate mutating func append(_ fields: [(name: String, value: FieldValue)], as key: LineKey) {
        self.key(key)
        beginObject()
        for field in fields {
            self.key(named: field.name)
            JSONText.append(field.value, to: &self)
        }
        endObject()
    }
}

/// The values of a row by what they are.
private struct Cells {
    let row: Row
    let columns: RowColumns

    /// A name for messages: that of the column.
    func shown(_ key: RowKey) -> String {
        if case .column(let column)? = columns.sources[key] { columns.names[column].quoted } else { key.rawValue.quoted }
    }

    /// The value of a key; nil where there is no column, or nothing in it.
    func value(_ key: RowKey) -> FieldValue? {
        switch columns.sources[key] {
        case .column(let column):
            row.values[column] == .null || row.values[column] == .string("") && key != .value ? nil : row.values[column]
        case .constant(let text): .string(text)
        case nil: nil
        }
    }

    func optionalName(_ key: RowKey) throws(LineError) -> String? { value(key).map(\.plainText) }

    func name(_ key: RowKey) throws(LineError) -> String {
        guard let text = value(key)?.plainText, !text.isEmpty else {
            throw LineError("\(shown(key)) is empty; it must name \(key == .field ? "the field" : key.noun)")
        }
        return text
    }

    func time(_ key: RowKey, _ form: TimestampForm) throws(LineError) -> Int64? {
        guard let value = value(key) else { return nil }
        return try form.milliseconds(value, named: shown(key))
    }

    func number(_ key: RowKey) throws(LineError) -> UInt64? {
        guard let value = value(key) else { return nil }
        guard let number = UInt64(value.plainText), number <= WriteLimits.number else {
            throw LineError("\(shown(key)) is \(value.described); a whole number from 0 to \(WriteLimits.number) is expected")
        }
        return number
    }

    /// Whether the row deletes its record, as its operation or a flag says.
    func isDelete() throws(LineError) -> Bool {
        if let value = value(.operation) {
            switch value.plainText.lowercased() {
            case "put", "insert", "update", "upsert", "create", "created", "updated", "set", "save", "add", "edit", "replace", "i", "u",
                "c":
                break
            case "delete", "deleted", "remove", "destroy", "d": return true
            default:
                throw LineError("\(shown(.operation)) is \(value.described); put, insert or update and delete are understood")
            }
        }
        guard let value = value(.deleted) else { return false }
        switch value.plainText.lowercased() {
        case "0", "false", "f", "no", "n": return false
        case "1", "true", "t", "yes", "y": return true
        default:
            // The time of the deletion.
            if value.plainText.utf8.contains(where: { (48...57).contains($0) }) { return true }
            throw LineError("\(shown(.deleted)) is \(value.described); true or false, 1 or 0, or the time of the deletion is understood")
        }
    }
}
