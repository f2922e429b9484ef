import SyncBytes
import SyncModel

extension TableJudge {
    /// Finds which column says who saved: a device, or a person where no device is told.
    mutating func findAuthor() {
        guard result.sources[.device] == nil else { return }
        let candidates = free.filter(mayBeAuthor)
        result.authorCandidates = candidates.map { (name: $0.shown, rank: rank($0)) }.ordered { $0.rank > $1.rank }.map(\.name)
        // Who made a record, or owns it, says nothing of later rows.
        let varying = candidates.filter { $0.name.authorRank > 1 && !isOwner($0) }
        let several = varying.filter { $0.distinct > 1 }
        let pool = several.isEmpty ? (varying.isEmpty ? candidates.filter { $0.name.authorRank > 1 || !isOwner($0) } : varying) : several
        result.replacer = sample.columns.first { tellsOfReplacement($0) && !$0.holdsTimes }?.shown
        if pool.isEmpty { result.authorCandidates = free.filter(looksLikeAuthor).ordered { $0.distinct < $1.distinct }.map(\.shown) }
        guard var best = pool.max(by: { rank($0) < rank($1) }) else { return }
        for other in pool where other.source != best.source {
            let isFiner = other.determines(best) && !best.determines(other)
            let isMuchFiner =
                !best.determines(other) && best.distinct <= 5 && other.distinct > 2 * best.distinct && other.name.authorRank >= 3
            if isFiner && other.distinct > best.distinct || isMuchFiner { best = other }
        }
        // Rows that delete have no record after, but may name their author in a column of their own.
        if best.isImage,
            let cell = free.first(where: {
                !$0.isImage && $0.told >= best.told && abs($0.distinct - best.distinct) * 20 <= best.distinct
                    && $0.agreement(with: best) >= 0.98
            })
        {
            best = cell
        }
        take(best, as: .device)
        guard best.told < sample.rows.count else { return }
        for other in pool where other.source != best.source && !other.isImage && best.determines(other) { take(other, as: .device) }
    }

    /// A device's name before a person's; of two alike what changes more often from row to row of a record, then the row's own column.
    private func rank(_ column: SampleColumn) -> Int {
        column.name.authorRank * 1000 + Int(changes(column) * 100) * 2 + (column.isImage ? 0 : 1)
    }

    /// The share of the steps from row to row of a record in which a column changes.
    func changes(_ column: SampleColumn) -> Double {
        let steps = steps(of: column)
        return steps.all == 0 ? 0 : Double(steps.all - steps.equal) / Double(steps.all)
    }

    private func mayBeAuthor(_ column: SampleColumn) -> Bool {
        guard column.name.authorRank > 0, column.told > 0, !column.holdsTimes, column.values.allSatisfy({ $0.canonical.isPlain }) else {
            return false
        }
        // What is told by few rows is no author, but where creations tell none.
        guard column.told * 3 >= sample.rows.count else { return false }
        if column.told >= RowSample.fewestRows, column.isUnique { return false }
        if column.told > 20, column.distinct * 4 > column.told * 3 { return false }
        return column.values.allSatisfy { value in
            switch value.canonical {
            case .string(let text): text.utf8.count <= 256 && !Self.isPhone(text)
            case .number: true
            default: false
            }
        }
    }

    /// Whether a column may say who saved by its values alone: a few names that come again and again, and change with the rows of a record.
    private func looksLikeAuthor(_ column: SampleColumn) -> Bool {
        !column.name.saysReplacement && !column.name.saysKind && column.distinct > 1 && column.distinct * 4 <= column.told
            && column.told * 5 > sample.rows.count * 4 && !column.holdsTimes && !column.areNumbers && !isOwner(column)
            && changes(column) >= 0.1
            && column.values.allSatisfy { value in
                guard let text = value.canonical.string else { return false }
                return text.utf8.count <= 64 && !text.contains(" ") && RowFlag.isTrue(.string(text)) == nil
            }
    }

    /// Whether a string is a telephone number as people write it: signs and ten digits about.
    private static func isPhone(_ text: String) -> Bool {
        guard let first = text.utf8.first,
            first == UInt8(ascii: "+") || first == UInt8(ascii: "(") || text.contains(" ") || text.contains("-")
        else {
            return false
        }
        let digits = text.utf8.filter(\.isDigit).count
        return digits >= 7 && text.utf8.allSatisfy { $0.isDigit || "+-() ./".utf8.contains($0) }
    }

    /// Whether each record has one value, though records have several rows.
    private func isOwner(_ column: SampleColumn) -> Bool {
        let repeated = records.filter { $0.count > 1 }.count
        return repeated >= 2 && column.distinct > 1 && isConstantWithinRecords(column)
    }
}
