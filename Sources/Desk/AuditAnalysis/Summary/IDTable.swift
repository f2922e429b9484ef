import SyncBytes

/// A set of 64-bit identities with a largest size.
///
/// - Complexity: O(1) expected. Eight bytes for each of up to four slots per identity, and half as much again while it grows.
struct IDTable: Sendable {
    /// Whether an identity had come before.
    enum Outcome {
        case new
        case known
        /// It is not in the table, and the table takes no more.
        case unknown
    }

    /// The most identities.
    let limit: Int
    private(set) var count = 0
    /// An identity each, at the first free slot from where its hash says; 0 where there is none.
    private var slots = [UInt64](repeating: 0, count: 64)
    /// 0 cannot be in a slot.
    private var hasZero = false
    private let hashKey = HashKey()

    init(limit: Int) { self.limit = limit }

    /// Whether it takes no more.
    var isFull: Bool { count >= limit }

    /// The identities, in no order.
    ///
    /// - Complexity: O(*n*).
    var all: [UInt64] { (hasZero ? [0] : []) + slots.filter { $0 != 0 } }

    /// Whether an identity is in it.
    func contains(_ id: UInt64) -> Bool { id == 0 ? hasZero : slots[slot(of: id)] == id }

    /// Adds an identity.
    @inline(__always) mutating func insert(_ id: UInt64) -> Outcome {
        guard id != 0 else {
            if hasZero { return .known }
            if isFull { return .unknown }
            hasZero = true
            count += 1
            return .new
        }
        let slot = slot(of: id)
        if slots[slot] == id { return .known }
        if isFull { return .unknown }
        slots[slot] = id
        count += 1
        if count * 2 > slots.count { grow() }
        return .new
    }

    /// Looks where identities are or would be, so that the memory of a large table is waited for once and not for each.
    @inline(__always) func touch(_ id: UInt64) -> UInt64 { slots[start(of: id)] }

    private mutating func grow() {
        let old = slots
        slots = [UInt64](repeating: 0, count: old.count * (old.count < 1 << 16 ? 4 : 2))
        for id in old where id != 0 { slots[slot(of: id)] = id }
    }

    @inline(__always) private func slot(of id: UInt64) -> Int {
        var slot = start(of: id)
        while slots[slot] != id, slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }

    /// Keyed, so that nobody can choose identities that fall together.
    @inline(__always) private func start(of id: UInt64) -> Int {
        Int(truncatingIfNeeded: hashKey.mix(id, into: hashKey.start(count: 8))) & (slots.count - 1)
    }
}
