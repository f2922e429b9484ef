package import SyncMerge
import SyncModel

/// Turns decisions of the merge into conflicts: kind, basis, severity, window, clocks.
package struct ConflictClassifier: Sendable {
    /// What is looked for and reported.
    package let rules: AuditRules

    /// A classifier.
    package init(rules: AuditRules = AuditRules()) {
        self.rules = rules
    }

    /// Describes a decision.
    ///
    /// - Parameters:
    ///   - decision: What the merge decided.
    ///   - basis: How it is known that neither side had seen the other; by default what the writes themselves carry.
    ///   - offsets: What has been measured of the devices' clocks.
    package func conflict(
        _ decision: MergeDecision, basis: Conflict.Basis? = nil, offsets: ClockOffsets = ClockOffsets()
    ) -> Conflict {
        let (winner, loser) = (decision.winner, decision.loser)
        let kind = kind(of: decision)
        let winning = Conflict.Side(winner, field: decision.field)
        let losing = Conflict.Side(loser, field: decision.field)
        let severity = severity(of: decision, kind: kind)
        let gap = gap(winner, loser)
        var flags = flags(of: gap)
        flags[.clockSuspect] = offsets.makeSuspect(
            winner: winner, loser: loser, order: decision.order, tolerance: rules.clockToleranceMilliseconds)
        flags[.stale] = severity == .lossy && decision.edits.isStale && !loser.isDelete
        flags[.repeated] = severity.isLoss && decision.edits.isRepeated
        flags[.bookkeeping] = severity == .benign && decision.edits.isBookkeeping
        flags[.cleared] = severity == .lossy && decision.removesField(winner) && !loser.isDelete
        return Conflict(
            id: decision.conflictID, kind: kind, severity: severity,
            basis: basis ?? winner.evidence(against: loser, rules.intervals), key: winner.key, field: decision.field, related: nil,
            winner: winning, loser: losing, writtenAncestor: decision.ancestor.flatMap { $0.written(decision.field) },
            result: severity == .merged ? decision.result : nil, gapMilliseconds: gap,
            windowMilliseconds: rules.windowMilliseconds, policy: decision.policy,
            resolution: resolution(of: decision, severity: severity), reason: decision.reason, flags: flags)
    }

    /// How far apart two writes are, in milliseconds, 0 or more.
    func gap(_ one: TaggedWrite, _ other: TaggedWrite) -> Int64 {
        let distance = one.timestamp.milliseconds.distance(after: other.timestamp.milliseconds)
        return distance == .min ? .max : abs(distance)
    }

    /// What is so of every conflict of writes that are so far apart.
    func flags(of gap: Int64) -> Conflict.Flags {
        var flags = Conflict.Flags()
        flags[.withinWindow] = gap <= rules.windowMilliseconds
        return flags
    }

    private func kind(of decision: MergeDecision) -> Conflict.Kind {
        switch decision.contention {
        case .differentFields: .disjointUpdate
        case .bothDeleted: .deleteDelete
        case .sameRegister:
            switch (decision.winner.isDelete, decision.loser.isDelete) {
            case (true, true): .deleteDelete
            case (true, false), (false, true): .deleteUpdate
            case (false, false): decision.winner.isInsert && decision.loser.isInsert ? .insertInsert : .updateUpdate
            }
        }
    }

    private func severity(of decision: MergeDecision, kind: Conflict.Kind) -> Conflict.Severity {
        switch kind {
        case .deleteDelete: return .benign
        case .disjointUpdate: return .merged
        case _ where decision.result == nil && decision.edits.isBookkeeping: return .benign
        // Nobody edited there.
        case _ where decision.result == nil && decision.edits.isLoserKnown: return .benign
        // Even the removal of a field is an edit that the delete of its record discards.
        case .deleteUpdate: return decision.winner.isDelete ? .destructive : .lossy
        default: break
        }
        if decision.winner.keeps(decision.loser, in: decision.field), !decision.addsUp { return .benign }
        return decision.result != nil ? .merged : .lossy
    }

    private func resolution(of decision: MergeDecision, severity: Conflict.Severity) -> Conflict.Resolution {
        if decision.isPending { return .manualPending }
        if severity == .merged { return .merged }
        return decision.didArrivingWin ? .applyRemote : .keepLocal
    }
}

extension MergeDecision {
    /// Which of the two writes the clocks made the winner; nil where they had no say.
    fileprivate var order: ClockOffsets.Order? { ClockOffsets.Order(reason: reason, policy: policy) }

    /// Whether a put removes the field in question.
    fileprivate func removesField(_ write: TaggedWrite) -> Bool { field.flatMap { write.value(of: $0) } == .null }

    /// Whether both sides went into a sum, in which equal totals are not the same wish but twice as much.
    fileprivate var addsUp: Bool {
        guard result != nil, let field else { return false }
        return loser.value(of: field).flatMap(CounterWrite.init) != nil
    }
}

extension Conflict.Side {
    /// Describes a write as one side of a conflict over a field, or over the whole record where the field is nil.
    init(_ write: TaggedWrite, field: FieldName?) {
        self.init(
            dot: write.dot, timestamp: write.timestamp, operation: write.isDelete ? .delete : .put,
            written: write.written(field), app: write.app)
    }
}

extension TaggedWrite {
    /// What a put gives a field, or an object of all that it sets where the field is nil; nil for a delete and where it does not name the
    /// field.
    fileprivate func written(_ field: FieldName?) -> WrittenValue? {
        guard let fields else { return nil }
        guard let field else { return WrittenValue(.object(fields)) }
        return fields.written(field)
    }

    /// How it is known that neither of two concurrent writes had seen the other: as well as that is known of the one of which it is known
    /// less well.
    func evidence(against other: TaggedWrite, _ intervals: IntervalRule) -> Conflict.Basis {
        max(evidence(ofNotHavingSeen: other, intervals), other.evidence(ofNotHavingSeen: self, intervals))
    }

    private func evidence(ofNotHavingSeen other: TaggedWrite, _ intervals: IntervalRule) -> Conflict.Basis {
        if seen != nil || cursor != nil && other.hubSequence != nil { return .causal }
        return wasMadeBeforeReceipt(of: other, intervals) ? .arrival : .window
    }
}
