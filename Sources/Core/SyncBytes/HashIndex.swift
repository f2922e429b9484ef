/// The indices of elements by their hashes, for an array whose owner looks its elements up.
///
/// Open addressing with linear probing. The index holds no element: its owner appends an element to an array and says whether the one at an
/// index is meant. Hashes are to be keyed (``HashKey``) where elements come from outside, so that nobody can choose ones that fall
/// together. A value type; its owner guards it.
///
/// ```swift
/// if let index = index.find(hash, where: { names[$0] == name }) { return index }
/// names.append(name)
/// index.insert(names.count - 1, hash: hash)
/// ```
///
/// - Complexity: O(1) expected. Eight bytes for each slot, of which at most three quarters are taken.
@usableFromInline package struct HashIndex: Sendable {
    /// The upper half of an element's hash and its index plus 1; 0 where the slot is free.
    ///
    /// An element is in the first slot that was free from where its hash says.
    @usableFromInline var slots: [UInt64]
    /// How many elements there are.
    package private(set) var count = 0

    /// Elements of every kind that has none share these slots.
    private static let noSlots: [UInt64] = [0]

    /// An index without elements.
    ///
    /// - Parameter capacity: How many elements are expected; room for more is made as they come.
    package init(capacity: Int = 0) {
        slots = Self.noSlots
        if capacity > 0 { reserve(capacity) }
    }

    /// Returns the index of the element with a hash that is the one meant, nil where there is none.
    @inlinable @inline(__always)
    package func find(_ hash: UInt64, where isMeant: (Int) -> Bool) -> Int? {
        let mask = slots.count &- 1
        var slot = Int(truncatingIfNeeded: hash >> 32) & mask
        while case let entry = slots[slot], entry != 0 {
            if entry ^ hash < UInt64(1) << 32, case let index = Int(truncatingIfNeeded: entry & 0xffff_ffff) &- 1, isMeant(index) {
                return index
            }
            slot = (slot &+ 1) & mask
        }
        return nil
    }

    /// The index of the element in the slot from which one with a hash is looked for, nil where that is free: to bring both into the cache
    /// before many are looked up.
    @inlinable @inline(__always)
    package func touch(_ hash: UInt64) -> Int? {
        let entry = slots[Int(truncatingIfNeeded: hash >> 32) & (slots.count &- 1)]
        return entry == 0 ? nil : Int(truncatingIfNeeded: entry & 0xffff_ffff) &- 1
    }

    /// Inserts the index of an element that is not there yet.
    ///
    /// - Precondition: The index is less than 2³² - 1.
    package mutating func insert(_ index: Int, hash: UInt64) {
        precondition(index >= 0 && index < UInt32.max, "an index of 32 bits")
        count += 1
        if count * 4 > slots.count * 3 { reserve(count) }
        put(hash & ~0xffff_ffff | UInt64(index + 1))
    }

    /// Replaces the index of an element that is there.
    package mutating func replace(_ index: Int, hash: UInt64, with other: Int) {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash >> 32) & mask
        while slots[slot] != hash & ~0xffff_ffff | UInt64(index + 1) {
            precondition(slots[slot] != 0, "the element is there")
            slot = (slot + 1) & mask
        }
        slots[slot] = hash & ~0xffff_ffff | UInt64(other + 1)
    }

    /// Makes room for a number of elements in all.
    package mutating func reserve(_ capacity: Int) {
        guard capacity * 4 > slots.count * 3 else { return }
        let old = slots
        // In long steps at first, since memory that is new is dear.
        var size = max(16, old.count * (old.count < 1 << 16 ? 4 : 2))
        while capacity * 4 > size * 3 { size *= 2 }
        slots = [UInt64](repeating: 0, count: size)
        for entry in old where entry != 0 { put(entry) }
    }

    private mutating func put(_ entry: UInt64) {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: entry >> 32) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = entry
    }

    /// Removes all elements and gives their memory back.
    package mutating func removeAll() { self = HashIndex() }
}
