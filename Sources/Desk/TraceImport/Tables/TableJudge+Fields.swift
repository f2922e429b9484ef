import SyncBytes
import SyncModel

/// Why a column is no field, though nothing else was made of it.
enum NoField: CaseIterable {
    case record
    case numbers
    case versions
    case counts
    case times
    case writers
    case replacement
    case request
    case author

    /// The predicate of a sentence about one column, or about several.
    func sentence(isOne: Bool) -> String {
        switch self {
        case .record: isOne ? "names the record again" : "name the record again"
        case .numbers: isOne ? "numbers the rows" : "number the rows"
        case .versions: isOne ? "counts versions" : "count versions"
        case .counts: isOne ? "only rises, save by save" : "only rise, save by save"
        case .times: isOne ? "says when rows were saved" : "say when rows were saved"
        case .writers: isOne ? "says who saved" : "say who saved"
        case .replacement: isOne ? "tells of the save that replaced a row" : "tell of the save that replaced a row"
        case .request: isOne ? "tells of the request" : "tell of the request"
        case .author: isOne ? "goes with the author" : "go with the author"
        }
    }
}

extension TableJudge {
    /// Finds the fields: what is left, but for what nobody edits.
    mutating func findFields() throws(RowMapping.Problem) {
        if let given = reading.mapping.fields {
            try takeFields(given)
            return
        }
        if result.sources[.field] != nil { return }
        if shape.hasImages {
            for column in sample.columns where column.isImage {
                if taken.contains(column.source) { continue }
                if let reason = reason(against: column) { rejected.append((column, reason)) } else { kept.append(column) }
            }
            readmit()
            let fields = Set(kept.map(\.source))
            for column in sample.columns {
                if case .image(let name) = column.source, !fields.contains(column.source) { result.excluded.insert(name) }
            }
        } else {
            for column in free {
                if let reason = reason(against: column) { rejected.append((column, reason)) } else { kept.append(column) }
            }
            readmit()
            if kept.isEmpty {
                throw RowMapping.Problem(sentence: "no column is left to be a field of a record; name some with --fields. \(listing)")
            }
            takeCells(kept)
        }
    }

    /// Takes as fields after all what is none by its values alone, where nothing else is left.
    private mutating func readmit() {
        guard kept.isEmpty else { return }
        let again = rejected.filter {
            $0.reason == .author || $0.reason == .numbers || $0.reason == .counts || $0.reason == .versions && !$0.column.name.namesVersion
        }
        kept = again.map(\.column)
        let sources = Set(kept.map(\.source))
        rejected.removeAll { sources.contains($0.column.source) }
    }

    private mutating func takeCells(_ columns: [SampleColumn]) {
        result.showsChangesAlone = reading.mayTellEmpty && showChangesAlone(columns)
        result.fieldCells = columns.compactMap { column in
            if case .cell(let cell) = column.source { (FieldName(column.shown), cell) } else { nil }
        }.sorted { $0.name < $1.name }
    }

    /// Whether fields are empty in most rows behind one in which they are not: nobody empties a form as a rule.
    private func showChangesAlone(_ columns: [SampleColumn]) -> Bool {
        var (told, emptied, fields) = (0, 0, 0)
        for column in columns {
            let before = told
            for rows in records {
                for (row, next) in zip(rows, rows.dropFirst()) where column.ids[row] >= 0 && operation(next) != .delete {
                    // What a row does not name is none of its cells.
                    guard case .cell(let cell) = column.source, let value = sample.rows[next].cells[cell] else { continue }
                    told += 1
                    if value.isBlank { emptied += 1 }
                }
            }
            if told > before { fields += 1 }
        }
        return fields > 1 && told >= 12 && emptied * 2 > told
    }

    private mutating func takeFields(_ given: [String]) throws(RowMapping.Problem) {
        if result.sources[.field] != nil {
            throw RowMapping.Problem(sentence: "--fields is for rows with a column for each field; these name their field")
        }
        var names: Set<FieldName> = []
        for name in given {
            guard
                let column = shape.hasImages
                    ? sample.columns.first(where: { $0.source == .image(FieldName(name)) }) ?? single(named: name) : single(named: name)
            else { throw RowMapping.Problem(sentence: "there is no column \(name.quoted), which --fields names. \(listing)") }
            if !kept.contains(where: { $0.source == column.source }) { kept.append(column) }
            if case .image(let name) = column.source { names.insert(name) }
        }
        if shape.hasImages { result.onlyFields = names } else { takeCells(kept) }
    }

