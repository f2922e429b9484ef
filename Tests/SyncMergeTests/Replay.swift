import SyncMerge
import SyncModel
import SyncOracle

/// Merges histories with the product and puts the outcome in the oracle's words.
struct Replay {
    var findings: [Oracle.Finding] = []
    var state: [RecordKey: FieldMap] = [:]
    var winners: [Oracle.Register: Dot] = [:]

    init(_ arrivals: [TaggedWrite], rules: MergeRules) {
        var records: [RecordKey: RecordState] = [:]
        for write in arrivals {
            for decision in records[write.key, default: RecordState(key: write.key)].merge(write, rules: rules) {
                findings.append(Self.finding(decision))
            }
        }
        for (key, record) in records {
            state[key] = record.shown(rules: rules)
            if case .record = rules.scope(for: key.type) {
                if let winner = record.winner(of: nil, rules: rules), !winner.isDelete {
                    winners[Oracle.Register(key: key, field: nil)] = winner.dot
                }
                continue
            }
            for field in Set(arrivals.filter { $0.key == key }.flatMap { $0.fields.map { Array($0.names) } ?? [] }) {
                guard let winner = record.winner(of: field, rules: rules), !winner.isDelete else { continue }
                winners[Oracle.Register(key: key, field: field)] = winner.dot
            }
        }
    }

    /// A finding without what a conflict costs and how it is known, of which the merge says nothing.
    static func withoutCost(_ finding: Oracle.Finding) -> Oracle.Finding {
        var finding = finding
        finding.severity = ""
        finding.basis = ""
        finding.isStale = false
        finding.isCleared = false
        finding.isUnedited = false
        return finding
    }

    /// A decision in the oracle's words.
    private static func finding(_ decision: MergeDecision) -> Oracle.Finding {
        let kind: String
        switch (decision.contention, decision.winner.isDelete, decision.loser.isDelete) {
        case (.bothDeleted, _, _), (.sameRegister, true, true): kind = "delete_delete"
        case (.differentFields, _, _): kind = "disjoint_update"
        case (.sameRegister, false, false):
            kind = decision.winner.isInsert && decision.loser.isInsert ? "insert_insert" : "update_update"
        case (.sameRegister, _, _): kind = "delete_update"
        }
        return Oracle.Finding(
            kind: kind, key: decision.winner.key, field: decision.field, winner: decision.winner.dot, loser: decision.loser.dot,
            severity: "", basis: "", reason: decision.reason.rawValue, didWinnerArriveFirst: !decision.didArrivingWin)
    }
}
