import ConflictAudit
import SyncMerge
import SyncModel

/// A conflict made by hand; what a test does not name is of no matter to it.
func conflict(
    _ winner: DeviceID = "a", over loser: DeviceID = "b", at milliseconds: Int64 = 1000, gap: Int64 = 0, type: RecordType = "note",
    field: FieldName? = "x", kind: Conflict.Kind = .updateUpdate, severity: Conflict.Severity = .lossy, basis: Conflict.Basis = .causal,
    resolution: Conflict.Resolution = .applyRemote, reason: Conflict.Reason = .newer, clockSuspect: Bool = false, isStale: Bool = false
) -> Conflict {
    let key = RecordKey(type: type, id: "1")
    let dots = (Dot(device: winner, sequence: 1), Dot(device: loser, sequence: 2))
    return Conflict(
        id: ConflictID(key: key, field: field, dots: dots), kind: kind, severity: severity, basis: basis, key: key, field: field,
        winner: Conflict.Side(dot: dots.0, timestamp: HybridTimestamp(milliseconds: milliseconds), operation: .put, value: 1),
        loser: Conflict.Side(dot: dots.1, timestamp: HybridTimestamp(milliseconds: milliseconds - gap), operation: .put, value: 2),
        gap: .milliseconds(gap), withinWindow: gap <= 300_000, window: .seconds(300), policy: "lastWriterWins", resolution: resolution,
        reason: reason, clockSuspect: clockSuspect, isStale: isStale)
}
