import SyncMerge
import SyncModel

/// The records used lately, so that writing to them costs no reading.
///
/// Two generations: when the young one is full it becomes the old one, and what was not used since is forgotten.
///
/// - Complexity: O(1) amortized.
struct RecordCache: Sendable {
    private let capacity: Int
    private var young: [RecordKey: ReplicaRecord] = [:]
    private var old: [RecordKey: ReplicaRecord] = [:]

    /// - Parameter capacity: About how many records are kept at most.
    init(capacity: Int) {
        self.capacity = max(2, capacity)
    }

    /// Takes a record out, so that it can be changed without a copy.
    mutating func take(_ key: RecordKey) -> ReplicaRecord? {
        young.removeValue(forKey: key) ?? old.removeValue(forKey: key)
    }

    mutating func put(_ record: ReplicaRecord) {
        if young.count >= capacity / 2 {
            old = young
            young.removeAll(keepingCapacity: false)
        }
        young[record.state.key] = record
    }

    mutating func removeAll() {
        young.removeAll()
        old.removeAll()
    }
}
