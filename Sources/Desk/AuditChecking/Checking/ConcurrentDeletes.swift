import AuditAnalysis
package import SyncModel

/// Deletes of a record, kept to answer whether a write had seen all of them.
///
/// What a write must have seen of a device's deletes is their latest, so that some numbers for each device are kept, and no delete.
///
/// - Complexity: adding is O(1) expected, and asking O(*k* log *k*) in the devices that the write's causal context names, however many
///   deletes there are.
package struct ConcurrentDeletes {
    /// The deletes of a device.
    private struct Latest {
        /// The highest number of all, and of those that its device numbered.
        var highest: UInt64
        var numbered: UInt64 = 0
        /// The last in the total order, and of those that its device did not number.
        var last: TaggedWrite
        var unnumbered: TaggedWrite?

        init(_ delete: TaggedWrite) {
            (highest, last) = (delete.dot.sequence, delete)
        }

        mutating func add(_ delete: TaggedWrite) {
            highest = max(highest, delete.dot.sequence)
            if last.precedes(delete) { last = delete }
            if delete.isNumbered {
                numbered = max(numbered, delete.dot.sequence)
            } else if unnumbered?.precedes(delete) ?? true {
                unnumbered = delete
            }
        }

        /// Whether the device's own write came after all of them.
        func isBefore(_ write: TaggedWrite) -> Bool {
            guard write.isNumbered else { return last.precedes(write) }
            return numbered < write.dot.sequence && unnumbered?.precedes(write) ?? true
        }
    }

    /// The greatest of some times or numbers, and the greatest of those of any other device.
    private struct Greatest<Value: Comparable> {
        private var first: (device: DeviceID, value: Value)?
        private var second: (device: DeviceID, value: Value)?

        mutating func add(_ value: Value, of device: DeviceID) {
            guard let known = first else { return first = (device, value) }
            if device == known.device {
                first = (device, max(value, known.value))
            } else if value > known.value {
                (first, second) = ((device, value), first)
            } else if value > second?.value ?? value || second == nil {
                second = (device, value)
            }
        }

        /// The greatest of those of other devices; nil where there are none.
        func beside(_ device: DeviceID) -> Value? { first?.device == device ? second?.value : first?.value }
    }

    private var devices: [DeviceID: Latest] = [:]
    private var windowEnd = Greatest<Int64>()
    private var receipt = Greatest<Int64>()
    private var hubSequence = Greatest<UInt64>()

    private let intervals: IntervalRule

    package init(_ intervals: IntervalRule) {
        self.intervals = intervals
    }

    /// Adds a delete; those that it had seen, where these are all, need not be seen by others.
    package mutating func add(_ delete: TaggedWrite) {
        if !devices.isEmpty, areSeen(by: delete) { self = ConcurrentDeletes(intervals) }
        let device = delete.dot.device
        devices[device, default: Latest(delete)].add(delete)
        windowEnd.add(delete.windowEnd(intervals), of: device)
        receipt.add(delete.receipt(intervals), of: device)
        // Nobody's cursor reaches what the hub has given no number.
        hubSequence.add(delete.hubSequence ?? .max, of: device)
    }

    /// Whether a write had seen all, as ``TaggedWrite/hasSeen(_:intervals:)`` says of each.
    package func areSeen(by write: TaggedWrite) -> Bool {
        guard !devices.isEmpty else { return true }
        let device = write.dot.device
        let own = devices[device]
        if let own, !own.isBefore(write) { return false }
        if let seen = write.seen {
            // There is an entry for each device of which anything was seen.
            if devices.count - (own == nil ? 0 : 1) > seen.entries.count { return false }
            return devices.allSatisfy { $0.key == device || $0.value.highest <= seen[$0.key] }
        }
        if let cursor = write.cursor { return hubSequence.beside(device).map { $0 <= cursor && $0 < .max } ?? true }
        guard let end = windowEnd.beside(device), let received = receipt.beside(device) else { return true }
        return write.made > end && write.reception(intervals) > received
    }
}
