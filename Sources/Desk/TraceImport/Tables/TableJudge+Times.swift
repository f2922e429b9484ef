import SyncModel

extension TableJudge {
    /// Finds which column says when the server had a row, and which when its author made it.
    mutating func findTimes() {
        let candidates = free.filter { column in
            column.holdsTimes && !column.name.saysEnd && !column.name.saysDeleted && 2 * column.told >= sample.rows.count - emptyImages
                && column.distinct > 1
        }
        let changing = candidates.filter { column in
            if records.contains(where: { $0.count > 1 }), isConstantWithinRecords(column) { return false }
            // When the record was made, beside the time of the row.
            return !column.name.saysCreation || !candidates.contains { $0.name.saysAuthorTime && isEarlier(column, than: $0) }
        }
        if result.sources[.received] == nil {
            let scored = changing.map { (column: $0, score: receiptScore($0)) }.filter { $0.score > 0 }
            if let best = scored.max(by: { $0.score < $1.score }) { take(best.column, as: .received) }
        }
        guard result.sources[.timestamp] == nil else { return }
        let rest = changing.filter { !taken.contains($0.source) && changesWithRows($0) }
        let scored = rest.map { (column: $0, score: authorScore($0)) }.filter { $0.score > 0 }
        guard let best = scored.max(by: { $0.score < $1.score }) else { return }
        if let received = chosen[.received], isSameTime(best.column, received) {
            taken.insert(best.column.source)
            return
        }
        take(best.column, as: .timestamp)
    }

    /// Whether most rows have a time in a column that is earlier than in another by a minute, and none later by as much.
    private func isEarlier(_ column: SampleColumn, than other: SampleColumn) -> Bool {
        var (count, earlier) = (0, 0)
        for row in sample.rows.indices {
            guard let mine = column.time(row), let theirs = other.time(row) else { continue }
            let distance = theirs.subtractingReportingOverflow(mine).partialValue
            if distance < -60_000 { return false }
            count += 1
            if distance > 60_000 { earlier += 1 }
        }
        return count > 0 && 2 * earlier > count
    }

    private var emptyImages: Int { shape.hasImages ? sample.rows.filter { $0.after == nil }.count : 0 }

    /// How much speaks for a time of the server's clock: its name, that it belongs to the row and not to the record, that it rises.
    private func receiptScore(_ column: SampleColumn) -> Int {
        var score = 0
        if column.isImage { score -= 3 } else if shape.hasImages { score += 3 }
        if column.name.saysReceipt { score += 4 }
        if column.name.saysAuthorTime { score -= column.name.words.contains(where: ["client", "device", "local"].contains) ? 6 : 1 }
        let order = savingOrder
        if rises(column, order) || chosen[.hubSequence] == nil && (rises(column, order.reversed()) || risesWithinRecords(column)) {
            score += 2
        }
        return score
    }

    private func risesWithinRecords(_ column: SampleColumn) -> Bool {
        records.contains { $0.count > 1 } && rises(column, inRecords: false) || rises(column, inRecords: true)
    }

    private func rises(_ column: SampleColumn, inRecords isReversed: Bool) -> Bool {
        let repeated = records.filter { $0.count > 1 }
        return !repeated.isEmpty && repeated.allSatisfy { rises(column, isReversed ? $0.reversed() : $0) }
    }

    private func authorScore(_ column: SampleColumn) -> Int {
        var score = 0
        if column.name.saysAuthorTime { score += 3 }
        if column.isImage { score += 1 }
        if column.name.words.contains(where: ["client", "device", "local"].contains) { score += 2 }
        if column.name.saysCreation || column.name.saysReceipt { score -= 4 }
        if ["ts", "timestamp", "time", "at", "when", "datetime", "occurredat", "eventtime"].contains(column.name.plain) { score += 2 }
        return score
    }

    /// Whether most rows of a record have a time of their own.
    private func changesWithRows(_ column: SampleColumn) -> Bool {
        let steps = steps(of: column)
        return steps.equal * 2 <= steps.all
    }

    /// Whether two columns tell one time in all rows.
    private func isSameTime(_ left: SampleColumn, _ right: SampleColumn) -> Bool {
        sample.rows.indices.allSatisfy { row in
            guard let mine = left.time(row), let theirs = right.time(row) else { return true }
            return mine == theirs
        }
    }

    /// Makes sure that the row's numbers and the server's times agree, and finds out otherwise whether the newest row comes first.
    mutating func settleOrder() {
        if let order = chosen[.hubSequence], reading.mapping.given[.hubSequence] == nil, known?.roles[.hubSequence] == nil,
            let received = chosen[.received], received.name.saysReceipt, !rises(received, savingOrder)
        {
            // Names of rows that happen to be numbers.
            result.sources[.hubSequence] = nil
            chosen[.hubSequence] = nil
            taken.remove(order.source)
            notOrder.insert(order.source)
        }
        result.orderColumn = chosen[.hubSequence]?.shown
        guard chosen[.hubSequence] == nil else { return }
        if let received = chosen[.received] {
            // Times of one second are told apart by the order of the rows.
            let lines = Array(sample.rows.indices)
            result.isReversed = rises(received, lines.reversed()) && !rises(received, lines)
            result.reversal = "as their times tell"
            return
        }
        if let version = chosen[.revision], version.told == sample.rows.count, isMonotonousInRecords(version) {
            take(version, as: .hubSequence)
            return
        }
        judgeDirection()
    }

    /// Finds out by creations, else by the authors' clocks, whether the newest row comes first.
    private mutating func judgeDirection() {
        var (first, last) = (0, 0)
        for rows in records where rows.count > 1 {
            if let row = rows.first, operation(row) == .create, operation(rows[rows.count - 1]) != .create { first += 1 }
            if let row = rows.last, operation(row) == .create, operation(rows[0]) != .create { last += 1 }
        }
        result.reversal = "as their creations tell"
        if first == last, let made = chosen[.timestamp] {
            first = steps { row, next in (made.time(row) ?? 0) < (made.time(next) ?? 0) }.equal
            last = steps { row, next in (made.time(row) ?? 0) > (made.time(next) ?? 0) }.equal
            result.reversal = "as most of their times tell"
        }
        result.isReversed = last > first
        result.isOrderUnknown = first == last
    }

    /// Whether numbers rise from row to row of every record, or fall.
    private func isMonotonousInRecords(_ column: SampleColumn) -> Bool {
        guard column.areNumbers else { return false }
        let rising = steps { row, next in (column.number(row) ?? 0) < (column.number(next) ?? 0) }
        let falling = steps { row, next in (column.number(row) ?? 0) > (column.number(next) ?? 0) }
        return rising.all > 0 && (rising.equal == rising.all || falling.equal == falling.all)
    }
}
