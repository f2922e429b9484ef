import SyncModel

/// The last local change to each property that no import has replaced yet.
///
/// - Complexity: memory grows with the properties that were changed, up to ``limit`` of them.
struct PendingChanges {
    /// A change to one property.
    struct Change {
        let bit: UInt16
        /// How many bytes the bits of the change had.
        let bytes: UInt16
        let dot: Dot
        let milliseconds: Int64
        let transaction: Int64
    }

    /// How many are followed at most; later ones are counted.
    static let limit = 2_000_000

    private var changes: [MirroringMetadata.Row: [Change]] = [:]
    private var count = 0
    /// How many changes were too many to follow.
    private(set) var dropped = 0

    /// Records a change to some properties of a record.
    mutating func record(_ bits: [UInt16], of row: MirroringMetadata.Row, _ change: (UInt16) -> Change) {
        _ = remove(bits, of: row)
        guard count + bits.count <= Self.limit else {
            dropped += 1
            return
        }
        count += bits.count
        changes[row, default: []] += bits.map(change)
    }

    /// Removes the changes to some properties of a record, or to all, and returns them.
    mutating func remove(_ bits: [UInt16]?, of row: MirroringMetadata.Row) -> [Change] {
        guard let index = changes.index(forKey: row) else { return [] }
        guard let bits else {
            let removed = changes.remove(at: index).value
            count -= removed.count
            return removed
        }
        let wanted = Set(bits)
        var removed: [Change] = []
        changes.values[index].removeAll { change in
            guard wanted.contains(change.bit) else { return false }
            removed.append(change)
            return true
        }
        if changes.values[index].isEmpty { changes.remove(at: index) }
        count -= removed.count
        return removed
    }
}
