import SyncModel

extension TableJudge {
    /// Names of columns that may name a record where no identity does.
    private static let otherNames: Set<String> = [
        "path", "slug", "filename", "file", "uri", "sku", "isbn", "barcode", "recordname", "docpath",
    ]

    /// Finds which column names the record, and which its type.
    mutating func findRecord(_ type: String) throws(RowMapping.Problem) {
        if result.sources[.recordID] == nil { try guessRecord() }
        groupRecords()
        if result.sources[.recordType] == nil { guessType(type) }
    }

    /// The steps from row to row of a record in which a column is told, and those in which it stays as it is.
    func steps(of column: SampleColumn) -> (all: Int, equal: Int) {
        var (all, equal) = (0, 0)
        for rows in records {
            for (row, next) in zip(rows, rows.dropFirst()) where column.ids[row] >= 0 && column.ids[next] >= 0 {
                all += 1
                if column.ids[row] == column.ids[next] { equal += 1 }
            }
        }
        return (all, equal)
    }

    /// The steps from row to row of a record, and those for which something holds.
    func steps(where holds: (Int, Int) -> Bool) -> (all: Int, equal: Int) {
        var (all, equal) = (0, 0)
        for rows in records {
            for (row, next) in zip(rows, rows.dropFirst()) {
                all += 1
                if holds(row, next) { equal += 1 }
            }
        }
        return (all, equal)
    }

    private mutating func guessRecord() throws(RowMapping.Problem) {
        // Rows that only begin and end transactions name none.
        let rows = shape.hasImages ? sample.rows.count { $0.after != nil || $0.before != nil } : sample.rows.count
        let columns = free.filter { $0.name.isIdentity || $0.name.namesRecord }.map(sample.filled).filter { column in
            column.told * 20 >= rows * 19 && column.values.allSatisfy { $0.canonical.isPlain }
                && (column.name.namesRecord || !column.name.namesOther)
        }
        // What is made again and again, or has nothing that stays, is no record where something else is new each time.
        let isNew = columns.contains { $0.isUnique && !$0.numbersRows }
        let repeated = columns.filter { !$0.isUnique && !(isNew && (lives(of: $0).repeated > 0 || !holdsOn($0))) }
        let named = repeated.filter(\.name.namesRecord)
        // The column with most values parts the rows most finely.
        var best = named.max { $0.distinct < $1.distinct } ?? repeated.max { $0.distinct < $1.distinct }
        if let finest = best, finest.isImage, let cell = repeated.first(where: { !$0.isImage && $0.partsLike(finest) }) { best = cell }
        if best == nil {
            let others = free.filter { Self.otherNames.contains($0.name.plain) && $0.told == sample.rows.count && !$0.isUnique }
            best = others.max { $0.distinct < $1.distinct }
        }
        // A long table may begin with creations alone: beside what names a record, what numbers these rows numbers all of them.
        let others = sample.isWhole ? [] : columns.filter { !$0.numbersRows }
        if others.isEmpty { best = best ?? person(rows) }
        let unique = others.isEmpty ? columns : others
        best = best ?? unique.first { $0.name.plain == "id" } ?? unique.first(where: \.name.namesRecord) ?? unique.first
        guard let best else {
            let candidates = free.filter { !$0.holdsTimes && $0.told == sample.rows.count && !$0.isImage || $0.name.isIdentity }
            let likely = candidates.filter { !$0.isUnique }.max { $0.distinct < $1.distinct }?.shown
            let option = RowColumns.option(map: [(.recordID, likely ?? "COLUMN")])
            throw RowMapping.Problem(sentence: "no column is known to name the record; say which does, as with \(option). \(listing)")
        }
        take(completed(best), as: .recordID)
    }

    /// How many columns are asked whether they stay as they are.
    private static let mostColumns = 16

