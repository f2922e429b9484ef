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
            policy: Self.known(policy), isRecordLevel: isRecordLevel, deletes: deletes,
            inference: .init(window: rules.intervals.windowMilliseconds, tolerance: rules.intervals.toleranceMilliseconds))
    }

    private static func known(_ policy: MergePolicy) -> Oracle.Policy {
        switch policy {
        case .lastWriterWins: .lastWriterWins
        case .counter: .counter
        case .set: .set
        case .firstWriterWins: .firstWriterWins
        case .lastArrivalWins: .lastArrivalWins
        case .maximum: .maximum
        case .minimum: .minimum
        case .preferDevices(let devices): .preferDevices(devices)
        case .manual: .manual
        case .custom(let custom): custom.name == CustomPolicy.largest.name ? .maximum : .lastWriterWins
        }
    }

    /// A finding in the words of the policy.
    func adjusted(_ finding: Oracle.Finding) -> Oracle.Finding {
        var finding = finding
        guard finding.field != nil else { return finding }
        let isBetweenPuts = ["update_update", "insert_insert"].contains(finding.kind)
        switch policy {
        case .custom(let custom):
            if isBetweenPuts || finding.reason == "policy" { finding.reason = "custom" }
            if isBetweenPuts, custom.name == CustomPolicy.joined.name, finding.severity == "lossy" || finding.isUnedited {
                finding.severity = "merged"
                finding.isStale = false
                finding.isCleared = false
            }
        default: break
        }
        return finding
    }

    /// Sentences on what the device shows otherwise.
    func stateDifferences(
        _ device: SimulationResult.Device, type: RecordType, fields: Set<FieldName>, _ writes: [TaggedWrite], _ verdict: Oracle.Verdict
    ) -> [String] {
        var sentences: [String] = []
        for key in Set(writes.map(\.key)).sorted() {
            let shown = device.records.first { $0.key == key }?.fields
            if (verdict.state[key] != nil) != (shown != nil) {
                sentences.append("\(device.name) \(shown == nil ? "does not show" : "shows") \(key)")
                continue
            }
            for field in fields.sorted() {
                guard let wanted = value(of: field, key, verdict) else { continue }
                if shown?[field] ?? .null != wanted {
                    sentences.append("\(device.name) shows \(shown?[field] ?? .null) for \(key).\(field), not \(wanted)")
                }
            }
        }
        return sentences
    }

    /// The value that a field must show, null where none; nil where the oracle cannot tell.
    private func value(of field: FieldName, _ key: RecordKey, _ verdict: Oracle.Verdict) -> FieldValue? {
        switch policy {
        case .custom(let custom) where custom.name == CustomPolicy.joined.name: return nil
        default: return verdict.state[key]?[field] ?? .null
        }
    }
}
