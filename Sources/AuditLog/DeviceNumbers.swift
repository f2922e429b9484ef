import SyncModel

/// The highest number of each device's writes so far.
///
/// - Complexity: O(1) expected for each write. A device takes about 50 bytes beside its name, which is shared with the write.
struct DeviceNumbers: Sendable {
    /// One for each device, in the order in which the devices first wrote.
    private(set) var highest: [Dot] = []
    /// Indices into `highest` plus 1, each with the high half of its device's hash above, in the first free slot from where that says; 0 where there is none.
    private var slots: [UInt64] = []
    private static let indexMask: UInt64 = 0xffff_ffff
    /// Random, so that nobody can choose names that fall together.
    private let hashKey: HashKey

    /// No device has made a write yet.
    init(hashKey: HashKey = HashKey()) {
        self.hashKey = hashKey
    }

    /// The highest number of a device's writes, nil where it has made none.
    subscript(device: DeviceID) -> UInt64? {
        guard !slots.isEmpty, let index = find(device, hash: device.quickHash(hashKey)).index else { return nil }
        return highest[index].sequence
    }

    /// Records a write.
    mutating func record(_ dot: Dot) {
        if highest.count * 2 >= slots.count { grow() }
        let hash = dot.device.quickHash(hashKey)
        let (index, slot) = find(dot.device, hash: hash)
        if let index {
            if highest[index].sequence < dot.sequence { highest[index] = dot }
        } else {
            highest.append(dot)
            slots[slot] = hash & ~Self.indexMask | UInt64(highest.count)
        }
    }

    /// The index of a device in ``highest``, where one that is not there is added, as if it had made its first write.
    mutating func index(of device: DeviceID) -> Int {
        if highest.count * 2 >= slots.count { grow() }
        let hash = device.quickHash(hashKey)
        let (index, slot) = find(device, hash: hash)
        if let index { return index }
        highest.append(Dot(device: device, sequence: 1))
        slots[slot] = hash & ~Self.indexMask | UInt64(highest.count)
        return highest.count - 1
    }

    /// The index of a device, nil where it has made no write, and the slot in which it is or would be.
    private func find(_ device: DeviceID, hash: UInt64) -> (index: Int?, slot: Int) {
        var slot = Int(truncatingIfNeeded: hash >> 32) & (slots.count - 1)
        while slots[slot] != 0 {
            let index = Int(slots[slot] & Self.indexMask) - 1
            if (slots[slot] ^ hash) & ~Self.indexMask == 0, highest.span[index].device.rawValue.hasSameBytes(as: device.rawValue) {
                return (index, slot)
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        return (nil, slot)
    }

    private mutating func grow() {
        let old = slots
        slots = [UInt64](repeating: 0, count: max(16, old.count * 2))
        for entry in old where entry != 0 {
            var slot = Int(truncatingIfNeeded: entry >> 32) & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = entry
        }
    }
}
