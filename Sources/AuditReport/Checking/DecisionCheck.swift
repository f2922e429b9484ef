import ConflictAudit
import SyncMerge
import SyncModel

/// Decides every conflict again by the policy that it names, and compares what different logs say of one.
///
/// - Complexity: memory grows with the distinct conflicts, about a hundred bytes each.
struct DecisionCheck: Sendable {
    private struct Known: Sendable {
        let winner: Dot
        let place: CompactPlace
        /// Whether one of the accounts is known to be wrong, so that the disagreement needs no finding of its own.
        var isExplained: Bool
        let needsPairs: Bool
    }

    private let declared: MergeRules?
    private var known: [ConflictID: Known] = [:]
    private var divergent: [(id: ConflictID, winner: Dot, place: CompactPlace)] = []
    private var divergentCount = 0
    /// Whether a later write may win over a delete: then who wins among puts may depend on what else is there.
    private var deletesGoByTime = false

    init(declared: MergeRules?) {
        self.declared = declared
    }

    /// The distinct conflicts.
    var count: Int { known.count }

    /// - Parameter isStampWrong: Whether the line contradicts itself on its times, so that deciding it again says nothing.
    /// - Returns: Whether the conflict was not seen before.
    mutating func observe(
        _ conflict: Conflict, at place: CompactPlace, name: () -> String, isStampWrong: Bool, _ findings: inout FindingList
    ) -> Bool {
        if conflict.winner.operation != conflict.loser.operation, conflict.policy == DeletePolicy.lastWriterWins.name {
            deletesGoByTime = true
        }
        var isWrong = isStampWrong
        if !isStampWrong, let problem = problem(conflict) {
            findings.add(.decision, "\(name()): conflict \(conflict.id) over \(EventText.place(conflict.key, conflict.field)): \(problem)")
            isWrong = true
        }
        guard let other = known[conflict.id] else {
            let isCustom = MergeRules(recordedIn: conflict) == nil && !conflict.policy.hasSuffix(MergePolicy.preferDevices([]).name)
            let byTime: Set<String> = [
                MergePolicy.lastWriterWins.name, MergePolicy.counter.name, MergePolicy.set.name, MergePolicy.manual.name,
            ]
            let needsPairs = !byTime.contains(conflict.policy) && conflict.winner.operation == conflict.loser.operation
            // What an app's own rule chooses between two writes may depend on the others.
            known[conflict.id] = Known(winner: conflict.winner.dot, place: place, isExplained: isWrong || isCustom, needsPairs: needsPairs)
            return true
        }
        if isWrong { known[conflict.id]?.isExplained = true }
        if other.winner != conflict.winner.dot {
            divergentCount += 1
            if divergent.count < 1000 { divergent.append((conflict.id, conflict.winner.dot, place)) }
        }
        return false
    }

    func finish(name: (CompactPlace) -> String, _ findings: inout FindingList) {
        var reported: Set<ConflictID> = []
        for (id, winner, place) in divergent {
            guard let first = known[id], !first.isExplained, !(first.needsPairs && deletesGoByTime), reported.insert(id).inserted else {
                continue
            }
            findings.add(
                .divergence,
                "\(name(place)): the winner of conflict \(id) is \(Self.name(winner)), and by \(name(first.place)) it is \(Self.name(first.winner))"
            )
        }
    }

    private static func name(_ dot: Dot) -> String { "write \(dot.sequence) of \(EventText.name(dot.device.rawValue))" }

    /// What is wrong with a decision; nil where nothing is, or the line does not hold enough to tell.
    private func problem(_ conflict: Conflict) -> String? {
        let sides = (conflict.winner, conflict.loser)
        if conflict.kind == .uniqueKey || conflict.kind == .danglingReference { return nil }
        if ConflictID(key: conflict.key, field: conflict.field, dots: (sides.0.dot, sides.1.dot)) != conflict.id {
            return "the id is not that of the record, field and writes that the line names"
        }
        if let declared, let wrong = undeclared(conflict, declared) { return wrong }
        guard sides.0.dot.device != sides.1.dot.device, let rules = declared ?? MergeRules(recordedIn: conflict),
            let first = write(conflict, sides.0), let second = write(conflict, sides.1)
        else { return nil }
        var state = RecordState(key: conflict.key)
        _ = state.merge(first, rules: rules)
        let decisions = state.merge(second, rules: rules)
        guard let decision = decisions.first(where: { $0.field == conflict.field }) else { return nil }
        if decision.winner.dot == sides.0.dot { return nil }
        return "\(EventText.name(sides.0.dot.device.rawValue)) is named the winner, but by \(EventText.name(conflict.policy)) "
            + "\(EventText.name(sides.1.dot.device.rawValue)) wins"
    }

    private func undeclared(_ conflict: Conflict, _ declared: MergeRules) -> String? {
        let name = declared.policyName(for: conflict.key.type, field: conflict.field)
        let isMixed = conflict.winner.operation != conflict.loser.operation
        if conflict.policy == name || isMixed && conflict.policy == declared.deletes.name { return nil }
        return "it was decided by \(EventText.name(conflict.policy)), and \(isMixed ? declared.deletes.name : name) is declared"
    }

    /// One side as a write that has seen nothing of the other; nil where a value is needed and left out.
    private func write(_ conflict: Conflict, _ side: Conflict.Side) -> TaggedWrite? {
        var operation = TaggedWrite.Operation.delete
        if side.operation == .put {
            let needsValue = [MergePolicy.maximum.name, MergePolicy.minimum.name].contains(conflict.policy)
            if side.value == nil, needsValue || conflict.field == nil { return nil }
            if let value = side.value, Recoverability(ofValue: value) != .available, needsValue { return nil }
            if let field = conflict.field {
                operation = .put([field: side.value ?? .null])
            } else if case .object(let fields)? = side.value {
                operation = .put(fields)
            } else {
                return nil
            }
        }
        return TaggedWrite(dot: side.dot, timestamp: side.timestamp, key: conflict.key, operation: operation, seen: VersionVector())
    }
}
