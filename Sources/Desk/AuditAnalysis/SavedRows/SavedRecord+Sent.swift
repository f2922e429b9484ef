import ConflictAudit
import SyncModel

/// A table may hold what devices sent, and not what the server kept of it: an upload that was late then changes nothing that was edited
/// later.
///
/// The next rows tell: their authors go on from what they were shown, which is either the row before or all rows merged by the later edit.
extension SavedRecord {
    /// What a record's rows tell of whether they were kept or only sent, and the edits in them if they were sent.
    struct Sent {
        /// In how many fields rows differ from the versions that are likeliest to be their bases, of rows that were kept and of merged
        /// ones.
        var keptDifferences = 0
        var mergedDifferences = 0
        /// By the version's index the fields that it edited.
        var edits: [[Int]] = []
    }

    /// Reads the rows as what devices sent; those that lack a time count as the earliest.
    func sent(_ reading: Reading) -> Sent {
        var sent = Sent()
        // What is shown after each row if the later edit wins, and when each field of it was edited.
        var merged = VersionValues(width: named.width, capacity: versions.count)
        var edited = [Int64](repeating: .min, count: named.width)
        var deleted: Int64?
        for index in versions.indices {
            let made = versions[index].made ?? .min
            if versions[index].isDelete {
                deleted = max(deleted ?? .min, made)
                merged.appendNone()
                sent.edits.append([])
                continue
            }
            let fields: [Int]
            if let range = candidates(index, reading) {
                let base = best(index, range, merged)
                fields = named.fields.filter { differs(index, from: base, of: merged, in: $0) }
                sent.mergedDifferences += fields.count
                let kept = best(index, range, shown)
                sent.keptDifferences += named.fields.count { differs(index, from: kept, of: shown, in: $0) }
            } else {
                fields = named.fields.filter { named[index, $0] != SavedRowNumbers.none }
            }
            if index > 0 { merged.appendSame() } else { merged.appendNone() }
            for field in fields where made > deleted ?? .min && made >= edited[field] {
                (merged[index, field], edited[field]) = (named[index, field], made)
            }
            sent.edits.append(fields)
        }
        return sent
    }

    /// The state from which a version differs in the fewest fields but at least one, of several the latest; of none the latest.
    private func best(_ version: Int, _ range: ClosedRange<Int>, _ states: VersionValues) -> Int {
        var best: (state: Int, count: Int)?
        for state in range.reversed() {
            let limit = best?.count ?? .max
            var count = 0
            for field in named.fields where differs(version, from: state, of: states, in: field) {
                count += 1
                if count >= limit { break }
            }
            if count > 0, count < limit { best = (state, count) }
            if best?.count == 1 { break }
        }
        return best?.state ?? range.upperBound
    }
}
