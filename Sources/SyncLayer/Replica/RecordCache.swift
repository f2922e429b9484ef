import SyncModel

/// The records used lately, so that writing to them costs no reading.
///
/// Two generations: when the young one is full it becomes the old one, and what was not used since is forgotten.
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

    /// Takes a record out, so that it can be changed without a copy.
    mutating func take(_ key: RecordKey) -> WorkingRecord? {
        young.removeValue(forKey: key) ?? old.removeValue(forKey: key)
    }

    mutating func put(_ record: WorkingRecord) {
        if young.count >= capacity / 2 {
            old = young
            young.removeAll(keepingCapacity: false)
        }
        young[record.key] = record
    }

    mutating func removeAll() {
        young.removeAll()
        old.removeAll()
    }
}

/// A record in use: one reference, however often it is handed on.
final class WorkingRecord {
    let key: RecordKey
    var record: ReplicaRecord
    /// Whether the running transaction has changed it.
    var isChanged = false

    init(_ record: ReplicaRecord, key: RecordKey) {
        self.key = key
        self.record = record
    }
}
