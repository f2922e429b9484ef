import AuditLog
import ConflictAudit
import SyncBytes
import SyncLines
import SyncModel

/// Rows of CSV whose columns are plain: they are numbered as they come, without a value for each cell.
extension SavedRowReader {
    /// Reads the row whose bytes are given as ``CSVRows`` has them, as ``saved(_:columns:)`` would make it.
    ///
    /// - Returns: False where it says nothing of a record.
    mutating func read(
        _ bytes: Span<UInt8>, _ ends: Span<Int>, line: Int, _ numbers: inout SavedRowNumbers, into saved: inout NumberedRow
    ) throws(RowProblem) -> Bool {
        row += 1
        // Left to the one that changes it.
        guard var cells = cells.take() else { return false }
        defer { self.cells = cells }
        do throws(LineError) {
            return try read(bytes, ends, &cells, &numbers, into: &saved)
        } catch {
            throw RowProblem(line: line, sentence: error.problem)
        }
    }

    private mutating func read(
        _ bytes: Span<UInt8>, _ ends: Span<Int>, _ cells: inout PlainCells, _ numbers: inout SavedRowNumbers, into saved: inout NumberedRow
    ) throws(LineError) -> Bool {
        for cell in cells.unread { try Self.check(bytes.extracting(CSVRows.range(cell, ends))) }
        var operation: RowOperation?
        if let text = try text(.operation, bytes, ends, &cells, &numbers) { operation = try self.operation(text, &cells, numbers) }
        lastOperation = operation
        if operation == .nothing { return false }
        var isDelete = operation == .delete
        for source in cells.sources[RowKey.deleted.slot] where !isDelete {
            if let text = try text(source, bytes, ends, &cells, &numbers) { isDelete = self.isDelete(text, &cells, numbers) }
        }
        let typeText = try text(.recordType, bytes, ends, &cells, &numbers)
        let type = type(typeText, &cells, &numbers)
        let record = try record(type, typeText, try text(.recordID, bytes, ends, &cells, &numbers), &cells, &numbers)
        saved.reset(record: record, type: type, isDelete: isDelete)
        if let text = try text(.device, bytes, ends, &cells, &numbers) { saved.author = try author(text, &cells, &numbers) }
        if tells(.timestamp, operation) { saved.made = try time(.timestamp, bytes, ends, cells) }
        if tells(.received, operation) { saved.received = try time(.received, bytes, ends, cells) }
        if let end = columns.end {
            saved.until = try value(end.cell, bytes, ends, cells).flatMap(self.end)
        }
        saved.order = columns.isReversed ? Int64(-row) : try order(bytes, ends, cells)
        if tells(.revision, operation), let text = try text(.revision, bytes, ends, &cells, &numbers) {
            saved.version = version(text, &cells, &numbers)
        }
        if tells(.parents, operation), let text = try text(.parents, bytes, ends, &cells, &numbers) {
            saved.base = version(text, &cells, &numbers)
        }
        if let base = saved.base, case let zero = numbers.number(of: "0"), base == zero, saved.version != zero { saved.base = nil }
        if !isDelete { try readFields(bytes, ends, cells.types[type], &numbers, into: &saved.fields) }
        return true
    }

    private func readFields(
        _ bytes: Span<UInt8>, _ ends: Span<Int>, _ type: PlainCells.OfType, _ numbers: inout SavedRowNumbers, into values: inout [Int32]
    ) throws(LineError) {
        let empty = reading.empty == .null && !columns.showsChangesAlone ? SavedRowNumbers.null : SavedRowNumbers.none
        values += repeatElement(SavedRowNumbers.none, count: type.width)
        for index in fieldCells.indices {
            let cell = fieldCells[index].cell
            let bytes = bytes.extracting(CSVRows.range(cell, ends))
            let isAbsent = CSVRows.isAbsent(bytes)
            values[type.fields[index]] =
                isAbsent ? empty : numbers.value(ofText: try Self.number(of: bytes, &numbers), Self.structure)
        }
    }

    // MARK: What texts mean

    private mutating func operation(
        _ text: Int, _ cells: inout PlainCells, _ numbers: SavedRowNumbers
    ) throws(LineError) -> RowOperation {
        if let known = cells.operations[text] { return RowOperation.allCases[known] }
        let operation = try operation(FieldValue.string(numbers.text(text)).canonical)
        cells.operations[text] = RowOperation.allCases.firstIndex(of: operation)
        return operation
    }

    private func isDelete(_ text: Int, _ cells: inout PlainCells, _ numbers: SavedRowNumbers) -> Bool {
        if let known = cells.flags[text] { return known == 1 }
        let isDelete = saysDeleted(FieldValue.string(numbers.text(text)).canonical)
        cells.flags[text] = isDelete ? 1 : 0
        return isDelete
    }

    private func type(_ text: Int?, _ cells: inout PlainCells, _ numbers: inout SavedRowNumbers) -> Int {
        if let known = text.map({ cells.typeNames[$0] }) ?? cells.untyped { return known }
        let type = numbers.number(of: RecordType(text.map { Self.name($0, numbers) } ?? "Record"))
        if let text { cells.typeNames[text] = type } else { cells.untyped = type }
        while cells.types.count <= type { cells.types.append(PlainCells.OfType()) }
        let fields = fieldCells.map { numbers.number(of: $0.name, type: type) }
        (cells.types[type].fields, cells.types[type].width) = (fields, (fields.max() ?? -1) + 1)
        return type
    }

    private func record(
        _ type: Int, _ typeText: Int?, _ text: Int?, _ cells: inout PlainCells, _ numbers: inout SavedRowNumbers
    ) throws(LineError) -> Int {
        if let text, let known = cells.types[type].records[text] { return known }
        let key = try key(type: typeText.map { Self.name($0, numbers) }, id: text.map { Self.name($0, numbers) })
        let record = numbers.number(of: key)
        if let text { cells.types[type].records[text] = record }
        return record
    }

