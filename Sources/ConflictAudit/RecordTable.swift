package import SyncMerge
package import SyncModel

/// The states of records by their names.
///
/// A hash table made for a look-up with every write of a trace: a look-up hashes a few words and compares one name.
package struct RecordTable: Sendable {
    /// For each place half of the hash of its record, and the index of its state plus 1 in the lower half; 0 where there is none.
    ///
    /// A record stands at the first place that was free from its hash on.
    private var places = [UInt64](repeating: 0, count: 1024)
    private var states: [RecordState] = []
    private let hashKey: HashKey

    /// A table without records.
    ///
    /// - Parameter hashKey: The key of the hashes that ``index(of:hash:)`` is given.
    package init(hashKey: HashKey = HashKey()) {
        self.hashKey = hashKey
    }

    /// The records, in the order in which they were first named.
    package var keys: [RecordKey] { states.map(\.key) }

    /// The state of a record, nil where nothing ever named it.
    package subscript(key: RecordKey) -> RecordState? {
        let hash = key.quickHash(hashKey)
        var place = first(hash)
        while places[place] != 0 {
            let index = index(at: place)
            if isLike(places[place], hash), states[index].key == key { return states[index] }
            place = next(place)
        }
        return nil
    }

    /// Where the state of a write's record stands; one that nothing has named before begins empty.
    package mutating func index(of write: TaggedWrite) -> Int { index(of: write, hash: write.recordHash(hashKey)) }

    /// The same, of a write whose record's hash is known.
    package mutating func index(of write: TaggedWrite, hash: UInt64) -> Int {
        var place = first(hash)
        while places[place] != 0 {
            let index = index(at: place)
            if isLike(places[place], hash), write.isTo(states.span[index].key) { return index }
            place = next(place)
        }
        states.append(RecordState(key: write.key))
        places[place] = hash & ~Self.indexMask | UInt64(states.count)
        if states.count * 2 > places.count { grow() }
        return states.count - 1
    }

    /// The state at an index.
    package subscript(index: Int) -> RecordState {
        get { states[index] }
        _modify { yield &states[index] }
    }

    private func isLike(_ entry: UInt64, _ hash: UInt64) -> Bool { (entry ^ hash) & ~Self.indexMask == 0 }
    private func first(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 32) & (places.count - 1) }
    private func next(_ place: Int) -> Int { (place + 1) & (places.count - 1) }

    private mutating func grow() {
        var larger = [UInt64](repeating: 0, count: places.count * 2)
        for entry in places where entry != 0 {
            var place = Int(entry >> 32) & (larger.count - 1)
            while larger[place] != 0 { place = (place + 1) & (larger.count - 1) }
            larger[place] = entry
        }
        places = larger
    }

    private func index(at place: Int) -> Int { Int(places[place] & Self.indexMask) - 1 }

    private static let indexMask: UInt64 = 0xffff_ffff
}
