import ConflictAudit
import SyncModel

extension AuditLogWriter.Configuration {
    /// The event without the values that may not be logged and with those cut that are too long, and how many were cut.
    func reduced(_ event: AuditEvent) -> (AuditEvent, truncated: Int) {
        // The values are left out as the line is written.
        if values == .omitted { return (event, 0) }
        switch event.content {
        case .conflict(let conflict):
            var kept = values.applied(to: conflict)
            var count = 0
            cut(&kept.winner.value, isRecord: kept.field == nil, &count)
            cut(&kept.loser.value, isRecord: kept.field == nil, &count)
            cut(&kept.ancestor, isRecord: kept.field == nil, &count)
            cut(&kept.result, isRecord: kept.field == nil, &count)
            return (AuditEvent(at: event.milliseconds, .conflict(kept)), count)
        case .write(let write):
            let kept = values.applied(to: write)
            var count = 0
            guard case .put(var fields) = kept.operation else { return (event, 0) }
            cut(&fields, &count)
            let result = count == 0 ? kept : kept.with(fields: fields)
            return (AuditEvent(at: event.milliseconds, .write(result)), count)
        case .merge(let merge):
            var count = 0
            let kept = values.applied(to: merge).mapping { fields in
                var fields = fields
                cut(&fields, &count)
                return fields
            }
            return (AuditEvent(at: event.milliseconds, .merge(kept)), count)
        default:
            return (event, 0)
        }
    }

    private func cut(_ value: inout FieldValue?, isRecord: Bool, _ count: inout Int) {
        guard let whole = value else { return }
        if isRecord, case .object(var fields) = whole {
            let before = count
            cut(&fields, &count)
            if count > before { value = .object(fields) }
        } else if let truncated = TruncatedValue(cutting: whole, to: maximumValueBytes) {
            value = truncated.value
            count += 1
        }
    }

    private func cut(_ fields: inout FieldMap, _ count: inout Int) {
        for index in fields.indices {
            guard let truncated = TruncatedValue(cutting: fields[valueAt: index], to: maximumValueBytes) else { continue }
            fields[fields[index].name] = truncated.value
            count += 1
        }
    }
}

extension TaggedWrite {
    /// The same write with other fields.
    func with(fields: FieldMap) -> TaggedWrite {
        with(operation: .put(fields))
    }
}
