package import ConflictAudit
import SyncBytes
package import SyncModel

/// What logs tell of sync itself, by the device that logged.
///
/// A monoid: what two halves tell, merged in either order, is what the whole tells. That holds for the bounds as well: of more than
/// ``deviceLimit`` devices those that come first by name are kept, so that none that is kept in the end was ever dropped, and the rest
/// count together as ``others``.
///
/// - Complexity: O(log *n*) for each event in the devices; memory does not grow beyond the bounds. A value type; its owner guards it.
package struct SyncHealth: Hashable, Sendable {
    /// The most devices that are told apart.
    package static let deviceLimit = 512

    /// What waited to be sent on a device.
    package struct Outbox: Hashable, Sendable {
        /// The latest line.
        package internal(set) var latest: Reading
        /// The line with the most bytes.
        package internal(set) var largest: Reading

        /// Whether more waits than the level of a warning, by the latest line.
        package var isOverNow: Bool { latest.status.isOverWarningLevel }
    }

    /// What a line says of an outbox, and when.
    package struct Reading: Hashable, Sendable {
        /// The time of the line, in milliseconds since 1970.
        package let milliseconds: Int64
        /// What waits.
        package let status: OutboxStatus
    }

    /// By the device that logged, nil where lines do not name it.
    package private(set) var devices: [DeviceID?: Device] = [:]
    /// What the devices beyond ``deviceLimit`` told together; nil where there are none.
    package private(set) var others: Device?
    /// The names of ``devices``, in order.
    private var names: [DeviceID?] = []

    /// Nothing told.
    package init() {}

    /// Whether nothing was told.
    package var isEmpty: Bool { names.isEmpty && others == nil }

    /// The time of the latest line told of, in milliseconds since 1970.
    package var newestMilliseconds: Int64? {
        (devices.values.lazy.compactMap(\.newest) + (others?.newest.map { [$0] } ?? [])).max()
    }

    /// Counts an event where it is about sync itself.
    ///
    /// A step of the sync of another store of the device counts by that store's name, and a clock by its device's.
    package mutating func observe(_ event: AuditEvent, source: DeviceID?) {
        guard Device.isTold(by: event) else { return }
        switch event.content {
        case .sync(let activity): change(activity.device ?? source) { $0.observe(event) }
        case .clock(let measurement): change(measurement.device) { $0.observe(event) }
        default: change(source) { $0.observe(event) }
        }
    }

    /// Adds what other logs tell.
    package mutating func merge(_ other: SyncHealth) {
        for (device, part) in other.devices { change(device) { $0.merge(part) } }
        if let theirs = other.others { changeOthers { $0.merge(theirs) } }
    }

    /// Adds to what a device tells.
    mutating func change(_ name: DeviceID?, _ add: (inout Device) -> Void) {
        if let index = devices.index(forKey: name) {
            add(&devices.values[index])
        } else {
            var (low, high) = (0, names.count)
            while low < high {
                let middle = low + (high - low) / 2
                if Self.precedes(names[middle], name) { low = middle + 1 } else { high = middle }
            }
            guard low < Self.deviceLimit else { return changeOthers(add) }
            if names.count == Self.deviceLimit, let dropped = devices.removeValue(forKey: names.removeLast()) {
                changeOthers { $0.merge(dropped) }
            }
            names.insert(name, at: low)
            var device = Device()
            add(&device)
            devices[name] = device
        }
    }

    /// Adds to what devices beyond the limit tell.
    mutating func changeOthers(_ add: (inout Device) -> Void) {
        var device = others ?? Device()
        add(&device)
        // Of several stores together nothing follows from the first size and the latest.
        device.storage = nil
        others = device
    }

    /// Whether a name comes first; none comes before all.
    static func precedes(_ left: DeviceID?, _ right: DeviceID?) -> Bool {
        guard let right else { return false }
        return left.map { $0.rawValue.utf8Precedes(right.rawValue) } ?? true
    }

    /// What each device tells, and what those beyond ``deviceLimit`` tell together.
    package var parts: [Device] { Array(devices.values) + (others.map { [$0] } ?? []) }

    /// Lengths of time of all devices.
    package func lengths(_ lengths: KeyPath<Device, GapHistogram>) -> GapHistogram {
        parts.reduce(into: GapHistogram()) { $0.merge($1[keyPath: lengths]) }
    }

    /// What became of the looks of all devices, counted; nil where no line tells of one.
    package func showing(_ count: KeyPath<Showing, Int>) -> Int? {
        let told = parts.compactMap { $0.showing?[keyPath: count] }
        return told.isEmpty ? nil : told.reduce(0) { $0.addingCount($1) }
    }

    /// The devices of which more waits or waited than their level of a warning: first those of which it still does, then by most bytes.
    package var overfullOutboxes: [(device: DeviceID?, outbox: Outbox)] {
        devices.compactMap { device, health in health.outbox.map { (device, $0) } }
            // A device may have been given another level since.
            .filter { $0.1.isOverNow || $0.1.largest.status.isOverWarningLevel }
            .ordered { left, right in
                if left.1.isOverNow != right.1.isOverNow { return left.1.isOverNow }
                let bytes = (left.1.largest.status.bytes, right.1.largest.status.bytes)
                return bytes.0 != bytes.1 ? bytes.0 > bytes.1 : (left.0?.rawValue ?? "") < (right.0?.rawValue ?? "")
            }
    }
}

extension SyncHealth.Outbox {
    /// What one line says.
    init(_ reading: SyncHealth.Reading) { self.init(latest: reading, largest: reading) }

    mutating func merge(_ other: SyncHealth.Outbox) {
        latest = max(latest, other.latest) { $0.milliseconds }
        largest = max(largest, other.largest) { Int64($0.status.bytes) }
    }
}

/// The greater of two readings; of equals the one that is greater in all else, so that the order of reading does not matter.
private func max(_ left: SyncHealth.Reading, _ right: SyncHealth.Reading, by value: (SyncHealth.Reading) -> Int64) -> SyncHealth.Reading {
    func key(_ reading: SyncHealth.Reading) -> [Int64] {
        let status = reading.status
        return [
            value(reading), reading.milliseconds, Int64(status.bytes), Int64(status.writes), Int64(status.setAside),
            Int64(status.warningBytes), status.oldest?.millisecondsSince1970 ?? .min,
        ]
    }
    if value(left) != value(right) { return value(left) < value(right) ? right : left }
    return key(left).lexicographicallyPrecedes(key(right)) ? right : left
}

extension OutboxStatus {
    /// The status with counts no larger than a summary reads back.
    var bounded: OutboxStatus {
        OutboxStatus(
            writes: min(writes, .largestCount), bytes: min(bytes, .largestCount), setAside: min(setAside, .largestCount),
            warningBytes: min(warningBytes, .largestCount), oldest: oldest)
    }
}
