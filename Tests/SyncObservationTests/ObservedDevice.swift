import ConflictAudit
import ConflictAuditTesting
import SyncModel
import SyncSystem

@testable import SyncObservation

/// A record that tests edit.
let card = RecordKey(type: "Card", id: "1")

/// A clock that moves by hand.
final class HandClock: Sendable {
    private let milliseconds = Locked<Int64>(1_768_485_600_000)

    var now: Int64 { milliseconds.withLock { $0 } }

    var wallTime: WallTime { WallTime(millisecondsSince1970: now) }

    func advance(by distance: Int64) { milliseconds.withLock { $0 += distance } }
}

/// A device with an observer and, for stamped levels, the attributes of its app's store.
final class ObservedDevice {
    let clock: HandClock
    let sink = CollectingAuditSink()
    let shadow: MemoryShadow
    private(set) var observer: SyncObserver
    private(set) var store: [RecordKey: FieldMap] = [:]
    private var transaction: Int64 = 0

    init(
        _ name: DeviceID, clock: HandClock = HandClock(), shadow: MemoryShadow = MemoryShadow(),
        _ change: (inout SyncObserver.Configuration) -> Void = { _ in }
    )
        throws
    {
        var configuration = SyncObserver.Configuration(device: name, installation: "first")
        change(&configuration)
        self.clock = clock
        self.shadow = shadow
        observer = try SyncObserver(configuration, memory: shadow, sink: sink, wallClock: { clock.wallTime })
    }

    /// Opens the shadow anew, as a process does that starts.
    func restart(_ change: (inout SyncObserver.Configuration) -> Void = { _ in }) throws {
        var configuration = observer.configuration
        change(&configuration)
        let clock = clock
        observer = try SyncObserver(configuration, memory: shadow, sink: sink, wallClock: { clock.wallTime })
    }

    /// Saves a put with the stamps that the model has room for.
    @discardableResult
    func save(_ fields: FieldMap, of key: RecordKey = card, snapshot: FieldMap = FieldMap(), isNew: Bool? = nil) throws
        -> [ObservedConflict]
    {
        var change = LocalChange(key, .put(fields), snapshot: snapshot, isNew: isNew ?? (store[key] == nil))
        var all = fields
        for stamp in try observer.stamps(for: change) { all[stamp.name] = stamp.value }
        change.operation = .put(all)
        for field in all { store[key, default: FieldMap()][field.name] = field.value }
        transaction += 1
        return try observer.saved([change], transaction: transaction)
    }

    @discardableResult
    func delete(_ key: RecordKey = card) throws -> [ObservedConflict] {
        store[key] = nil
        transaction += 1
        return try observer.saved([LocalChange(key, .delete)], transaction: transaction)
    }

    /// Sends everything, and is told so.
    func export() throws {
        try observer.exportBegan()
        try observer.exportSucceeded()
    }

    @discardableResult
    func receive(_ fields: FieldMap, of key: RecordKey = card, receipt: TaggedWrite.Receipt? = nil) throws -> [ObservedConflict] {
        for field in fields { store[key, default: FieldMap()][field.name] = field.value }
        return try observer.arrived([Arrival(key, .put(fields), receipt: receipt)])
    }

    @discardableResult
    func receiveDelete(of key: RecordKey = card) throws -> [ObservedConflict] {
        store[key] = nil
        return try observer.arrived([Arrival(key, .delete)])
    }
}
