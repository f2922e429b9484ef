public import SyncModel

/// Something worth remembering, and when it happened.
public struct AuditEvent: Hashable, Sendable {
    /// When it happened, in milliseconds since 1970.
    public let milliseconds: Int64

    /// What happened.
    public let content: Content

    /// Notes that something happened.
    public init(at milliseconds: Int64, _ content: Content) {
        self.milliseconds = milliseconds
        self.content = content
    }

    /// What happened.
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
        /// The network came, went or changed.
        case network(status: String, interface: String?)
        /// The account's status changed.
        case account(status: String)
        /// A device's clock was compared with the hub's.
        case clock(ClockMeasurement)
        /// What the replica holds at this moment.
        case checkpoint(Checkpoint)
        /// The statistics up to this moment.
        indirect case statistics(ConflictStatistics)
        /// The log's own account of itself.
        case log(LogNote)
    }
}

/// One step of a sync.
public struct SyncActivity: Hashable, Sendable {
    /// What the sync is doing.
    public enum Phase: String, Hashable, Sendable, CaseIterable {
        /// Preparing the store and the connection.
        case setup
        /// Fetching the writes of other devices.
        case `import`
        /// Sending this device's writes.
        case export
    }

    /// How far it has come.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// It began.
        case started
        /// It ended well.
        case succeeded
        /// It ended badly.
        case failed
    }

    /// What the sync is doing.
    public let phase: Phase
    /// How far it has come.
    public let state: State
    /// Writes moved so far.
    public let writes: Int
    /// Bytes moved so far.
    public let bytes: Int
    /// Time since it began, in milliseconds.
    public let durationMilliseconds: Int64
    /// A sentence on what went wrong, where something did.
    public let error: String?

    /// What ``error`` says of a sync that the app itself broke off.
    public static let cancellation = "cancelled"

    /// How ``error`` ends where the hub was found to have forgotten writes.
    ///
    /// Those that were written over may then be in the logs of some devices only.
    package static let healing = "everything is fetched from the start, and what it has forgotten is given back"

    /// Whether the app itself broke it off, which is no failure to show to anybody.
    public var wasCancelled: Bool { state == .failed && error == Self.cancellation }

    /// Describes one step of a sync.
    public init(phase: Phase, state: State, writes: Int, bytes: Int, durationMilliseconds: Int64, error: String? = nil) {
        self.phase = phase
        self.state = state
        self.writes = writes
        self.bytes = bytes
        self.durationMilliseconds = durationMilliseconds
        self.error = error
    }
}

/// A batch of other devices' writes was merged.
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

/// How far a device's clock was found to be from the hub's.
public struct ClockMeasurement: Hashable, Sendable {
    /// The device whose clock was measured.
    public let device: DeviceID
    /// The device's clock minus the hub's, in milliseconds: positive where the device is ahead.
    public let offsetMilliseconds: Int64
    /// Half the round trip: how far the offset may be off, in milliseconds, 0 or more.
    public let uncertaintyMilliseconds: Int64

    /// Describes a measurement.
    public init(device: DeviceID, offsetMilliseconds: Int64, uncertaintyMilliseconds: Int64) {
        self.device = device
        self.offsetMilliseconds = offsetMilliseconds
        self.uncertaintyMilliseconds = uncertaintyMilliseconds
    }
}

/// What a replica held at one moment.
///
/// Equal `seen` must mean equal `digest`.
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

/// The log's own account of itself.
public enum LogNote: Hashable, Sendable {
    /// A writer opened the log.
    case opened
    /// The file was closed and a new one begun.
    case rotated
    /// So many lines could not be written.
    case dropped(Int)
    /// So many values were cut to the configured length.
    case truncated(Int)
    /// A torn last line of so many bytes was closed off.
    case recovered(Int)
}
