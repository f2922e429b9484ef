import SyncMerge
import SyncModel

/// What one transaction has to tell the outside.
struct Delivery: Sendable {
    let events: [JournalEvent]
    /// The writes taken in; none of those of an earlier run, which counted them itself.
    var writes = 0
    /// How many of them carried a causal context.
    var writesWithContext = 0
    /// Its entry in the journal, where it has one.
    let number: UInt64?
    var change: Change?

    /// The records that have changed: those that were new, then the others, each in the order of the first change.
    struct Change: Sendable {
        let keys: [RecordKey]
        let origin: ReplicaChange.Origin
        let refreshVersion: Int
    }

    var isAboutConflict: Bool { events.contains(where: \.isAboutConflict) }
}

/// What has been committed and not passed on yet, oldest first.
struct DeliveryQueue: Sendable {
    private var waiting: [Delivery] = []
    private var isDelivering = false
    /// Entries of the journal that have been passed on and can go with the next transaction.
    private(set) var delivered: [UInt64] = []

    mutating func append(_ delivery: Delivery) { waiting.append(delivery) }

    /// The first of them, unless one is being passed on: the order must stay that of the commits.
    mutating func next() -> Delivery? {
        guard !isDelivering, !waiting.isEmpty else { return nil }
        isDelivering = true
        return waiting.removeFirst()
    }

    /// Ends a delivery that was passed on, and says whether its entry can go.
    mutating func finish(_ delivery: Delivery, isKept: Bool) -> Bool {
        isDelivering = false
        guard let number = delivery.number, !isKept else { return false }
        delivered.append(number)
        return true
    }

    /// The entries that were passed on have gone.
    mutating func forgetDelivered() { delivered = [] }

    /// Queues what an earlier run committed and did not pass on.
    mutating func recover(_ reader: any ReplicaStoreReader) throws {
        var last: UInt64 = 0
        while let entry = try reader.entries(in: .journal, after: last, limit: 1, bytes: .max).first {
            append(Delivery(events: try [JournalEvent](encoded: entry.content), number: entry.number))
            last = entry.number
        }
    }
}
