public import ConflictAudit
import SyncLines
public import SyncMerge
public import SyncModel

/// The configuration of a replica: how it merges, what it audits, and its clock.
///
/// ```swift
/// var configuration = ReplicaConfiguration()
/// configuration.mergeRules = MergeRules(fields: ["Card": ["visits": .counter]])
/// let replica = try Replica(device: "iPhone", store: InMemoryStore(), configuration: configuration)
/// ```
public struct ReplicaConfiguration: Sendable {
    /// The rules by which every replica of the data set merges; the same on every device.
    ///
    /// They are kept with the store and belong to it: opening it with others throws ``SyncLayerError/Code/rulesDiffer`` and names the first
    /// difference. An app that changes them raises `MergeRules.version`. The store is then merged anew when it is opened, in one
    /// transaction that takes time linear in its size, by a rule that leads every device to the same, whenever it is updated and whatever
    /// it has not yet sent or fetched:
    ///
    /// - A policy that chooses among concurrent writes to a field can be replaced by every other such policy, and the rule for deletes by
    ///   every other: the writes among which they choose are kept.
    /// - Such a policy of a field can be replaced by `counter` or `set`: the value that was set is the number that is counted from, or the
    ///   elements that the set begins with.
    /// - What a counter or a set has added up cannot be shown by another policy, what decides over records that are merged whole cannot
    ///   change once there are such records, nor can other records be merged whole from then on, and the window and its tolerance cannot
    ///   change: that throws, and the store is unchanged.
    ///
    /// A conflict that waited for the app and that the new rules decide is closed. A device that has not been updated can write on but does
    /// not sync, from the first sync of one that has been.
    public var mergeRules = MergeRules()

    /// The rules of the audit.
    public var auditRules = AuditRules()

    /// The fields that ``Replica/records(matching:)`` may ask about, of each type: the store keeps an index of them, which costs a row for
    /// each field and record, and a write that changes such a field about as much again.
    ///
    /// Fields that are named for the first time are indexed when the replica is opened, in O(*n*) for the records of their types. From then
    /// on every process that opens the store keeps the index, whatever it names.
    public var indexedFields: [RecordType: Set<FieldName>] = [:]

    /// The sink for events; nil to keep statistics only, and to leave conflicts in the store to a process that has a sink.
    public var sink: (any AuditSink)?

    /// Whether every write is reported too, made here or received; conflicts are in any case.
    ///
    /// Only such a log can be replayed, and only if it holds the values. It costs a line for each write, which is most of the log and of
    /// what the audit adds to a sync. What ``ReplicaVisitor`` restores is reported in any case.
    public var reportsWrites = false

    /// Makes what the sink was given last; called before the store forgets that there was something to report, before a hub lets go of
    /// writes, and every 4096 events of a transaction, so that one of any size fits a sink that buffers a bounded number of lines.
    ///
    /// Without it, lines that a sink buffers are lost when the program is killed. See ``Replica`` for what that means.
    public var flushSink: (@Sendable () throws -> Void)?

    /// The version of the app, which every write made here then carries: reports tell conflicts and losses by version; nil for none.
    ///
    /// No longer than a device's name may be, and not empty: writing throws otherwise.
    public var app: String?

    /// The time of day.
    public var wallClock: WallClock = systemWallClock

    /// How far ahead of this device's clock a remote timestamp may lie and still move the replica's clock, in whole milliseconds; 0 or
    /// more.
    ///
    /// It is also how far the replica's clock may lead the hub's once a sync has measured both; see ``Replica``.
    public var maximumClockLead = Duration.seconds(60)

    /// The limits of what is sent at once and of what may wait.
    public var outboxLimits = OutboxLimits()

    /// The limits of the lost edits that the store keeps, see ``Replica/lostEdits(limit:)``.
    public var lostEditLimits = LostEditLimits()

    /// About how many records are kept in memory for writing; at least 2.
    public var cachedRecords = 8192

    /// The time of day, within the years that lines can write.
    var wall: Int64 { WriteLimits.clamped(wallClock().millisecondsSince1970) }

    /// The defaults: last writer wins field by field, deletes win, no sink, the system's clock.
    public init() {}
}
