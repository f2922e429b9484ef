public import SyncModel

/// An event in the life of a replica or a sync, with its time.
///
/// ```swift
/// let event = AuditEvent(at: systemWallClock(), .network(status: "satisfied", interface: "wifi"))
/// sink.record(event)
/// ```
public struct AuditEvent: Hashable, Sendable {
    /// The time of the event.
    public var time: WallTime { WallTime(millisecondsSince1970: milliseconds) }

    package let milliseconds: Int64

    /// The content of an event.
    public let content: Content

    /// An event at a time.
    public init(at time: WallTime, _ content: Content) {
        self.init(at: time.millisecondsSince1970, content)
    }

    package init(at milliseconds: Int64, _ content: Content) {
        self.milliseconds = milliseconds
        self.content = content
    }

    /// The content of an event.
    public enum Content: Hashable, Sendable {
        /// A write was made or received. The event's time is the write's own.
        case write(TaggedWrite)
        /// Three versions of a record met in a conflict handler that is not ours.
        indirect case merge(RecordedMerge)
        /// Two writes met, neither of which had seen the other.
        indirect case conflict(Conflict)
        /// A sync began or ended.
        case sync(SyncActivity)
        /// Writes of other devices were merged.
        case remoteChange(RemoteChange)
        /// An app looked whether it shows what was merged.
        case refresh(RefreshReport)
        /// A server that is not ours took a write of this device.
        indirect case acknowledgement(WriteAcknowledgement)
        /// Writes wait to be sent: their size passed the level of a warning, or a sync left some.
        case outbox(OutboxStatus)
        /// The network came, went or changed.
        case network(status: String, interface: String?)
        /// The account's status changed.
        case account(status: String)
        /// A device's clock was compared with the hub's.
        case clock(ClockMeasurement)
        /// What the replica holds at the event's time.
        case checkpoint(Checkpoint)
        /// The rules by which the conflicts that follow in the log were looked for, as `.syncaudit.json` has them.
        case rules(FieldValue)
        /// The statistics up to the event's time.
        indirect case statistics(ConflictStatistics)
        /// An entry of the log about itself.
        case log(LogNote)
    }
}

/// One step of a sync.
///
/// ```swift
/// let activity = SyncActivity(phase: .export, state: .succeeded, writes: 12, bytes: 4096, duration: .milliseconds(85))
/// sink.record(AuditEvent(at: systemWallClock(), .sync(activity)))
/// ```
public struct SyncActivity: Hashable, Sendable {
    /// The phase of a sync.
    public enum Phase: String, Hashable, Sendable, CaseIterable {
        /// Preparing the store and the connection.
        case setup
        /// Fetching the writes of other devices.
        case `import`
        /// Sending this device's writes.
        case export
    }

    /// The state of the sync.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// It began.
        case started
        /// It ended well.
        case succeeded
        /// It ended badly.
        case failed
    }

    /// The phase of a sync.
    public let phase: Phase
    /// The state of the sync.
    public let state: State
    /// Writes moved so far.
    public let writes: Int
    /// Bytes moved so far.
    public let bytes: Int
    /// The time since it began, in whole milliseconds.
    public var duration: Duration { .milliseconds(durationMilliseconds) }
    /// A sentence on what went wrong, where something did.
    public let error: String?
    /// How old the writes were that it moved, where that is known: on an export those that the hub took, by the clock of this device, which
    /// had made them; on an import those of other devices that were merged, by their writers' timestamps and the clock of this device, and
    /// never less than 0.
    public let delays: GapHistogram?
    /// The size of the files of the store that is synced, assets included, in bytes; nil where nobody has measured it.
    public let storeBytes: Int64?
    /// The name by which another store of the logging device writes, whose sync this is; nil where it is that of the device's first store.
    public let device: DeviceID?

    package let durationMilliseconds: Int64

    /// The ``error`` of a sync that the app itself cancelled.
    package static let cancellation = "cancelled"

    /// The end of ``error`` where the hub was found to have forgotten writes.
    ///
    /// Those that were written over may then be in the logs of some devices only.
    package static let healing = "everything is fetched from the start, and what it has forgotten is given back"

    /// Whether the app itself cancelled the sync, which is no failure to show to anybody.
    package var wasCancelled: Bool { state == .failed && error == Self.cancellation }

    /// Describes one step of a sync.
    public init(
        phase: Phase, state: State, writes: Int, bytes: Int, duration: Duration, error: String? = nil, delays: GapHistogram? = nil,
        storeBytes: Int64? = nil, device: DeviceID? = nil
    ) {
        self.init(
            phase: phase, state: state, writes: writes, bytes: bytes, durationMilliseconds: duration.wholeMilliseconds, error: error,
            delays: delays, storeBytes: storeBytes, device: device)
    }

    package init(
        phase: Phase, state: State, writes: Int, bytes: Int, durationMilliseconds: Int64, error: String?, delays: GapHistogram?,
        storeBytes: Int64?, device: DeviceID?
    ) {
        self.phase = phase
        self.state = state
        self.writes = writes
        self.bytes = bytes
        self.durationMilliseconds = durationMilliseconds
        self.error = error
        self.delays = delays
        self.storeBytes = storeBytes
        self.device = device
    }
}

