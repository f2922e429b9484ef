package import SyncMerge
import SyncModel
package import SyncOracle

extension Oracle.Settings {
    /// The same settings as the product takes them.
    package var rules: MergeRules {
        let policy: MergePolicy =
            switch self.policy {
            case .lastWriterWins: .lastWriterWins
            case .firstWriterWins: .firstWriterWins
            case .lastArrivalWins: .lastArrivalWins
            case .maximum: .maximum
            case .minimum: .minimum
            case .preferDevices(let devices): .preferDevices(devices)
            case .manual: .manual
            case .counter: .counter
            case .set: .set
            }
        let deletes: DeletePolicy =
            switch self.deletes {
            case .deleteWins: .deleteWins
            case .editWins: .editWins
            case .lastWriterWins: .lastWriterWins
            }
        return MergeRules(
            standard: isRecordLevel ? .record(policy) : .fields(policy), deletes: deletes,
            intervals: IntervalRule(window: .milliseconds(inference.window), tolerance: .milliseconds(inference.tolerance)))
    }
}
