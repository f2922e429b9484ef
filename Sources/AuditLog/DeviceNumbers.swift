package import SyncModel

/// The highest number of each device's writes so far.
///
/// - Complexity: O(1) expected for each write. A device takes about 45 bytes beside its name, which is shared with the write.
package struct DeviceNumbers: Sendable {
    /// A device and the highest number of its writes, 0 where it has made none.
    package struct Entry: Sendable {
        package let device: DeviceID
        fileprivate(set) var number: UInt64
    }

    /// One for each device, in the order in which the devices were first named.
    package private(set) var entries: [Entry] = []
    /// Indices into `entries` plus 1, each with the high half of its device's hash above, in the first free slot from where that says; 0 where there is none.
    private var slots: [UInt64] = []
    private static let indexMask: UInt64 = 0xffff_ffff
    /// Random, so that nobody can choose names that fall together.
    private let hashKey: HashKey

    /// No device has made a write yet.
    package init(hashKey: HashKey = HashKey()) {
        self.hashKey = hashKey
    }

    /// The highest number of a device's writes, nil where it has made none.
    subscript(device: DeviceID) -> UInt64? {
        guard !slots.isEmpty, let index = find(device, hash: device.quickHash(hashKey)).index else { return nil }
        return entries[index].number > 0 ? entries[index].number : nil
    }

    /// Records a write.
    package mutating func record(_ device: DeviceID, _ number: UInt64) {
        let index = index(of: device)
        if entries[index].number < number { entries[index].number = number }
    }

    /// The index of a device in ``entries``, where one that is not there is added, without a write.
    package mutating func index(of device: DeviceID) -> Int {
        if entries.count * 4 >= slots.count * 3 { grow() }
        let hash = device.quickHash(hashKey)
        let (index, slot) = find(device, hash: hash)
        if let index { return index }
        entries.append(Entry(device: device, number: 0))
        slots[slot] = hash & ~Self.indexMask | UInt64(entries.count)
        return entries.count - 1
    }

    /// The index of a device, nil where nothing named it, and the slot in which it is or would be.
    private func find(_ device: DeviceID, hash: UInt64) -> (index: Int?, slot: Int) {
        var slot = Int(truncatingIfNeeded: hash >> 32) & (slots.count - 1)
        while slots[slot] != 0 {
            let index = Int(slots[slot] & Self.indexMask) - 1
            if (slots[slot] ^ hash) & ~Self.indexMask == 0, entries.span[index].device.rawValue.hasSameBytes(as: device.rawValue) {
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
