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
        var merged: [[Int32]] = []
        var edited: [Int64] = []
        var deleted: Int64?
        for index in versions.indices {
            let (made, isDelete) = (versions[index].made ?? .min, versions[index].isDelete)
            var state = merged.last ?? []
            var fields: [Int] = []
            if !isDelete {
                let named = versions[index].named
                if let range = candidates(index, reading) {
                    let ofMerged = best(index, range) { merged[$0] }
                    for field in named.indices where named[field] != 0 && named[field] != value(ofMerged, field) { fields.append(field) }
                    sent.mergedDifferences += fields.count
                    let ofKept = best(index, range) { versions[$0].shown }
                    sent.keptDifferences += named.indices.count { named[$0] != 0 && named[$0] != value(ofKept, $0) }
                } else {
                    fields = named.indices.filter { named[$0] != 0 }
                }
            }
            if isDelete {
                deleted = max(deleted ?? .min, made)
                state = []
            } else if made > deleted ?? .min {
                if let last = fields.last, state.count <= last { state += repeatElement(0, count: last + 1 - state.count) }
                if edited.count < state.count { edited += repeatElement(.min, count: state.count - edited.count) }
                for field in fields where made >= edited[field] { (state[field], edited[field]) = (versions[index].named[field], made) }
            }
            sent.edits.append(fields)
            merged.append(state)
        }
        return sent
    }

    /// The state from which a version differs in the fewest fields but at least one, of several the latest; of none the latest.
    private func best(_ version: Int, _ range: ClosedRange<Int>, _ state: (Int) -> [Int32]) -> [Int32] {
        let named = versions[version].named
        var best: (state: [Int32], count: Int)?
        for index in range.reversed() {
            let state = state(index)
            let limit = best?.count ?? .max
            var count = 0
            for field in named.indices where named[field] != 0 && named[field] != value(state, field) {
                count += 1
                if count >= limit { break }
            }
            if count > 0, count < limit { best = (state, count) }
            if best?.count == 1 { break }
        }
        return best?.state ?? state(range.upperBound)
    }
}
