package import AuditLog
import ConflictAudit
import SyncModel

extension ReportFilter {
    /// Whether a line passes that is shown by itself.
    ///
    /// A conflict passes as it does in a report. Everything else has no kind and no severity, and passes only where none is asked for; a
    /// write has the fields that it sets, or all of them where it deletes its record; other events have neither a record type nor a field,
    /// and the device that they are about or else the one that logged them.
    package func matches(_ line: AuditLine) -> Bool {
        switch line.event.content {
        case .conflict(let conflict): return matches(conflict)
        case .write(let write):
            return kinds.isEmpty && severities.isEmpty && matches(write)
                && (fields.isEmpty || fields(of: write.key.type).contains { write.value(of: $0) != nil })
        case .merge(let merge):
            let (named, wanted) = ([merge.client.fields, merge.server.fields], fields(of: merge.key.type))
            return kinds.isEmpty && severities.isEmpty && matches(merge.key)
                && (fields.isEmpty || named.contains { $0?.names.contains(where: wanted.contains) ?? true })
                && (devices.isEmpty || devices.contains(merge.device)) && matches(milliseconds: line.event.milliseconds)
        case .acknowledgement(let acknowledgement):
            let (names, wanted) = (acknowledgement.fields, fields(of: acknowledgement.key.type))
            return kinds.isEmpty && severities.isEmpty && matches(acknowledgement.key)
                && (fields.isEmpty || names?.contains(where: wanted.contains) ?? true)
                && (devices.isEmpty || devices.contains(acknowledgement.dot.device)) && matches(milliseconds: line.event.milliseconds)
        case .clock(let measurement): return matches(line, device: measurement.device)
        case .sync(let activity): return matches(line, device: activity.device ?? line.source)
        case .remoteChange, .refresh, .outbox, .network, .account, .checkpoint, .statistics, .rules, .log:
            return matches(line, device: line.source)
        }
    }

    private func matches(_ line: AuditLine, device: DeviceID?) -> Bool {
        kinds.isEmpty && severities.isEmpty && isAboutAllRecords && fields.isEmpty
            && (devices.isEmpty || device.map(devices.contains) ?? false) && matches(milliseconds: line.event.milliseconds)
    }
}
