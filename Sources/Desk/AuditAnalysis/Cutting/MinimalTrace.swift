import ConflictAudit
import SyncMerge
import SyncModel

/// The fewest lines of a trace that still give one conflict, found by auditing parts of the trace again.
///
/// None of them can be left out: without any one of them the audit says something else, unless ``isFewest`` is false.
///
/// Source of the method: Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002. It begins here with the two
/// sides and what their writers had seen, and not with all lines.
package struct MinimalTrace: Sendable {
    /// Why no trace can be given.
    package enum Failure: Error, Hashable, Sendable {
        /// The lines that were kept do not give the conflict by themselves.
        case notFound
        /// With other values the conflict would be another.
        case changedByMasking
    }

    /// The lines, in the order of the trace.
    package var bytes: [UInt8] { lines.flatMap(\.bytes) }
    /// How many lines there are.
    package var lineCount: Int { lines.count }
    /// What the audit says of the conflict, with these lines alone as with all.
    package let verdict: ConflictVerdict
    /// Whether it was found that none of the lines can be left out, before as much as may be was audited.
    package private(set) var isFewest = true

    private var lines: [TraceLine] = []
    private let judge: TraceJudge
    /// How many lines may yet be audited.
    private var budget: Int

    /// About how many lines are audited in all, at most.
    package static let budget = 1_000_000

    /// Looks for the fewest lines.
    ///
    /// - Parameters:
    ///   - candidates: The lines that the conflict may depend on.
    ///   - judge: Audits as the trace was audited.
    ///   - keepsValues: Whether values stay as they are.
    ///   - budget: About how many lines are audited in all, at most, while fewer are looked for.
    /// - Throws: ``Failure``, and `AuditLogError` where a line cannot be read back.
    /// - Complexity: At most *budget* lines are audited; mostly some hundred.
    package init(_ candidates: TraceCandidates, judge: TraceJudge, keepsValues: Bool = false, budget: Int = Self.budget) throws {
        self.judge = judge
        self.budget = budget
        verdict = ConflictVerdict(candidates.conflict)
        lines = try grown(from: candidates)
        try reduce()
        if !keepsValues { lines = try masked() }
    }

    /// Whether some lines give the conflict.
    private mutating func suffices(_ lines: [TraceLine]) throws -> Bool {
        // An audit costs about as much as some lines.
        budget -= lines.count + 16
        return try judge.finds(verdict, in: lines)
    }

    /// The two sides with as many of the other lines, likely ones first, as give the conflict.
    private mutating func grown(from candidates: TraceCandidates) throws -> [TraceLine] {
        let (all, sides) = candidates.lines
        let ranked = Self.ranked(all, sides: sides, intervals: judge.auditRules.intervals)
        var count = 0
        while true {
            let chosen = (sides + ranked.prefix(count)).sorted().map { all[$0] }
            if try suffices(chosen) { return chosen }
            guard count < ranked.count else { throw Failure.notFound }
            count = max(1, 2 * count)
        }
    }

    /// The indices of the lines that are no side: those first that both sides had seen, then those that one had, of several the latest.
    private static func ranked(_ lines: [TraceLine], sides: [Int], intervals: IntervalRule) -> [Int] {
        let writes = sides.compactMap { lines[$0].write }
        let isSide = Set(sides)
        let ranks = lines.map { line in
            line.write.map { write in writes.count { !$0.hasSeen(write, intervals: intervals) } } ?? 0
        }
        return lines.indices.filter { !isSide.contains($0) }.sorted { ranks[$0] == ranks[$1] ? $0 > $1 : ranks[$0] < ranks[$1] }
    }

    /// Leaves out as much as can be left out, in ever smaller parts.
    private mutating func reduce() throws {
        var size = max(1, lines.count / 2)
        while true {
            var (start, isReduced) = (0, false)
            while start < lines.count {
                guard budget > 0 else {
                    isFewest = false
                    return
                }
                var rest = lines
                rest.removeSubrange(start..<min(start + size, lines.count))
                if try suffices(rest) {
                    (lines, isReduced) = (rest, true)
                } else {
                    start += size
                }
            }
            if size == 1, !isReduced { return }
            size = max(1, size / 2)
        }
    }

    /// The lines with other values, for which the audit says the same.
    private func masked() throws -> [TraceLine] {
        let rules = judge.auditRules
        // What a reference says is the name of a record, and names stay.
        let hasReferences = !rules.references.isEmpty || !rules.referencesInAnyType.isEmpty
        let names = hasReferences ? lines.compactMap { $0.key?.id.rawValue } : []
        for order in [ValueMask.Order.kept, .any] {
            guard let mask = ValueMask(lines.flatMap(\.values), keeping: names, order: order) else { continue }
            let masked = lines.map { $0.mapping(mask.masked) }
            if try judge.finds(verdict, in: masked) { return masked }
        }
        throw Failure.changedByMasking
    }
}
