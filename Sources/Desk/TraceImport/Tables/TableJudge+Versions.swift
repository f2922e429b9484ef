import SyncModel

extension TableJudge {
    /// Finds which column names the row's version, and which the version that its author had been looking at.
    mutating func findVersions() {
        if result.sources[.parents] == nil { findBase() }
        if result.sources[.revision] == nil { findVersion() }
        if result.sources[.parents] != nil, result.sources[.revision] == nil, let base = chosen[.parents] {
            let versions = sample.columns.filter { !$0.isImage || $0.source != base.source }
            if let best = best(for: base, of: versions.filter { !isRole($0, but: .hubSequence) }) { shareVersion(best) }
        }
    }

    private func isRole(_ column: SampleColumn, but key: RowKey) -> Bool {
        taken.contains(column.source) && chosen[key]?.source != column.source
    }

    /// A version may be the row's number too.
    private mutating func shareVersion(_ column: SampleColumn) {
        if chosen[.revision] == nil { take(column, as: .revision) }
    }

    private mutating func findBase() {
        let bases = free.filter {
            $0.name.namesBase && $0.told > 0 && $0.values.allSatisfy { $0.canonical.isPlain || $0.canonical.array != nil }
        }
        for base in bases {
            if let version = chosen[.revision] {
                if matches(base, version) >= 0.6 {
                    take(base, as: .parents)
                    return
                }
            } else {
                let versions = sample.columns.filter { $0.source != base.source && !isRole($0, but: .hubSequence) && $0.told > 1 }
                guard let version = best(for: base, of: versions) ?? orderRead(base) else { continue }
                take(base, as: .parents)
                shareVersion(version)
                return
            }
        }
    }

    /// The numbers of all rows, where a column tells how far its author had read them: to less than the row's own number.
    private func orderRead(_ base: SampleColumn) -> SampleColumn? {
        guard let order = chosen[.hubSequence], base.name.namesCursor, base.areNumbers else { return nil }
        let pairs = sample.rows.indices.compactMap { row in base.number(row).map { ($0, order.number(row) ?? .min) } }
        let least = sample.rows.indices.compactMap { order.number($0) }.min() ?? 0
        // Numbers of the size of the rows', and no count of something else.
        return pairs.allSatisfy { $0 < $1 } && pairs.contains { $0.0 >= least } ? order : nil
    }

    private func best(for base: SampleColumn, of versions: [SampleColumn]) -> SampleColumn? {
        var best: (column: SampleColumn, score: Double)?
        for version in versions where version.source != base.source && !isConstantWithinRecords(version) {
            let share = matches(base, version)
            guard share >= 0.6 else { continue }
            // A name decides between columns that fit alike.
            let score = share + (version.name.namesVersion ? 0.5 : 0) + (chosen[.hubSequence]?.source == version.source ? 0.25 : 0)
            if score > best?.score ?? 0 { best = (version, score) }
        }
        return best?.column
    }

    /// The share of the rows with a base for which it is the version of another row of the record, and an older one where they count up.
    private func matches(_ base: SampleColumn, _ version: SampleColumn) -> Double {
        var (told, matched) = (0, 0)
        for rows in records {
            var versions: Set<String> = []
            for row in rows { if let text = version.value(row)?.plainText { versions.insert(text) } }
            for row in rows {
                guard let value = base.value(row), !SavedRowReader.saysNone(value.canonical.plainText) else { continue }
                told += 1
                let own = version.value(row)
                let bases = value.canonical.array?.map(\.plainText) ?? [value.plainText]
                let isOlder = zip2(base.number(row), own?.wholeNumber).map { $0 < $1 } ?? true
                // A record's first version has no base, which some write as 0.
                if bases.allSatisfy({ versions.contains($0) && $0 != own?.plainText }) && isOlder || base.number(row) == 0 { matched += 1 }
            }
        }
        return told == 0 ? 0 : Double(matched) / Double(told)
    }

    private func zip2(_ left: Int64?, _ right: Int64?) -> (Int64, Int64)? {
        guard let left, let right else { return nil }
        return (left, right)
    }

    private mutating func findVersion() {
        let named = free.filter { $0.name.namesVersion && $0.told * 2 > sample.rows.count - deletes && differsWithinRecords($0) }
        if let best = named.first(where: countsUp) ?? named.first {
            take(best, as: .revision)
            return
        }
        if let counting = free.first(where: { $0.areNumbers && !$0.holdsTimes && countsUp($0) }) { take(counting, as: .revision) }
    }

    private var deletes: Int { shape.hasImages ? sample.rows.filter { $0.after == nil }.count : 0 }

    /// Whether two rows of a record have different values, but for one pair in twenty.
    private func differsWithinRecords(_ column: SampleColumn) -> Bool {
        let steps = steps(of: column)
        return steps.equal * 20 <= steps.all && steps.all > 0
    }

    /// Whether numbers count up by one from row to row of each record: in all of at least four steps, of two records or more.
    ///
    /// Rows that delete may show the number of the row before, and one that deletes and creates again may leave one out.
    func countsUp(_ column: SampleColumn) -> Bool {
        guard column.areNumbers else { return false }
        var (steps, wrong, counted) = (0, 0, 0)
        for rows in savedRecords where rows.count > 1 {
            let numbers = rows.compactMap { column.number($0) }
            if numbers.count > 1 { counted += 1 }
            for (number, next) in zip(numbers, numbers.dropFirst()) {
                steps += 1
                let (step, overflows) = next.subtractingReportingOverflow(number)
                if overflows || step != 1 { wrong += 1 }
            }
        }
        return steps >= 4 && counted >= 2 && wrong * 50 <= steps
    }

    /// The rows of each record in the order of saving.
    var savedRecords: [[Int]] {
        var ranks = [Int](repeating: 0, count: sample.rows.count)
        for (rank, row) in savingOrder.enumerated() { ranks[row] = rank }
        return records.map { rows in rows.sorted { ranks[$0] < ranks[$1] } }
    }
}
