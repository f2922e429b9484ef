import SyncModel

/// The records used lately, so that writing to them costs no reading.
///
/// Two generations: when the young one is full it becomes the old one, and what was not used since is forgotten. Nothing is forgotten while
/// a transaction runs, for what it has changed is here and nowhere else.
///
/// - Complexity: O(1) amortized.
struct RecordCache {
    private let capacity: Int
    private var young: [RecordKey: WorkingRecord] = [:]
    private var old: [RecordKey: WorkingRecord] = [:]

    /// - Parameter capacity: About how many records are kept at most.
    init(capacity: Int) {
        self.capacity = max(2, capacity)
    }

    /// The record of a key, where it is here; it then counts as used.
    mutating func record(_ key: RecordKey) -> WorkingRecord? {
        if let record = young[key] { return record }
        guard !old.isEmpty, let record = old[key] else { return nil }
        young[key] = record
        return record
    }

    mutating func insert(_ record: WorkingRecord) {
        young[record.key] = record
    }

    mutating func remove(_ key: RecordKey) {
        young[key] = nil
        old[key] = nil
    }

    /// Forgets what is too much, after a transaction.
    mutating func trim() {
        guard young.count >= capacity / 2 else { return }
        if young.count <= capacity {
            swap(&young, &old)
            young.removeAll(keepingCapacity: true)
        } else {
            // One transaction has used more than is kept at all.
            removeAll()
        }
    }

    mutating func removeAll() {
        young = [:]
        old = [:]
    }
}

/// A record in use: one reference, however often it is handed on.
final class WorkingRecord {
    var key: RecordKey { record.key }
    var record: ReplicaRecord
    /// Whether the running transaction has changed it.
    var isChanged = false
    /// The latest write merged, as stores keep it, until the record is stored.
    var lastWrite: [UInt8]?
    /// What the record showed before the running transaction changed it, where its fields are declared for queries.
    var shownBefore: FieldMap?

    init(_ record: ReplicaRecord) {
        self.record = record
    }
}
