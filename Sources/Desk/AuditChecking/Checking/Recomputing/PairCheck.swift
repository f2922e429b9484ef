import AuditAnalysis
import ConflictAudit
import SyncMerge
import SyncModel

/// Makes a conflict again from its two writes alone, by the one merge.
struct PairCheck {
    /// The rules, which go by what the lines say where they cannot know better.
    let rules: MergeRules
    let logged: LoggedWinners
    let history: RecordedHistory
    /// What is known of the reason of a conflict by a list of devices that nobody gave.
    let reason: (Conflict) -> Conflict.Reason?

    /// What a line was held against.
    struct Outcome {
        /// What is wrong with it, as a sentence's end.
        var problem: String?
        /// Whether both writes are at hand.
        var hasWrites = false
    }

    /// Checks a line.
    ///
    /// - Parameter trustsWrites: False where lines contradict each other over the writes, so that the line is held against itself alone.
    func check(_ conflict: Conflict, trustsWrites: Bool) -> Outcome {
        let writes = trustsWrites ? [conflict.winner, conflict.loser].compactMap { history.write($0.dot) } : []
        let hasWrites = writes.count == 2
        let keys = conflict.keysOfSides
        var problem: String?
        if hasWrites, writes[0].key != keys.winner || writes[1].key != keys.loser {
            problem = "its writes are to \(EventText.register(writes[0].key, nil)) and \(EventText.register(writes[1].key, nil))"
        } else if let winner = side(conflict, conflict.winner, keys.winner, hasWrites ? writes[0] : nil),
            let loser = side(conflict, conflict.loser, keys.loser, hasWrites ? writes[1] : nil)
        {
            problem = compare(conflict, winner, loser, hasWrites ? .pair : .line)
        } else {
            problem = hasWrites ? "one of its writes does not name the field" : problemWithoutFields(conflict)
        }
        return Outcome(problem: problem, hasWrites: hasWrites)
    }

    /// Checks a line that tells neither what was written nor to which field.
    private func problemWithoutFields(_ line: Conflict) -> String? {
        let key = line.related.map { min(line.key, $0) } ?? line.key
        if ConflictID(key: key, field: line.field, dots: (line.winner.dot, line.loser.dot)) != line.id {
            return "the id is not that of the record, field and writes that the line names"
        }
        let isLastWriters = MergeRules.Scope.policyName(line.policy) == MergePolicy.lastWriterWins.name
        guard line.kind == .disjointUpdate || isLastWriters && line.winner.operation == line.loser.operation else { return nil }
        guard line.loser.order < line.winner.order else { return "the winner is the earlier of the two" }
        let reason = line.reasonByTime
        if line.reason != reason { return "the reason is told as \(line.reason.rawValue), and is \(reason.rawValue)" }
        return line.severity == .merged || line.kind != .disjointUpdate
            ? nil : "the severity is told as \(line.severity.rawValue), and is merged"
    }

    private func compare(
        _ line: Conflict, _ winner: TaggedWrite, _ loser: TaggedWrite, _ certainty: ConflictComparison.Certainty
    ) -> String? {
        let classifier = ConflictClassifier(rules: AuditRules(window: max(.zero, line.window)))
        if line.kind == .uniqueKey || line.kind == .danglingReference {
            guard let field = line.field, line.related != nil else { return "it names no field, or no other record" }
            let kind: ConstraintFinding.Kind = line.kind == .uniqueKey ? .sharedValue : .danglingReference
            let finding = ConstraintFinding(kind: kind, field: field, winner: winner, loser: loser)
            if line.kind == .uniqueKey, loser.precedes(winner) { return "the winner is the later of the two" }
            return ConflictComparison(line: line, made: classifier.conflict(finding), certainty: certainty).difference
        }
        // Two writes of one device are never concurrent, unless two devices go by one name.
        if line.winner.dot.device == line.loser.dot.device { return certainty == .line ? nil : "both sides are of one device" }
        let policy = rules.policy(for: line.key.type, field: line.field)
        let isMixed = line.winner.operation != line.loser.operation
        if policy.goesByValue, !policy.isToldOrCustom, !isMixed, !isKnown(winner, line.field) || !isKnown(loser, line.field) { return nil }
        // A put may win over a later delete where a third write was later still, and the policy chose among the puts.
        let dependsOnOthers =
            isMixed && rules.deletes == .lastWriterWins && !policy.goesByTime && line.winner.operation == .put
        var rules = rules
        if line.policy == ThreeWayMerge.handlerPolicy {
            // Between a put and a delete nothing can be decided again.
            if isMixed { return nil }
            rules.decideByHandler(logged)
        }
        if dependsOnOthers { rules.deletes = .editWins }
        var (first, last) = (loser, winner)
        // Which of the two arrived last a conflict's line does not tell but by its winner; all else is held against it.
        if rules.decideByArrival(line), winner.receipt == nil || loser.receipt == nil {
            first = loser.received(TaggedWrite.Receipt(time: nil, hubSequence: 1))
            last = winner.received(TaggedWrite.Receipt(time: nil, hubSequence: 2))
        }
        logged.expect([line], on: winner)
        var state = RecordState(key: line.key)
        _ = state.merge(first, rules: rules)
        let decisions = state.merge(last, rules: rules)
        guard let decision = decisions.first(where: { $0.field == line.field }) else {
            return certainty == .line ? nil : "one of its writers had seen the other's write"
        }
        var comparison = ConflictComparison(line: line, made: classifier.conflict(decision), certainty: certainty)
        comparison.loggedPolicy = rules.loggedPolicy(of: line)
        comparison.dependsOnOthers = dependsOnOthers
        comparison.reason = reason(line)
        return comparison.difference
    }

    private func isKnown(_ write: TaggedWrite, _ field: FieldName?) -> Bool {
        guard let fields = write.fields else { return true }
        if let field { return fields[field].map(ConflictComparison.isKnown) ?? true }
        return ConflictComparison.isKnown(.object(fields))
    }

    /// One side as a write: as a line tells of the write, or as the conflict's line does; nil where neither names the field.
    private func side(_ conflict: Conflict, _ side: Conflict.Side, _ key: RecordKey, _ write: TaggedWrite?) -> TaggedWrite? {
        if let write {
            guard let field = conflict.field, !write.isDelete else { return write }
            // Of a record of thousands of fields one is looked at.
            return write.value(of: field).map { value in
                TaggedWrite(
                    dot: write.dot, isNumbered: write.isNumbered, timestamp: write.timestamp, key: key, operation: .put([field: value]),
                    seen: write.seen, receipt: write.receipt)
            }
        }
        var operation = TaggedWrite.Operation.delete
        if side.operation == .put {
            if let field = conflict.field {
                operation = .put([field: side.value ?? Self.unknown(side.dot)])
            } else if case .object(let fields)? = side.value {
                operation = .put(fields)
            } else {
                return nil
            }
        }
        return TaggedWrite(dot: side.dot, timestamp: side.timestamp, key: key, operation: operation, seen: VersionVector())
    }

    /// A value that is not known, equal to no other.
    private static func unknown(_ dot: Dot) -> FieldValue { .object(["$omitted": .string(dot.description)]) }
}

extension Conflict {
    /// The records that its two writes are to.
    var keysOfSides: (winner: RecordKey, loser: RecordKey) {
        guard let related else { return (key, key) }
        return kind == .danglingReference ? (related, key) : (key, related)
    }
}
