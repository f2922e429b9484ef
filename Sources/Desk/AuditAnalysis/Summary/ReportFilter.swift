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
    /// The first time that counts; nil for no limit.
    public var since: WallTime? {
        get { sinceMilliseconds.map(WallTime.init(millisecondsSince1970:)) }
        set { sinceMilliseconds = newValue?.millisecondsSince1970 }
    }
    /// The first time that no longer counts; nil for no limit.
    public var until: WallTime? {
        get { untilMilliseconds.map(WallTime.init(millisecondsSince1970:)) }
        set { untilMilliseconds = newValue?.millisecondsSince1970 }
    }
    /// Devices on either side of a conflict.
    public var devices: Set<DeviceID>
    /// Types of record.
    public var recordTypes: Set<RecordType>
    /// Records.
    public var records: Set<RecordKey>
    /// Fields, each as `FIELD`, which is that field of every type, or as `TYPE.FIELD`; conflicts over a whole record have none and do not
    /// match.
    public var fields: Set<FieldName>
    /// What the two writes were.
    public var kinds: Set<Conflict.Kind>
    /// What the conflict cost.
    public var severities: Set<Conflict.Severity>

    /// Whose edits were discarded: devices or authors.
    package var losers: Set<DeviceID> = []

    private var sinceMilliseconds: Int64?
    private var untilMilliseconds: Int64?

    /// A filter; without arguments, one that everything passes.
    public init(
        since: WallTime? = nil, until: WallTime? = nil, devices: Set<DeviceID> = [], recordTypes: Set<RecordType> = [],
        records: Set<RecordKey> = [], fields: Set<FieldName> = [], kinds: Set<Conflict.Kind> = [],
        severities: Set<Conflict.Severity> = []
    ) {
        sinceMilliseconds = since?.millisecondsSince1970
        untilMilliseconds = until?.millisecondsSince1970
        self.devices = devices
        self.recordTypes = recordTypes
        self.records = records
        self.fields = fields
        self.kinds = kinds
        self.severities = severities
    }

    /// Whether everything passes.
    package var isUnrestricted: Bool {
        sinceMilliseconds == nil && untilMilliseconds == nil && devices.isEmpty && isAboutAllRecords && fields.isEmpty && kinds.isEmpty
            && severities.isEmpty && losers.isEmpty
    }

    /// Whether a conflict passes, dated by the later of its two writes.
    package func matches(_ conflict: Conflict) -> Bool {
        matches(milliseconds: conflict.milliseconds)
            && (severities.isEmpty || severities.contains(conflict.severity))
            && (kinds.isEmpty || kinds.contains(conflict.kind))
            && (devices.isEmpty || devices.contains(conflict.winner.dot.device) || devices.contains(conflict.loser.dot.device))
            && (losers.isEmpty || losers.contains(writer: conflict.loser.dot.device))
            && matches(conflict.key)
            && (fields.isEmpty || conflict.field.map { isWanted($0, of: conflict.key.type) } ?? false)
    }

    /// Whether one of ``fields`` means a field of a type.
    func isWanted(_ field: FieldName, of type: RecordType) -> Bool {
        fields.contains(field) || fields.contains(FieldName("\(type.rawValue).\(field.rawValue)"))
    }

    /// What records of a type call the fields that ``fields`` means.
    func fields(of type: RecordType) -> Set<FieldName> {
        let prefix = type.rawValue + "."
        return fields.union(
            fields.lazy.filter { $0.rawValue.utf8.starts(with: prefix.utf8) }.map { FieldName(String($0.rawValue.dropFirst(prefix.count))) }
        )
    }

    /// Whether a write passes: by time, device and record type, since a write has no kind and no severity and may set many fields.
    package func matches(_ write: TaggedWrite) -> Bool {
        matches(milliseconds: write.timestamp.milliseconds)
            && (devices.isEmpty || devices.contains(write.dot.device))
            && matches(write.key)
    }

    /// Whether a record is of one of the types, and one of those that are named.
    func matches(_ key: RecordKey) -> Bool {
        (recordTypes.isEmpty || recordTypes.contains(key.type)) && (records.isEmpty || records.contains(key))
    }

    /// Whether what is about no record passes.
    var isAboutAllRecords: Bool { recordTypes.isEmpty && records.isEmpty }

    /// Whether a time lies within the limits.
    package func matches(milliseconds: Int64) -> Bool {
        milliseconds >= sinceMilliseconds ?? .min && untilMilliseconds.map { milliseconds < $0 } ?? true
    }
}

extension ReportFilter: Comparable {
    /// An order without meaning that makes output the same everywhere: by limits, then by the names in each set.
    public static func < (left: ReportFilter, right: ReportFilter) -> Bool {
        func precedes<Value: Comparable>(_ mine: [Value], _ theirs: [Value]) -> Bool? {
            mine == theirs ? nil : mine.lexicographicallyPrecedes(theirs)
        }
        func limits(_ filter: ReportFilter) -> [Int64] {
            [filter.sinceMilliseconds, filter.untilMilliseconds].flatMap { limit in limit.map { [1, $0] } ?? [0, 0] }
        }
        return precedes(limits(left), limits(right))
            ?? precedes(left.devices.sorted(), right.devices.sorted())
            ?? precedes(left.losers.sorted(), right.losers.sorted())
            ?? precedes(left.recordTypes.sorted(), right.recordTypes.sorted())
            ?? precedes(left.records.sorted(), right.records.sorted())
            ?? precedes(left.fields.sorted(), right.fields.sorted())
            ?? precedes(left.kinds.map(\.rawValue).sorted(), right.kinds.map(\.rawValue).sorted())
            ?? precedes(left.severities.sorted(), right.severities.sorted())
            ?? false
    }
}
