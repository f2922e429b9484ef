import AuditLog
import ConflictAudit
import SyncModel

extension SimulationResult.Device {
    /// The device's log, as DESIGN's section 5 defines it, line by line.
    ///
    /// - Complexity: O(*n*) in the number of events.
    public var lines: [UInt8] {
        var buffer: [UInt8] = []
        for (index, event) in events.enumerated() {
            LineEncoder.append(AuditLine(sequence: UInt64(index + 1), source: id, event: event), to: &buffer)
        }
        return buffer
    }
}

extension SimulationResult {
    /// The hub's writes as a trace that can be audited, line by line.
    ///
    /// - Complexity: O(*n*) in the number of writes.
    public var traceLines: [UInt8] {
        var buffer: [UInt8] = []
        for (index, write) in trace.enumerated() {
            let event = AuditEvent(at: write.timestamp.milliseconds, .write(write))
            LineEncoder.append(AuditLine(sequence: UInt64(index + 1), source: "hub", event: event), to: &buffer)
        }
        return buffer
    }
}
