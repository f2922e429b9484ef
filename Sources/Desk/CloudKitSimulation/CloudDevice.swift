import ConflictAudit
import SyncModel
import SyncObservation
import SyncSystem

/// One device of a simulated CloudKit app: the app's store, the engine's state, and an observer.
struct CloudDevice {
    /// A version shown to an editing context, and everything that had been shown before.
    struct Context {
        var cells: [FieldName: CloudDatabase.Cell]
        var known: [FieldName: Set<Int>]
    }

    /// What the server last gave or took of a record.
    struct Base {
        var number: UInt64
        var cells: [FieldName: CloudDatabase.Cell]
    }

    /// What a backup holds.
    struct Content {
        var store: [RecordKey: [FieldName: CloudDatabase.Cell]] = [:]
        /// The fields that wait to be exported, with the transactions that changed them.
        var pending: [RecordKey: [FieldName: Int64]] = [:]
        var pendingDeletes: [RecordKey: (version: Int, transaction: Int64)] = [:]
        /// Every version that the store has held, and what their writers had been shown.
        var known: [RecordKey: [FieldName: Set<Int>]] = [:]
        var knownDeletes: [RecordKey: Set<Int>] = [:]
        var own: [RecordKey: [FieldName: Set<Int>]] = [:]
        /// Every version that the store has really shown.
        var shown: Set<Int> = []
        var base: [RecordKey: Base] = [:]
        var contexts: [RecordKey: Context] = [:]
        var token: UInt64 = 0
        var transaction: Int64 = 0
        var arrivals: Int64 = 0
    }

    /// An export between its beginning and its end.
    struct Export {
        var scope: ExportScope
        /// Captured when it begins; nil where the engine reads the store when it sends.
        var saves: [Captured]?
        /// What the server answered, once it has.
        var taken: [(save: Captured, number: UInt64)] = []
        var refused: [Captured] = []
        var isDelivered = false
        var isCut = false
    }

    /// A page of changes between the server's answer and the store.
    struct Fetched {
        var page: [(key: RecordKey, record: CloudDatabase.Record)]
        var token: UInt64
        var hasMore: Bool
    }

    /// One record to send, with the transactions of its fields.
    struct Captured {
        var save: CloudDatabase.Save
        var transactions: [FieldName: Int64]
        var deleteTransaction: Int64?
    }

    var content = Content()
    var backup: (content: Content, shadow: MemoryShadow.Content)?
    var export: Export?
    var fetched: Fetched?
    /// Which life of which device this is: a restored one is another.
    var identity: Int
    var configuration: SyncObserver.Configuration
    /// By how much its clock is wrong, in milliseconds.
    let skew: Int64
    var shadow = MemoryShadow()
    /// Whether the app has an observer yet.
    var isObserved = true
    var observer: SyncObserver
    let sink = CloudSink()
    /// The versions that its observer was last told to have arrived.
    var arrived: [RecordKey: [FieldName: Int]] = [:]

    init(identity: Int, configuration: SyncObserver.Configuration, skew: Int64, clock: CloudClock) throws {
        self.identity = identity
        self.configuration = configuration
        self.skew = skew
        observer = try Self.open(configuration, shadow, sink, skew, clock)
    }

    /// Opens the shadow anew, as a process does that starts.
    mutating func reopen(_ clock: CloudClock) throws { observer = try Self.open(configuration, shadow, sink, skew, clock) }

    private static func open(
        _ configuration: SyncObserver.Configuration, _ shadow: MemoryShadow, _ sink: CloudSink, _ skew: Int64, _ clock: CloudClock
    ) throws -> SyncObserver {
        let observer = try SyncObserver(
            configuration, memory: shadow, sink: sink, wallClock: { WallTime(millisecondsSince1970: clock.now + skew) },
            interruption: { try sink.interrupt($0) })
        // Whether stamps are made of what was read before or of what is read for them must make no difference.
        if clock.now.isMultiple(of: 2) { try observer.prepareStamps() }
        return observer
    }
}

/// The end of a process between two steps of its observer.
struct ProcessEnd: Error {}

/// Collects what an observer tells, and ends its process when it is asked to.
final class CloudSink: AuditSink {
    private let events = Locked<[AuditEvent]>([])
    private let log = Locked<[AuditEvent]>([])
    private let end = Locked<SyncObserver.Step?>(nil)

    func record(_ event: AuditEvent) {
        events.withLock { $0.append(event) }
        log.withLock { $0.append(event) }
    }

    /// Everything that was told.
    var all: [AuditEvent] { log.withLock { $0 } }

    /// What was told since it was last asked for.
    func drain() -> [AuditEvent] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }

    /// Ends the process at a step, once.
    func endProcess(at step: SyncObserver.Step?) { end.withLock { $0 = step } }

    func interrupt(_ step: SyncObserver.Step) throws {
        let isEnd = end.withLock { end in
            guard end == step else { return false }
            end = nil
            return true
        }
        if isEnd { throw ProcessEnd() }
    }
}

/// The true time of a simulated world, in milliseconds since 1970.
final class CloudClock: Sendable {
    private let time = Locked<Int64>(1_768_485_600_000)

    var now: Int64 { time.withLock { $0 } }

    func advance(by distance: Int64) { time.withLock { $0 += distance } }
}
