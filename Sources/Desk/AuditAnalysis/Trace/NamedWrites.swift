import SyncModel

/// Remembers by which names writes went, so that a name that is used for another write is noticed.
///
/// Of each write it keeps its name and 32 bits that follow from its record, its time, and whether it is a delete: where they differ, so do
/// the writes. What only differs in its values is not told apart.
///
/// - Complexity: O(1) expected for a write; 16 bytes for each slot, at most ``slotLimit`` of them: of more writes than that some are
///   forgotten.
struct NamedWrites: Sendable {
    private struct Slot: Sendable {
        /// The device's index plus 1; 0 where the slot is free.
        var device: UInt32 = 0
        var digest: UInt32 = 0
        var number: UInt64 = 0
    }

    private var slots = [Slot](repeating: Slot(), count: 1024)
    private var count = 0
    private let slotLimit: Int
    /// Random, so that nobody can choose numbers that fall together.
    private let seed = UInt64.random(in: .min ... .max)
    private static let reach = 64

    /// - Parameter slotLimit: The most slots, a power of two.
    init(slotLimit: Int = 1 << 22) {
        self.slotLimit = slotLimit
    }

    /// Takes a write that its device has numbered.
    ///
    /// - Parameters:
    ///   - device: The device's index among all.
    ///   - recordHash: A hash of the record written to.
    /// - Returns: Whether another write went by its name.
    mutating func observe(_ write: TaggedWrite, device: Int, recordHash: UInt64) -> Bool {
        if count * 2 >= slots.count, slots.count < slotLimit { grow() }
        let slot = Slot(device: UInt32(truncatingIfNeeded: device + 1), digest: digest(write, recordHash), number: write.number)
        let start = start(slot)
        for step in 0..<Self.reach {
            let index = (start + step) & (slots.count - 1)
            let known = slots[index]
            if known.device == 0 {
                slots[index] = slot
                count += 1
                return false
            }
            if known.number == slot.number, known.device == slot.device { return known.digest != slot.digest }
        }
        slots[start] = slot
        return false
    }

    private func digest(_ write: TaggedWrite, _ recordHash: UInt64) -> UInt32 {
        let time = write.timestamp
        var hash = mix(recordHash ^ seed, UInt64(bitPattern: time.milliseconds))
        hash = mix(hash, UInt64(time.counter) << 1 | (write.isDelete ? 1 : 0))
        return UInt32(truncatingIfNeeded: hash >> 32)
    }

    /// Four numbers in a row lie beside each other.
    private func start(_ slot: Slot) -> Int {
        let hash = mix(seed ^ UInt64(slot.device), slot.number >> 2)
        return Int(truncatingIfNeeded: hash >> 32) & (slots.count - 1) & ~3 | Int(clamping: slot.number & 3)
    }

    private func mix(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let product = (one ^ 0x9e37_79b9_7f4a_7c15).multipliedFullWidth(by: other &* 0xff51_afd7_ed55_8ccd ^ 0xc4ce_b9fe_1a85_ec53)
        return product.high ^ product.low
    }

    private mutating func grow() {
        let old = slots
        slots = [Slot](repeating: Slot(), count: old.count * 2)
        for slot in old where slot.device != 0 {
            let start = start(slot)
            for step in 0..<Self.reach where slots[(start + step) & (slots.count - 1)].device == 0 {
                slots[(start + step) & (slots.count - 1)] = slot
                break
            }
        }
    }
}
