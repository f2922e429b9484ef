import SyncModel

/// The writes to a record in their order of arrival, fewer with every question: those that a winner had seen, among them those that their
/// winner had seen, and so on.
///
/// - Complexity: O(*t*) for each question, for *t* writes since the last one left whose writer had seen all before it; mostly there is
///   none. All writes left are looked at where some say nothing of what they had seen, came after one that had seen them, or are of very
///   many devices.
struct PastWrites {
    private let writes: [TaggedWrite]
    /// The writes left.
    private var left: [Int]
    /// Which writes' writers had seen all that had arrived before.
    private var dominates: [Bool] = []
    /// For each of these what had arrived before, as long as those are few devices.
    private var before: [Int: VersionVector] = [:]

    private static let fewDevices = 32

    init(_ writes: [TaggedWrite]) {
        self.writes = writes
        left = Array(writes.indices)
        dominates.reserveCapacity(writes.count)
        var (arrived, mentioned) = (VersionVector(), VersionVector())
        for (index, write) in writes.enumerated() {
            guard write.isNumbered, var known = write.seen, !mentioned.covers(write.dot) else {
                dominates = Array(repeating: false, count: writes.count)
                return
            }
            mentioned.formUnion(known)
            mentioned.insert(write.dot)
            known.insert(write.dot)
            dominates.append(known.covers(arrived))
            if dominates[index], arrived.entries.count <= Self.fewDevices { before[index] = arrived }
            arrived.insert(write.dot)
        }
    }

    var isEmpty: Bool { left.isEmpty }

    /// The policy's choice among the maximal writes left.
    func winner(_ register: RegisterRules, intervals: IntervalRule) -> TaggedWrite? {
        var maximal = MaximalSet()
        // The first of them had seen all before it, so that none of those is maximal.
        for index in left[start...] { maximal.insert(writes[index], intervals: intervals) }
        return register.verdict(among: maximal.contenders)?.winner
    }

    /// Removes the writes that a writer had not seen.
    mutating func keep(seenBy winner: TaggedWrite, intervals: IntervalRule) {
        let start = start
        let keepsEarlier = start == 0 || winner.dot == writes[left[start]].dot || hasSeenAll(winner, before: left[start])
        let rest = (keepsEarlier ? left[start...] : left[...]).filter { winner.hasSeen(writes[$0], intervals: intervals) }
        left.replaceSubrange((keepsEarlier ? start : 0)..., with: rest)
    }

    private func hasSeenAll(_ winner: TaggedWrite, before index: Int) -> Bool {
        guard let arrived = before[index], var known = winner.seen else { return false }
        known.insert(winner.dot)
        return known.covers(arrived)
    }

    /// The index of the last write left whose writer had seen all before it; 0 where there is none.
    private var start: Int { left.lastIndex { dominates[$0] } ?? 0 }
}
