import SyncModel

/// The writes to a register by their devices, of each device in the order in which it made them.
///
/// - Complexity: O(log *n*) to find one of *n* writes; where they are few, all are looked at, which takes less time and memory.
struct DeviceWrites: Sendable {
    /// A write, by its number and its index among all writes to the record.
    struct Write: Sendable {
        let number: UInt64
        let index: UInt32
    }

    /// Few writes, those of a device one behind the other, and for each its device.
    private var few: [Write] = []
    private var devicesOfFew: [DeviceID] = []
    private var many: [DeviceID: [Write]] = [:]
    private let areFew: Bool
    /// Whether all devices count their writes.
    private(set) var areNumbered = true
    /// How many of the record's writes have been looked at.
    var observed = 0
    /// The index of the write that came last; -1 where none has.
    private(set) var last = -1

    /// No writes.
    ///
    /// - Parameter areFew: Whether there will be few of them.
    init(areFew: Bool) { self.areFew = areFew }

    /// How many devices have written.
    var deviceCount: Int {
        areFew ? devicesOfFew.indices.count { $0 == 0 || devicesOfFew[$0] != devicesOfFew[$0 - 1] } : many.count
    }

    /// Inserts the write that comes next, behind those that its device made before.
    ///
    /// - Parameter precedes: Whether a write, by its index, was made before another of its device; asked where those are not numbered.
    mutating func insert(
        _ number: UInt64, of device: DeviceID, at index: Int, isNumbered: Bool, precedes: (_ one: Int, _ other: Int) -> Bool
    ) {
        if !isNumbered { areNumbered = false }
        last = index
        let write = Write(number: number, index: UInt32(index))
        func slot(in own: ArraySlice<Write>) -> Int {
            var slot = own.endIndex
            while slot > own.startIndex,
                areNumbered ? own[slot - 1].number > number : precedes(index, Int(own[slot - 1].index))
            {
                slot -= 1
            }
            return slot
        }
        if areFew {
            let slot = slot(in: few[range(of: device)])
            few.insert(write, at: slot)
            devicesOfFew.insert(device, at: slot)
        } else {
            let slot = slot(in: many[device]?[...] ?? [])
            many[device, default: []].insert(write, at: slot)
        }
    }

    /// Where a device's writes are among the few; the end where it has none.
    private func range(of device: DeviceID) -> Range<Int> {
        let devices = devicesOfFew.span
        var start = 0
        while start < devices.count, devices[start] != device { start += 1 }
        var end = start
        while end < devices.count, devices[end] == device { end += 1 }
        return start..<end
    }

    /// The writes of a device.
    subscript(device: DeviceID) -> ArraySlice<Write> { areFew ? few[range(of: device)] : many[device]?[...] ?? [] }

    /// Calls a body with each device and its writes.
    func forEachDevice(_ body: (DeviceID, ArraySlice<Write>) -> Void) {
        for (device, own) in many { body(device, own[...]) }
        var start = 0
        while start < few.count {
            var end = start + 1
            while end < few.count, devicesOfFew[end] == devicesOfFew[start] { end += 1 }
            body(devicesOfFew[start], few[start..<end])
            start = end
        }
    }
}
