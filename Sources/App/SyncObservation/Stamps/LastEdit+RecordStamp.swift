public import SyncMerge
import SyncModel

extension LastEdit {
    /// The latest write of a record that left a stamp, by the stamp of the record: "last edited on iPad at 14:05".
    ///
    /// ```swift
    /// if let stamp = card.auditStamp.flatMap({ RecordStamp($0) }) { print("Last edited on \(LastEdit(stamp).device)") }
    /// ```
    public init(_ stamp: RecordStamp) {
        self.init(dot: stamp.dot, timestamp: HybridTimestamp(milliseconds: stamp.time.millisecondsSince1970))
    }
}
