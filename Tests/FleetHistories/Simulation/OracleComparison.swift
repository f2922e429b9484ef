import ConflictAudit
import SyncMerge
import SyncModel
import SyncOracle
import SyncSimulation

/// What a device logged and showed, beside what brute force makes of the writes in the order in which they reached the device.
///
/// Knows nothing of a test framework, so that a program of its own can compare a million histories.
struct OracleComparison {
    /// Fields of one type that have one policy.
    private struct Group {
        let fields: Set<FieldName>
        let policy: JudgedPolicy
    }

    /// The most writes to one record that the oracle takes.
    static let maximumWrites = 64

    private let rules: MergeRules
    private let device: SimulationResult.Device
    /// The writes in the order of their arrival: that of the log, where a line that was repeated after a crash counts once, one of a state that was thrown
    /// away not at all, and an own write that was renamed has its last name.
    private let arrivals: [TaggedWrite]
    private let conflicts: [Conflict]

    /// - Parameter positions: Where the hub's order has writes: the device's own log does not say it of its own.
    init(_ device: SimulationResult.Device, rules: MergeRules, positions: [Dot: UInt64] = [:]) {
        self.rules = rules
        self.device = device
        let lineage = device.lineage
        conflicts = lineage.conflicts
        arrivals = lineage.writes.map { write in
            guard write.hubSequence == nil, let position = positions[write.dot] else { return write }
            return write.received(TaggedWrite.Receipt(milliseconds: nil, hubSequence: position))
        }
    }

    /// Sentences on every difference, and how many conflicts were compared.
    func differences() -> (sentences: [String], conflicts: Int) {
        var expected: Set<Account> = []
        // What a finding is to a device that has forgotten what both had seen, because the record was deleted meanwhile.
        var forgotten: [Account: Account] = [:]
        let deleted = Set(arrivals.lazy.filter(\.isDelete).map(\.key))
        let deletes = Set(arrivals.lazy.filter(\.isDelete).map(\.dot))
        var sentences: [String] = []
        for (type, writes) in Dictionary(grouping: arrivals, by: \.key.type).sorted(by: { $0.key < $1.key }) {
            for (index, group) in groups(of: type, writes).enumerated() {
                let verdict = Oracle.judge(writes, group.policy.settings)
                let whole = Oracle.judge(writes, group.policy.settings, isWhole: true)
                let harmless = Set(whole.findings.lazy.filter(\.isUnedited).map { [$0.winner, $0.loser] })
                for finding in verdict.findings where finding.field.map(group.fields.contains) ?? (index == 0) {
                    let account = Account(finding, group.policy)
                    expected.insert(account)
                    // A store that was copied may remember more than its log tells.
                    if ["lossy", "destructive"].contains(finding.severity), harmless.contains([finding.winner, finding.loser]) {
                        var known = finding
                        (known.severity, known.isStale, known.isCleared) = ("benign", false, false)
                        forgotten[account] = Account(known, group.policy)
                    }
                    guard finding.isUnedited || finding.isStale, deleted.contains(finding.key) else { continue }
                    var costly = finding
                    costly.isStale = false
                    if finding.isUnedited { costly.severity = deletes.contains(finding.winner) ? "destructive" : "lossy" }
                    let leavesNothing = finding.field.map { isEmptied($0, by: finding.winner, writes) } ?? false
                    costly.isCleared = costly.severity == "lossy" && leavesNothing
                    forgotten[account] = Account(costly, group.policy)
                }
                sentences += group.policy.stateDifferences(device, type: type, fields: group.fields, writes, verdict)
            }
        }
        var ids: Set<ConflictID> = []
        var actual: Set<Account> = []
        for conflict in conflicts where conflict.resolution != .manualResolved {
            if ids.insert(conflict.id).inserted { actual.insert(Account(conflict)) }
        }
        for (account, costly) in forgotten where !actual.contains(account) && actual.remove(costly) != nil { actual.insert(account) }
        sentences += expected.subtracting(actual).map { "\(device.name) has not logged \($0)" }.sorted()
        sentences += actual.subtracting(expected).map { "\(device.name) has logged \($0), which is not so" }.sorted()
        return (sentences, actual.count)
    }

    private func isEmptied(_ field: FieldName, by dot: Dot, _ writes: [TaggedWrite]) -> Bool {
        writes.contains { $0.dot == dot && $0.fields?[field] == .null }
    }

    private func groups(of type: RecordType, _ writes: [TaggedWrite]) -> [Group] {
        let names = Set(writes.flatMap { $0.fields.map { Array($0.names) } ?? [] })
        guard case .fields(let standard) = rules.scope(for: type) else {
            return [Group(fields: names, policy: JudgedPolicy(rules.policy(for: type, field: nil), rules, isRecordLevel: true))]
        }
        let own = rules.fields[type] ?? [:]
        return [Group(fields: names.subtracting(own.keys), policy: JudgedPolicy(standard, rules))]
            + own.keys.sorted().map { Group(fields: [$0], policy: JudgedPolicy(rules.policy(for: type, field: $0), rules)) }
    }
}

/// Everything about a conflict that both can say.
private struct Account: Hashable, CustomStringConvertible {
    private var finding: Oracle.Finding
    private var resolution: Conflict.Resolution

    var description: String { "\(finding), \(resolution.rawValue)" }

    init(_ finding: Oracle.Finding, _ policy: JudgedPolicy) {
        self.finding = policy.adjusted(finding)
        self.finding.isUnedited = false
        if policy.isManual, ["update_update", "insert_insert"].contains(finding.kind) {
            resolution = .manualPending
        } else if self.finding.severity == "merged" {
            resolution = .merged
        } else {
            resolution = finding.didWinnerArriveFirst ? .keepLocal : .applyRemote
        }
        // The resolution is all that a conflict says of the order of arrival.
        self.finding.didWinnerArriveFirst = resolution == .keepLocal
    }

    init(_ conflict: Conflict) {
        finding = Oracle.Finding(
            kind: conflict.kind.rawValue, key: conflict.key, field: conflict.field, winner: conflict.winner.dot, loser: conflict.loser.dot,
            severity: conflict.severity.rawValue, basis: conflict.basis.rawValue, reason: conflict.reason.rawValue,
            didWinnerArriveFirst: conflict.resolution == .keepLocal, isStale: conflict.isStale, isCleared: conflict.isCleared)
        resolution = conflict.resolution
    }
}
