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
