import ConflictAudit
import SyncBytes
import SyncLines
import SyncModel

/// The keys of what waits to be sent.
enum OutboxLine {
    static func append(_ status: OutboxStatus, to object: inout LineBuffer) {
        object.field(.writes, status.writes)
        object.field(.bytes, status.bytes)
        object.field(.warningBytes, status.warningBytes)
        if status.setAside > 0 { object.field(.setAside, status.setAside) }
        if let oldest = status.oldest { object.field(.oldest, RFC3339.string(milliseconds: oldest.millisecondsSince1970)) }
    }

    static func status(_ line: LineFields) throws(LineError) -> OutboxStatus {
        OutboxStatus(
            writes: Int(clamping: try line.integer(.writes)), bytes: Int(clamping: try line.integer(.bytes)),
            setAside: Int(clamping: try line.optionalInteger(.setAside) ?? 0),
            warningBytes: Int(clamping: try line.integer(.warningBytes)),
            oldest: try line.optionalDate(LineKey.oldest.text).map(WallTime.init(millisecondsSince1970:)))
    }
}
