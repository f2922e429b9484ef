import SyncModel

/// The writes to a register by their devices, of each device in the order in which it made them.
///
/// - Complexity: O(log *n*) to find one of *n* writes.
struct DeviceWrites: Sendable {
    /// A write, by its number and its index among all writes to the record.
    struct Write: Sendable {
        let number: UInt64
        let index: UInt32
    }

    private var devices: [DeviceID: [Write]] = [:]
    /// Whether all devices count their writes.
    private(set) var areNumbered = true
    /// How many of the record's writes have been looked at.
    var observed = 0
    /// The index of the write that came last; -1 where none has.
    private(set) var last = -1

    /// How many devices have written.
    var deviceCount: Int { devices.count }

    /// Inserts the write that comes next, behind those that its device made before.
    ///
    /// - Parameter precedes: Whether a write, by its index, was made before another of its device; asked where those are not numbered.
    mutating func insert(
        _ number: UInt64, of device: DeviceID, at index: Int, isNumbered: Bool, precedes: (_ one: Int, _ other: Int) -> Bool
    ) {
        if !isNumbered { areNumbered = false }
        last = index
        /// Apart, so that nothing holds the list when it changes.
        func slot(in own: [Write]) -> Int {
            var slot = own.endIndex
            while slot > 0, areNumbered ? own[slot - 1].number > number : precedes(index, Int(own[slot - 1].index)) { slot -= 1 }
            return slot
        }
        let slot = slot(in: self[device])
        devices[device, default: []].insert(Write(number: number, index: UInt32(index)), at: slot)
    }

    /// The writes of a device.
    subscript(device: DeviceID) -> [Write] { devices[device] ?? [] }

    /// Calls a body with each device and its writes.
    func forEachDevice(_ body: (DeviceID, [Write]) -> Void) {
        for (device, own) in devices { body(device, own) }
    }
}
