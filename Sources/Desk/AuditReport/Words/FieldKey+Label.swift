import ConflictAudit
import SyncBytes
import SyncLines

extension ConflictStatistics.FieldKey {
    /// What the rows of a table call it.
    var label: String { (field.map { "\(type).\($0)" } ?? "\(type) (whole record)").escaped(for: .terminal) }
}
