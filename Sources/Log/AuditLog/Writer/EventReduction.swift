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
            if let name = kept.name, let truncated = TruncatedValue(cutting: .string(name.text), to: maximumValueBytes) {
                kept.name = RecordName(field: name.field, value: .string(truncated.start))
            }
            return (AuditEvent(at: event.milliseconds, .conflict(kept)), count)
        case .write(let write):
            var count = 0
            let kept = values.applied(to: write).mapping { cut($0, &count) }
            return (AuditEvent(at: event.milliseconds, .write(kept)), count)
        case .merge(let merge):
            var count = 0
            let kept = values.applied(to: merge).mapping { cut($0, &count) }
            return (AuditEvent(at: event.milliseconds, .merge(kept)), count)
        default:
            return (event, 0)
        }
    }

    private func cut(_ value: inout FieldValue?, isRecord: Bool, _ count: inout Int) {
        guard let whole = value else { return }
        if isRecord, case .object(let fields) = whole {
            let before = count
            let kept = cut(fields, &count)
            if count > before { value = .object(kept) }
        } else if let truncated = TruncatedValue(cutting: whole, to: maximumValueBytes) {
            value = truncated.value
            count += 1
        }
    }

    private func cut(_ fields: FieldMap, _ count: inout Int) -> FieldMap {
        var kept = fields
        for index in fields.indices {
            guard let truncated = TruncatedValue(cutting: fields[valueAt: index], to: maximumValueBytes) else { continue }
            kept[fields[index].name] = truncated.value
            count += 1
        }
        return kept
    }
}
