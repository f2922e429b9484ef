import SyncBytes
import SyncModel

/// Counts conflicts by names and traits more quickly than ``ConflictStatistics``, to which it is added when somebody asks for them.
///
/// A conflict is looked up in three small tables instead of nine dictionaries.
struct ConflictBreakdown {
    /// Only a few of all that could be do occur.
    private var traits: [(traits: Conflict.Traits, count: Int)] = []
    private var fields = QuickCounts<ConflictStatistics.FieldKey>()
    private var pairs = QuickCounts<ConflictStatistics.DevicePair>()
    private let hashKey = HashKey()

    /// Counts a conflict.
    mutating func record(_ conflict: Conflict) {
        record(conflict.traits)
        let type = conflict.key.type.quickHash(hashKey)
        fields.add(
            1, to: ConflictStatistics.FieldKey(type: conflict.key.type, field: conflict.field),
            hash: conflict.field.map { $0.quickHash(hashKey, after: type) } ?? type)
        let (winner, loser) = (conflict.winner.dot.device, conflict.loser.dot.device)
        pairs.add(
            1, to: ConflictStatistics.DevicePair(winner: winner, loser: loser),
            hash: loser.quickHash(hashKey, after: winner.quickHash(hashKey)))
    }

    private mutating func record(_ met: Conflict.Traits) {
        for index in traits.indices where traits[index].traits == met {
            traits[index].count += 1
            // What occurs often comes to stand in front.
            if index > 0 { traits.swapAt(index, index - 1) }
            return
        }
        traits.append((met, 1))
    }

    /// Adds everything counted to statistics.
    func add(to statistics: inout ConflictStatistics) {
        for (traits, count) in traits { statistics.add(count, of: traits) }
        for (field, count) in fields.counts {
            statistics.byRecordType[field.type, default: 0] += count
            statistics.byField[field, default: 0] += count
        }
        for (pair, count) in pairs.counts {
            statistics.byWinningDevice[pair.winner, default: 0] += count
            statistics.byLosingDevice[pair.loser, default: 0] += count
            statistics.byDevicePair[pair, default: 0] += count
        }
    }
}

/// Counts by keys whose hashes the owner knows how to make quickly.
private struct QuickCounts<Key: Equatable> {
    private(set) var counts: [(key: Key, count: Int)] = []
    private var index = HashIndex()

    mutating func add(_ count: Int, to key: Key, hash: UInt64) {
        if let known = index.find(hash, where: { counts[$0].key == key }) {
            counts[known].count += count
        } else {
            counts.append((key, count))
            index.insert(counts.count - 1, hash: hash)
        }
    }
}
