import SyncLayer
import SyncMerge
import SyncModel
import SyncOracle
import SyncSimulation

/// A policy as the oracle takes it.
///
/// Those that the oracle does not know differ from one that it knows in what they call the reason and the severity, and in the value shown.
struct JudgedPolicy {
    let settings: Oracle.Settings
    let isManual: Bool
    private let policy: MergePolicy

    init(_ policy: MergePolicy, _ rules: MergeRules, isRecordLevel: Bool = false) {
        self.policy = policy
        isManual = if case .manual = policy { true } else { false }
        let deletes: Oracle.Deletes =
            switch rules.deletes {
            case .deleteWins: .deleteWins
            case .editWins: .editWins
            case .lastWriterWins: .lastWriterWins
            }
        settings = Oracle.Settings(
            policy: Self.known(policy), isRecordLevel: isRecordLevel, deletes: deletes, proximity: rules.proximity)
    }

    private static func known(_ policy: MergePolicy) -> Oracle.Policy {
        switch policy {
        case .lastWriterWins, .counter, .set: .lastWriterWins
        case .firstWriterWins: .firstWriterWins
        case .maximum: .maximum
        case .minimum: .minimum
        case .preferDevices(let devices): .preferDevices(devices)
        case .manual: .manual
        case .custom(let custom): custom.name == CustomPolicy.largest.name ? .maximum : .lastWriterWins
        }
    }

    /// A finding in the words of the policy.
    ///
    /// - Parameter arrivals: The writes to the record in the order of their arrival.
    func adjusted(_ finding: Oracle.Finding, _ arrivals: [TaggedWrite]) -> Oracle.Finding {
        var finding = finding
        guard finding.field != nil else { return finding }
        let isBetweenPuts = ["update_update", "insert_insert"].contains(finding.kind)
        switch policy {
        case .counter where isBetweenPuts:
            finding.reason = "policy"
            switch role(of: finding, arrivals) {
            // Equal totals are not the same wish but twice as much.
            case .total: finding.severity = "merged"
            case .start: if finding.severity == "lossy" { finding.severity = "merged" }
            case .nothing: break
            }
        case .set where isBetweenPuts:
            (finding.reason, finding.severity) = ("policy", finding.severity == "lossy" ? "merged" : finding.severity)
        case .custom(let custom):
            if isBetweenPuts || finding.reason == "policy" { finding.reason = "custom" }
            if isBetweenPuts, custom.name == CustomPolicy.joined.name, finding.severity == "lossy" { finding.severity = "merged" }
        default: break
        }
        return finding
    }

    /// What the loser is to a counter.
    private enum Role {
        case total
        /// The number that is counted from.
        case start
        case nothing
    }

    private func role(of finding: Oracle.Finding, _ arrivals: [TaggedWrite]) -> Role {
        guard let field = finding.field, let loser = arrivals.first(where: { $0.dot == finding.loser }),
            let end = arrivals.lastIndex(where: { $0.dot == finding.loser || $0.dot == finding.winner })
        else { return .nothing }
        func isTotal(_ write: TaggedWrite) -> Bool { write.value(of: field)?.object?["$counter"] != nil }
        if isTotal(loser) { return .total }
        let resets = arrivals[...end].filter { $0.value(of: field) != nil && !isTotal($0) }
        let standing = resets.filter { reset in !resets.contains { $0.isLater(than: reset) } }
        let latest = standing.max { $0.precedes($1) }
        let rivals: [TaggedWrite] =
            switch settings.deletes {
            case .deleteWins: standing.contains(where: \.isDelete) ? [] : standing
            case .editWins: standing.filter { !$0.isDelete }
            case .lastWriterWins: latest?.isDelete == true ? [] : standing.filter { !$0.isDelete }
            }
        return rivals.max { $0.precedes($1) }?.dot == loser.dot ? .start : .nothing
    }

    /// Sentences on what the device shows otherwise.
    func stateDifferences(
        _ device: SimulationResult.Device, type: RecordType, fields: Set<FieldName>, _ writes: [TaggedWrite], _ verdict: Oracle.Verdict
    ) -> [String] {
        var sentences: [String] = []
        for key in Set(writes.map(\.key)).sorted() {
            let shown = device.records.first { $0.key == key }?.fields
            if (verdict.state[key] != nil) != (shown != nil) {
                sentences.append("\(device.id) \(shown == nil ? "does not show" : "shows") \(key)")
                continue
            }
            for field in fields.sorted() {
                guard let wanted = value(of: field, key, writes, verdict) else { continue }
                if shown?[field] ?? .null != wanted {
                    sentences.append("\(device.id) shows \(shown?[field] ?? .null) for \(key).\(field), not \(wanted)")
                }
            }
        }
        return sentences
    }

    /// The value that a field must show, null where none; nil where the oracle cannot tell.
    private func value(of field: FieldName, _ key: RecordKey, _ writes: [TaggedWrite], _ verdict: Oracle.Verdict) -> FieldValue? {
        let isShown = settings.isRecordLevel || verdict.winners[Oracle.Register(key: key, field: field)] != nil
        let own = writes.filter { $0.key == key }
        switch policy {
        case .counter where isShown && !settings.isRecordLevel:
            // With concurrent settings of the whole value, brute force knows only the default rule for deletes.
            return settings.deletes == .deleteWins ? .number(JSONNumber(TallyOracle.counter(field, own))) : nil
        case .set where isShown && !settings.isRecordLevel: return .array(TallyOracle.set(field, own))
        case .custom(let custom) where custom.name == CustomPolicy.joined.name: return nil
        default: return verdict.state[key]?[field] ?? .null
        }
    }
}

extension TaggedWrite {
    /// Whether its writer had seen another write.
    fileprivate func isLater(than other: TaggedWrite) -> Bool {
        dot.device == other.dot.device ? dot.sequence > other.dot.sequence : seen?.covers(other.dot) ?? false
    }
}