    private func author(_ text: Int, _ cells: inout PlainCells, _ numbers: inout SavedRowNumbers) throws(LineError) -> Int {
        if let known = cells.authors[text] { return known }
        let author = numbers.number(of: try author(Self.name(text, numbers)))
        cells.authors[text] = author
        return author
    }

    /// The number of a version's name; nil where the text names none.
    private func version(_ text: Int, _ cells: inout PlainCells, _ numbers: inout SavedRowNumbers) -> Int? {
        if let known = cells.versions[text] { return known == 0 ? nil : known - 1 }
        let version = Self.versionName(.string(numbers.text(text))).map { numbers.number(of: $0) }
        cells.versions[text] = version.map { $0 + 1 } ?? 0
        return version
    }

    private static func name(_ text: Int, _ numbers: SavedRowNumbers) -> String { FieldValue.string(numbers.text(text)).canonical.name }

    private func time(_ key: RowKey, _ bytes: Span<UInt8>, _ ends: Span<Int>, _ cells: PlainCells) throws(LineError) -> Int64? {
        for source in cells.sources[key.slot] {
            if source >= 0, let times = times(key), let time = times.milliseconds(bytes.extracting(CSVRows.range(source, ends))) {
                return time
            }
            if let value = try value(source, bytes, ends, cells) { return try time(key, value) }
        }
        return nil
    }

    private func order(_ bytes: Span<UInt8>, _ ends: Span<Int>, _ cells: PlainCells) throws(LineError) -> Int64? {
        for source in cells.sources[RowKey.hubSequence.slot] {
            if source >= 0, let number = bytes.extracting(CSVRows.range(source, ends)).digits { return number }
            if let value = try value(source, bytes, ends, cells) { return value.wholeNumber }
        }
        return nil
    }

    // MARK: Cells

    /// The number of the text that a row has by a key; nil where it has none.
    private func text(
        _ key: RowKey, _ bytes: Span<UInt8>, _ ends: Span<Int>, _ cells: inout PlainCells,
        _ numbers: inout SavedRowNumbers
    ) throws(LineError) -> Int? {
        for source in cells.sources[key.slot] {
            if let text = try text(source, bytes, ends, &cells, &numbers) { return text }
        }
        return nil
    }

    private func text(
        _ source: Int, _ bytes: Span<UInt8>, _ ends: Span<Int>, _ cells: inout PlainCells,
        _ numbers: inout SavedRowNumbers
    ) throws(LineError) -> Int? {
        if source < 0 {
            let text = cells.constantTexts[~source] ?? numbers.number(of: cells.constants[~source])
            cells.constantTexts[~source] = text
            return text
        }
        let bytes = bytes.extracting(CSVRows.range(source, ends))
        return CSVRows.isAbsent(bytes) ? nil : try Self.number(of: bytes, &numbers)
    }

    /// The value that a cell holds, or that is so in all rows; nil for none.
    private func value(
        _ source: Int, _ bytes: Span<UInt8>, _ ends: Span<Int>, _ cells: PlainCells
    ) throws(LineError) -> FieldValue? {
        if source < 0 { return .some(.string(cells.constants[~source])) }
        let bytes = bytes.extracting(CSVRows.range(source, ends))
        return CSVRows.isAbsent(bytes) ? nil : FieldValue.string(try Self.text(bytes)).canonical
    }

    /// The number of a cell's text.
    @inline(__always) private static func number(of bytes: Span<UInt8>, _ numbers: inout SavedRowNumbers) throws(LineError) -> Int {
        if let known = numbers.known(bytes) { return known }
        // What has come before has been looked at.
        try check(bytes)
        return numbers.number(of: bytes)
    }

    /// The list or object that a text of JSON is; nil for another text.
    private static func structure(_ bytes: Span<UInt8>) -> FieldValue? {
        guard !bytes.isEmpty, bytes[0] == UInt8(ascii: "{") || bytes[0] == UInt8(ascii: "["), let text = bytes.validText else { return nil }
        let value = FieldValue.string(text).canonical
        if case .string = value { return nil }
        return value
    }

    /// Makes sure that a cell's bytes are text.
    private static func check(_ bytes: Span<UInt8>) throws(LineError) { if !bytes.isValidText { _ = try text(bytes) } }

    private static func text(_ bytes: Span<UInt8>) throws(LineError) -> String {
        do throws(CSVParser.Problem) {
            return try CSVParser.text(bytes)
        } catch {
            throw LineError(error.sentence)
        }
    }
}

extension Span<UInt8> {
    /// The number that all bytes spell in digits; nil where one is none, or there are none or more than eighteen.
    fileprivate var digits: Int64? {
        guard !isEmpty, count <= 18 else { return nil }
        var number: Int64 = 0
        for index in indices {
            guard self[index].isDigit else { return nil }
            number = number * 10 + Int64(self[index] - UInt8(ascii: "0"))
        }
        return number
    }
}

extension ColumnTimes {
    /// Milliseconds since 1970 of a time as most are written; nil for others, which ``milliseconds(_:)-(FieldValue)`` may know.
    fileprivate func milliseconds(_ bytes: Span<UInt8>) -> Int64? {
        let time: Int64?
        switch self {
        case .written: time = bytes.count <= 48 ? RFC3339.milliseconds(bytes) : nil
        case .since1970(let perSecond): time = bytes.digits.flatMap { milliseconds($0, perSecond) }
        case .apple: time = nil
        }
        return time.flatMap { WriteLimits.milliseconds.contains($0) ? $0 : nil }
    }
}