    private func reason(against column: SampleColumn) -> NoField? {
        if let record = recordIDs {
            let own = sample.filled(column)
            if own.told > 0, column.name.isIdentity || column.name.namesRecord, own.agreement(with: record) == 1 { return .record }
            if column.name.namesRecord, column.isImage, own.told > 0, isConstantWithinRecords(column) { return .record }
        }
        if column.told == 0 { return column.name.namesBase ? .versions : nil }
        if notOrder.contains(column.source) { return .numbers }
        if column.name.tellsOfRequest, !staysWithRecords(column) { return .request }
        if column.name.namesBase { return .versions }
        if column.name.namesVersion, column.areNumbers || column.numbersRows { return .versions }
        if countsUp(column) { return .versions }
        if onlyRises(column) { return .counts }
        if tellsOfReplacement(column) { return .replacement }
        if column.holdsTimes, isTimeOfRows(column) { return .times }
        if isNumbering(column) { return .numbers }
        if column.name.authorRank == 1, isConstantWithinRecords(column) { return .writers }
        if let author = chosen[.device], column.source != author.source {
            if column.name.authorRank > 1,
                author.determines(column) || column.partsLike(author) || column.name.authorRank >= 4
            {
                return .writers
            }
            if goesWith(author, column) { return .author }
        }
        return nil
    }

    /// Whether a column tells of the save that replaced a row: in nearly all rows, and mostly something else than in the row before.
    ///
    /// What people archive stays archived.
    func tellsOfReplacement(_ column: SampleColumn) -> Bool {
        column.name.saysReplacement && column.told * 20 >= sample.rows.count * 19 && changes(column) >= 0.1
    }

    private func isNumbering(_ column: SampleColumn) -> Bool {
        guard
            column.numbersRows
                || column.told == sample.rows.count && column.isUnique && column.told >= 4 && column.name.namesOrder
                    && column.name.isIdentity
        else { return false }
        // In a table of few rows numbers may be values: another column must repeat where this one never does.
        if column.name.isIdentity || column.name.namesVersion || column.name.namesOrder || !column.areNumbers { return true }
        return column.told >= 8 && records.filter { $0.count > 1 }.count >= 2
    }

    /// Whether a column has another value in four rows of five than in the row of the record before.
    private func isNewInMostRows(_ column: SampleColumn) -> Bool {
        let steps = steps(of: column)
        return steps.equal * 5 <= steps.all
    }

    /// Whether a column tells of the record and not of who saved it: it mostly stays as it is where another author saves.
    private func staysWithRecords(_ column: SampleColumn) -> Bool {
        guard let author = chosen[.device], column.told == sample.rows.count, column.distinct > 1 else { return false }
        let others = steps { row, next in author.ids[row] == author.ids[next] }
        let kept = steps { row, next in author.ids[row] != author.ids[next] && column.ids[row] == column.ids[next] }
        let changes = others.all - others.equal
        return changes >= 4 && kept.equal * 5 > changes * 3
    }

    /// Whether the server counts in a column: numbers rise in most steps from row to row of records, and fall in none, as they would where
    /// somebody saved a whole row that had been read before another's.
    private func onlyRises(_ column: SampleColumn) -> Bool {
        guard column.areNumbers, !column.holdsTimes else { return false }
        var (rises, falls, steps) = (0, 0, 0)
        for rows in savedRecords {
            let numbers = rows.compactMap { column.number($0) }
            for (number, next) in zip(numbers, numbers.dropFirst()) {
                steps += 1
                if next > number { rises += 1 } else if next < number { falls += 1 }
            }
        }
        return rises >= 30 && falls == 0 && rises * 2 > steps
    }

    /// Whether times are those of the rows, or that of the record's creation.
    private func isTimeOfRows(_ column: SampleColumn) -> Bool {
        if column.name.saysAuthorTime && column.name.saysTime || column.name.saysCreation && isConstantWithinRecords(column) { return true }
        // What people set, as the time at which something was done, stays when they edit something else.
        guard isNewInMostRows(column) else { return false }
        if column.name.saysCreation || column.name.saysReceipt { return true }
        guard let rows = chosen[.received] ?? chosen[.timestamp] else { return false }
        var (count, near) = (0, 0)
        for row in sample.rows.indices {
            guard let mine = column.time(row), let theirs = rows.time(row) else { continue }
            let (distance, overflows) = mine.subtractingReportingOverflow(theirs)
            guard !overflows, (-30 * 86_400_000...30 * 86_400_000).contains(distance) else { return false }
            count += 1
            if abs(distance) <= 3_600_000 { near += 1 }
        }
        return count >= RowSample.fewestRows && 2 * near >= count
    }

    /// Whether a column says the same of all rows of an author, and something else where another author saved the record.
    private func goesWith(_ author: SampleColumn, _ column: SampleColumn) -> Bool {
        guard column.distinct > 1, column.told == sample.rows.count, sample.rows.count >= 12, author.distinct > 1, author.determines(column)
        else {
            return false
        }
        let counts = sample.rows.indices.reduce(into: [Int32: Int]()) { $0[author.ids[$1], default: 0] += 1 }
        guard counts.values.filter({ $0 > 1 }).count >= 2 else { return false }
        // Several records were saved by several authors each, and all changed with them.
        return records.filter { rows in Set(rows.map { author.ids[$0] }).count > 1 }.count >= 3
    }
}
