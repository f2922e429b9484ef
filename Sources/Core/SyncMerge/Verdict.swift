import SyncModel

/// What a policy says of the maximal writes to a register.
struct Verdict {
    /// The write that is shown.
    let winner: TaggedWrite
    /// A value that a custom policy made of several writes.
    var made: FieldValue?
    /// Whether the app has yet to decide.
    var isPending = false
    /// What decided among the puts; the reason with regard to one loser follows from it.
    let measure: Measure

    enum Measure {
        case time
        case value(FieldName)
        case policy
        case custom
    }

    func reason(over loser: TaggedWrite, deletes: DeletePolicy) -> MergeDecision.Reason {
        if winner.isDelete != loser.isDelete {
            switch deletes {
            case .deleteWins: return .deleteWins
            case .editWins: return .editWins
            // A put may win over a later delete: one of the puts beside it was later still, and the policy chose among them.
            case .lastWriterWins: if loser.precedes(winner) { return .byTime(winner.timestamp, loser.timestamp) }
            }
        }
        return switch measure {
        case .time: .byTime(winner.timestamp, loser.timestamp)
        case .value(let field): winner.value(of: field) == loser.value(of: field) ? .byTime(winner.timestamp, loser.timestamp) : .policy
        case .policy: .policy
        case .custom: .custom
        }
    }
}

/// The rules for one register.
struct RegisterRules {
    let key: RecordKey
    let field: FieldName?
    let policy: MergePolicy
    let deletes: DeletePolicy
    let bookkeeping: BookkeepingFields

    init(key: RecordKey, field: FieldName?, policy: MergePolicy, deletes: DeletePolicy) {
        self.key = key
        self.field = field
        self.policy = policy
        self.deletes = deletes
        bookkeeping = BookkeepingFields()
    }

    init(_ rules: MergeRules, key: RecordKey, field: FieldName?) {
        self.key = key
        self.field = field
        policy = rules.policy(for: key.type, field: field)
        deletes = rules.deletes
        bookkeeping = rules.bookkeeping
    }

    /// Chooses among maximal writes, in any order; nil where there are none.
    ///
    /// - Complexity: O(*n*) comparisons, for a custom policy O(*n* log *n*).
    func verdict(among writes: [TaggedWrite]) -> Verdict? {
        guard let latest = writes.latest else { return nil }
        guard writes.count > 1 else { return Verdict(winner: latest, measure: .time) }
        guard let latestDelete = writes.lazy.filter(\.isDelete).latest else { return choose(among: writes, latest: latest) }
        let puts = writes.filter { !$0.isDelete }
        guard let latestPut = puts.latest else { return Verdict(winner: latestDelete, measure: .time) }
        switch deletes {
        case .deleteWins: return Verdict(winner: latestDelete, measure: .time)
        case .lastWriterWins where latest.isDelete: return Verdict(winner: latestDelete, measure: .time)
        case .lastWriterWins, .editWins:
            guard puts.count > 1 else { return Verdict(winner: latestPut, measure: .time) }
            return choose(among: puts, latest: latestPut)
        }
    }

    /// Whether the winner of some writes is the winner of any two parts' winners, so that one write more needs no look at all of them.
    ///
    /// An app's own rule need not be so. Nor is a later write's victory over a delete, where it makes an earlier write win over other puts.
    var choosesPairwise: Bool {
        switch policy {
        case .custom: false
        case .lastWriterWins, .set, .manual: true
        case .firstWriterWins, .lastArrivalWins, .maximum, .minimum, .counter, .preferDevices: deletes != .lastWriterWins
        }
    }

    /// The name of what decides between two writes.
    func policyName(_ winner: TaggedWrite, _ loser: TaggedWrite, in rules: MergeRules) -> String {
        winner.isDelete != loser.isDelete ? deletes.name : rules.policyName(for: key.type, field: field)
    }

    private func choose(among puts: [TaggedWrite], latest: TaggedWrite) -> Verdict {
        switch policy {
        case .lastWriterWins: return Verdict(winner: latest, measure: .time)
        case .counter:
            guard let field else { return Verdict(winner: latest, measure: .time) }
            // A value that cannot be counted from hides no sum.
            let counted = latest.counts(in: field) ? latest : puts.lazy.filter { $0.counts(in: field) }.latest
            return Verdict(winner: counted ?? latest, measure: .policy)
        case .set: return Verdict(winner: latest, measure: field == nil ? .time : .policy)
        case .firstWriterWins: return Verdict(winner: puts.earliest ?? latest, measure: .policy)
        case .lastArrivalWins: return Verdict(winner: puts.max { $0.arrivedBefore($1) } ?? latest, measure: .policy)
        case .maximum: return byValue(puts, latest: latest) { $1 < $0 }
        case .minimum: return byValue(puts, latest: latest) { $0 < $1 }
        case .preferDevices(let devices):
            for device in devices {
                if let preferred = puts.lazy.filter({ $0.dot.device.isWriter(of: device) }).latest {
                    return Verdict(winner: preferred, measure: .policy)
                }
            }
            return Verdict(winner: latest, measure: .time)
        case .manual: return Verdict(winner: latest, isPending: true, measure: .policy)
        case .custom(let custom):
            let candidates = puts.sorted { $0.precedes($1) }
            switch custom.resolve(ConflictContext(key: key, field: field, candidates: candidates)) {
            case .winner(let dot):
                guard let winner = candidates.first(where: { $0.dot == dot }) else { break }
                return Verdict(winner: winner, measure: .custom)
            case .value(let value): return Verdict(winner: latest, made: field == nil ? nil : value, measure: .custom)
            case .undecided: break
            }
            return Verdict(winner: latest, isPending: true, measure: .custom)
        }
    }

    /// The best by value; a removal never beats a value, and of equal values the latest write wins.
    private func byValue(_ puts: [TaggedWrite], latest: TaggedWrite, isBetter: (FieldValue, FieldValue) -> Bool) -> Verdict {
        guard let field else { return Verdict(winner: latest, measure: .time) }
        func value(_ put: TaggedWrite) -> FieldValue { put.value(of: field) ?? .null }
        var best = latest
        for put in puts {
            let (mine, theirs) = (value(put), value(best))
            if mine == theirs {
                if best.precedes(put) { best = put }
            } else if theirs == .null || mine != .null && isBetter(mine, theirs) {
                best = put
            }
        }
        return Verdict(winner: best, measure: .value(field))
    }
}

extension TaggedWrite {
    /// Whether the hub had this write before another; one that it does not have comes last.
    fileprivate func arrivedBefore(_ other: TaggedWrite) -> Bool {
        let (mine, theirs) = (hubSequence ?? .max, other.hubSequence ?? .max)
        if mine != theirs { return mine < theirs }
        let (time, theirTime) = (receipt?.milliseconds ?? .max, other.receipt?.milliseconds ?? .max)
        return time == theirTime ? precedes(other) : time < theirTime
    }
}

extension Sequence<TaggedWrite> {
    /// The last in the total order.
    var latest: TaggedWrite? { self.max { $0.precedes($1) } }

    /// The first in the total order.
    var earliest: TaggedWrite? { self.min { $0.precedes($1) } }
}
