public import ConflictAudit
public import SyncModel

/// Which conflicts a report is about.
///
/// ```swift
/// let filter = ReportFilter(recordTypes: ["Card"], severities: [.destructive])
/// var summarizer = LogSummarizer(filter: filter)
/// ```
///
/// An empty set does not restrict.
public struct ReportFilter: Hashable, Sendable {
    /// The first time that counts, in milliseconds since 1970; nil for no limit.
    public var since: Int64?
    /// The first time that no longer counts, in milliseconds since 1970; nil for no limit.
    public var until: Int64?
    /// Devices on either side of a conflict.
    public var devices: Set<DeviceID>
    /// Types of record.
    public var recordTypes: Set<RecordType>
    /// Fields; conflicts over a whole record have none and do not match.
    public var fields: Set<FieldName>
    /// What the two writes were.
    public var kinds: Set<Conflict.Kind>
    /// What the conflict cost.
    public var severities: Set<Conflict.Severity>

    /// A filter; without arguments, one that everything passes.
    public init(
        since: Int64? = nil, until: Int64? = nil, devices: Set<DeviceID> = [], recordTypes: Set<RecordType> = [],
        fields: Set<FieldName> = [], kinds: Set<Conflict.Kind> = [], severities: Set<Conflict.Severity> = []
    ) {
        self.since = since
        self.until = until
        self.devices = devices
        self.recordTypes = recordTypes
        self.fields = fields
        self.kinds = kinds
        self.severities = severities
    }

    /// Whether everything passes.
    package var isUnrestricted: Bool {
        since == nil && until == nil && devices.isEmpty && recordTypes.isEmpty && fields.isEmpty && kinds.isEmpty && severities.isEmpty
    }

    /// Whether a conflict passes, dated by the later of its two writes.
    package func matches(_ conflict: Conflict) -> Bool {
        matches(milliseconds: conflict.milliseconds)
            && (severities.isEmpty || severities.contains(conflict.severity))
            && (kinds.isEmpty || kinds.contains(conflict.kind))
            && (devices.isEmpty || devices.contains(conflict.winner.dot.device) || devices.contains(conflict.loser.dot.device))
            && (recordTypes.isEmpty || recordTypes.contains(conflict.key.type))
            && (fields.isEmpty || conflict.field.map(fields.contains) ?? false)
    }

    /// Whether a write passes: by time, device and record type, since a write has no kind and no severity and may set many fields.
    package func matches(_ write: TaggedWrite) -> Bool {
        matches(milliseconds: write.timestamp.milliseconds)
            && (devices.isEmpty || devices.contains(write.dot.device))
            && (recordTypes.isEmpty || recordTypes.contains(write.key.type))
    }

    /// Whether a time lies within the limits.
    package func matches(milliseconds: Int64) -> Bool {
        milliseconds >= since ?? .min && until.map { milliseconds < $0 } ?? true
    }
}

extension ReportFilter: Comparable {
    /// An order without meaning that makes output the same everywhere: by limits, then by the names in each set.
    public static func < (left: ReportFilter, right: ReportFilter) -> Bool {
        func precedes<Value: Comparable>(_ mine: [Value], _ theirs: [Value]) -> Bool? {
            mine == theirs ? nil : mine.lexicographicallyPrecedes(theirs)
        }
        func limits(_ filter: ReportFilter) -> [Int64] {
            [filter.since, filter.until].flatMap { limit in limit.map { [1, $0] } ?? [0, 0] }
        }
        return precedes(limits(left), limits(right))
            ?? precedes(left.devices.sorted(), right.devices.sorted())
            ?? precedes(left.recordTypes.sorted(), right.recordTypes.sorted())
            ?? precedes(left.fields.sorted(), right.fields.sorted())
            ?? precedes(left.kinds.map(\.rawValue).sorted(), right.kinds.map(\.rawValue).sorted())
            ?? precedes(left.severities.sorted(), right.severities.sorted())
            ?? false
    }
}