    /// Whether a column of many values stays as it is from row to row of what may be a record, where there is such a column.
    private func holdsOn(_ column: SampleColumn) -> Bool {
        let steps = rows(by: column).flatMap { zip($0, $0.dropFirst()) }
        let rich = free.lazy.filter {
            $0.isImage == column.isImage && $0.distinct * 4 > $0.told && $0.told * 2 > sample.rows.count && !$0.holdsTimes
                && !$0.name.isIdentity && !$0.name.namesRecord && !$0.numbersRows
        }.prefix(Self.mostColumns)
        return rich.isEmpty
            || rich.contains { other in
                let equal = steps.count { row, next in other.ids[row] >= 0 && other.ids[row] == other.ids[next] }
                return equal * 8 > steps.count
            }
    }

    /// A column together with another where it is but a part of the key, as records tell that are made again though nobody deleted them.
    private mutating func completed(_ best: SampleColumn) -> SampleColumn {
        let parts = lives(of: sample.filled(best))
        guard parts.repeated > 0, parts.unmade == 0 else { return best }
        let others = free.filter { other in
            other.isImage == best.isImage && other.source != best.source && other.told > 0 && !other.holdsTimes
                && other.name.authorRank == 0
                && (other.name.isIdentity || other.name.namesOrder)
        }
        let part = others.first { other in
            let key = sample.column(.joined([best.source, other.source]), shown: "", fillsFromBefore: true)
            let lives = lives(of: key)
            return !key.isUnique && lives.repeated == 0 && lives.unmade == 0
        }
        return part.flatMap { joined([best, $0], shown: "\(best.shown)+\($0.shown)") } ?? best
    }

    /// How many rows make a record that is there, and how many records no row makes.
    private func lives(of column: SampleColumn) -> (repeated: Int, unmade: Int) {
        var (isThere, wasMade) = ([Bool](repeating: false, count: column.distinct), [Bool](repeating: false, count: column.distinct))
        var repeated = 0
        for (row, id) in column.ids.enumerated() where id >= 0 {
            switch operation(row) {
            case .create?:
                if isThere[Int(id)] { repeated += 1 }
                (isThere[Int(id)], wasMade[Int(id)]) = (true, true)
            case .delete?: isThere[Int(id)] = false
            default: break
            }
        }
        return (repeated, wasMade.count { !$0 })
    }

    /// A column of people or devices that are the records, where another says who saved.
    private func person(_ rows: Int) -> SampleColumn? {
        let people = free.filter { $0.name.authorRank > 0 && !$0.holdsTimes && $0.told > 0 && !$0.isUnique }
        let named = people.filter { $0.name.isIdentity && $0.told * 20 >= rows * 19 && lives(of: $0).repeated == 0 }
        let others = people.filter { !$0.name.isIdentity && $0.name.authorRank > 1 }
        return others.isEmpty ? nil : named.max { $0.distinct < $1.distinct }
    }

    /// How many cells are looked at where the first rows tell too little.
    private static let mostCells = 8_000_000

    /// Whether fewer than one row in eight follows on another of its record, or a column of versions seen says nothing yet.
    var wantsMoreRows: Bool {
        let following = records.reduce(0) { $0 + max(0, $1.count - 1) }
        return !sample.isWhole && sample.columns.count * sample.rows.count <= Self.mostCells / 4
            && (following * 8 < recordRows
                || result.sources[.parents] == nil && free.contains { $0.name.namesBase && $0.told == 0 })
    }

    /// Groups the rows of the sample by their records.
    private mutating func groupRecords() {
        guard let column = chosen[.recordID].map(sample.filled) else { return }
        recordIDs = column
        // Rows may come newest first: a number or a creation tells.
        records = rows(by: column)
    }

    /// The rows of the sample with each value of a column.
    private func rows(by column: SampleColumn) -> [[Int]] {
        var groups = [[Int]](repeating: [], count: column.distinct)
        for (row, id) in column.ids.enumerated() where id >= 0 { groups[Int(id)].append(row) }
        return groups
    }

    /// Whether a column has one value in all rows of a record, for each record.
    func isConstantWithinRecords(_ column: SampleColumn) -> Bool {
        records.allSatisfy { rows in
            var first: Int32?
            for row in rows where column.ids[row] >= 0 {
                if let first, first != column.ids[row] { return false }
                first = column.ids[row]
            }
            return true
        }
    }