/// A batch of other devices' writes was merged.
///
/// ```swift
/// let change = RemoteChange(changes: 12, refreshVersion: 3)
/// sink.record(AuditEvent(at: systemWallClock(), .remoteChange(change)))
/// ```
public struct RemoteChange: Hashable, Sendable {
    /// Writes in the batch.
    public let changes: Int
    /// Rises with every merged batch.
    public let refreshVersion: Int

    /// Describes a merged batch.
    public init(changes: Int, refreshVersion: Int) {
        self.changes = changes
        self.refreshVersion = refreshVersion
    }
}

/// A measurement of a device's clock against the hub's.
///
/// ```swift
/// let measurement = ClockMeasurement(device: "iPhone", offset: .milliseconds(4200), uncertainty: .milliseconds(40))
/// sink.record(AuditEvent(at: systemWallClock(), .clock(measurement)))
/// ```
public struct ClockMeasurement: Hashable, Sendable {
    /// The device whose clock was measured.
    public let device: DeviceID
    /// The device's clock minus the hub's, in whole milliseconds: positive where the device is ahead.
    public var offset: Duration { .milliseconds(offsetMilliseconds) }
    /// Half the round trip: how far the offset may be off, in whole milliseconds, 0 or more.
    public var uncertainty: Duration { .milliseconds(uncertaintyMilliseconds) }

    package let offsetMilliseconds: Int64
    package let uncertaintyMilliseconds: Int64

    /// Describes a measurement.
    public init(device: DeviceID, offset: Duration, uncertainty: Duration) {
        self.device = device
        offsetMilliseconds = offset.wholeMilliseconds
        uncertaintyMilliseconds = uncertainty.wholeMilliseconds
    }
}

/// A digest of what a replica held at one time.
///
/// Equal `seen` must mean equal `digest`.
///
/// ```swift
/// let checkpoint = Checkpoint(seen: ["iPhone": 3, "iPad": 6], records: 2, digest: "00c0ffee00c0ffee")
/// sink.record(AuditEvent(at: systemWallClock(), .checkpoint(checkpoint)))
/// ```
public struct Checkpoint: Hashable, Sendable {
    /// The writes merged.
    public let seen: VersionVector
    /// Live records.
    public let records: Int
    /// A digest of the merged state.
    public let digest: String

    /// Describes what a replica held.
    public init(seen: VersionVector, records: Int, digest: String) {
        self.seen = seen
        self.records = records
        self.digest = digest
    }
}

/// An entry of a log about itself.
///
/// ```swift
/// if case .log(.dropped(let count)) = event.content {
///     print(count, "lines are missing from the log")
/// }
/// ```
public enum LogNote: Hashable, Sendable {
    /// A writer opened the log.
    case opened
    /// The file was closed and a new one begun.
    case rotated
    /// A number of lines could not be written.
    case dropped(Int)
    /// A number of values were cut to the configured length.
    case truncated(Int)
    /// A torn last line was closed off; its length in bytes.
    case recovered(Int)
    /// A number of lost edits are no longer on the list that an app shows, for it is full or they are old; their conflicts are in the log.
    case forgotten(Int)
    /// An observer cannot see the edits of a field, or the deletes of a record type.
    indirect case unobserved(UnobservedField)
}

/// What an observer of a record type cannot see, and why.
///
/// ```swift
/// let gap = UnobservedField(type: "Note", field: "color", reason: "its values cannot be compared")
/// ```
public struct UnobservedField: Hashable, Sendable {
    /// The record type.
    public let type: RecordType
    /// The field; nil where it is the deletes of the type that have no name.
    public let field: FieldName?
    /// The reason and the remedy, as a sentence without its full stop.
    public let reason: String

    /// Describes a gap.
    public init(type: RecordType, field: FieldName?, reason: String) {
        self.type = type
        self.field = field
        self.reason = reason
    }
}
