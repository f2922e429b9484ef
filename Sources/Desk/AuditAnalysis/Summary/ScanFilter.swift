import AuditLog
import ConflictAudit
import SyncModel

/// A filter that looks at the numbers of names: each name is compared once, however many lines it occurs in.
struct ScanFilter {
    let filter: ReportFilter
    /// Whether every line passes.
    let isUnrestricted: Bool
    private var devices: [Bool] = []
    private var losers: [Bool] = []
    private var recordTypes: [Bool] = []
    private var fields: [Bool] = []
    private var records: ChosenRecords?

    init(_ filter: ReportFilter) {
        self.filter = filter
        isUnrestricted = filter.isUnrestricted
        if !filter.records.isEmpty { records = ChosenRecords(filter.records) }
    }

    /// Whether a line passes, by the rules of ``ReportFilter``.
    mutating func passes(_ line: ScannedLine, _ names: ScannedNames) -> Bool {
        guard filter.matches(milliseconds: line.milliseconds) else { return false }
        learn(names)
        switch line.content {
        case .conflict:
            return (filter.severities.isEmpty || filter.severities.contains(line.traits.severity))
                && (filter.kinds.isEmpty || filter.kinds.contains(line.traits.kind))
                && (devices[Int(line.device)] || devices[Int(line.loser)]) && losers[Int(line.loser)]
                && recordTypes[Int(line.recordType)] && fields[Int(line.field)]
                && records?.contain(line, names) ?? true
        case .write:
            return devices[Int(line.device)] && recordTypes[Int(line.recordType)] && records?.contain(line, names) ?? true
        case .sync, .remoteChange, .network, .account, .clock, .checkpoint, .statistics, .log, .acknowledgement, .outbox, .refresh:
            return true
        }
    }

    /// Compares the names that have come up since.
    private mutating func learn(_ names: ScannedNames) {
        for number in devices.count..<names.devices.count {
            let device = DeviceID(names.devices.name(number).text)
            devices.append(filter.devices.isEmpty || filter.devices.contains(device))
            losers.append(filter.losers.isEmpty || filter.losers.contains(writer: device))
        }
        for number in recordTypes.count..<names.recordTypes.count {
            recordTypes.append(filter.recordTypes.isEmpty || filter.recordTypes.contains(RecordType(names.recordTypes.name(number).text)))
        }
        for number in fields.count..<names.fields.count {
            let (owner, text) = names.fields.name(number)
            fields.append(
                filter.fields.isEmpty
                    || owner > 0 && filter.isWanted(FieldName(text), of: RecordType(names.recordTypes.name(owner - 1).text)))
        }
    }
}