    /// How many rows are of a record.
    private var recordRows: Int { recordIDs?.told ?? sample.rows.count }

    private mutating func guessType(_ type: String) {
        let named = free.first {
            $0.name.namesType && !$0.isImage && $0.told >= recordRows && $0.values.allSatisfy { $0.string != nil }
        }
        if let named {
            take(named, as: .recordType)
            return
        }
        if !shape.hasImages {
            let possible = free.first {
                $0.name.mayNameType && $0.told == sample.rows.count && !$0.isUnique && $0.values.allSatisfy { $0.string != nil }
                    && isConstantWithinRecords($0) && records.contains { $0.count > 1 }
            }
            if let possible {
                take(possible, as: .recordType)
                return
            }
        }
        result.sources[.recordType] = [.constant(typeFromRecord ?? type)]
    }

    /// The type that the record's column names, as `note_id` does.
    private var typeFromRecord: String? {
        guard let column = chosen[.recordID], !column.isImage, column.name.words.count == 2, let first = column.name.words.first,
            ["id", "uuid", "guid", "key"].contains(column.name.words[1])
        else { return nil }
        return ["record", "rec", "entity", "object", "document", "doc", "item", "row", "model", "resource", "subject", "primary", "parent"]
            .contains(
                first)
            ? nil : first
    }

    /// Finds which column numbers the rows in the server's order.
    mutating func findOrder() {
        guard result.sources[.hubSequence] == nil else { return }
        let candidates = free.filter { column in
            guard !column.isImage, column.areNumbers, column.told == sample.rows.count, !column.holdsTimes else { return false }
            if column.numbersRows { return true }
            guard column.name.namesOrder, column.distinct * 2 > column.told || column.told < 4 else { return false }
            return column.isUnique && column.told < RowSample.fewestRows || isMonotonous(column) || risesWithTimes(column)
        }
        if let best = candidates.first(where: { $0.name.namesOrder && $0.isUnique }) ?? candidates.first(where: \.name.namesOrder) {
            take(best, as: .hubSequence)
        } else if let best = candidates.first(where: { $0.name.isIdentity || $0.name.plain.hasSuffix("no") }) {
            take(best, as: .hubSequence)
        }
    }

    /// Whether numbers rise from row to row, or fall.
    private func isMonotonous(_ column: SampleColumn) -> Bool {
        let numbers = sample.rows.indices.compactMap { column.number($0) }
        let pairs = zip(numbers, numbers.dropFirst())
        return numbers.count > 1 && (pairs.allSatisfy { $0 <= $1 } || pairs.allSatisfy { $0 >= $1 })
    }

    /// Whether rows sorted by a column are sorted by a column of times too, but for a few.
    private func risesWithTimes(_ column: SampleColumn) -> Bool {
        let order = sample.rows.indices.sorted { (column.number($0) ?? 0, $0) < (column.number($1) ?? 0, $1) }
        return free.contains { times in
            guard !times.isImage, times.holdsTimes, times.told * 10 >= sample.rows.count * 9, times.distinct > 2 else { return false }
            return rises(times, order)
        }
    }

    /// Whether times rise in an order of rows, but for clocks that differ by two seconds and one row in fifty.
    func rises(_ column: SampleColumn, _ order: [Int]) -> Bool {
        var (latest, count, falls) = (Int64.min, 0, 0)
        for row in order {
            guard let time = column.time(row) else { continue }
            count += 1
            if time < latest - min(latest, 2000) { falls += 1 }
            latest = max(latest, time)
        }
        return count > 1 && falls * 50 <= count
    }

    /// The rows of the sample in the order of saving, as far as that is known yet.
    var savingOrder: [Int] {
        if let order = chosen[.hubSequence] {
            return sample.rows.indices.sorted { (order.number($0) ?? 0, $0) < (order.number($1) ?? 0, $1) }
        }
        return result.isReversed ? sample.rows.indices.reversed() : Array(sample.rows.indices)
    }
}
