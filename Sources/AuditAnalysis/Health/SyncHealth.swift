package import ConflictAudit
package import SyncModel

/// What logs tell of sync itself, by the device that logged.
///
/// A monoid: what two halves tell, merged in either order, is what the whole tells.
///
/// - Complexity: O(1) expected for each event; memory grows with the devices. A value type; its owner guards it.
package struct SyncHealth: Hashable, Sendable {
    /// What a device's log tells.
    package struct Device: Hashable, Sendable {
        /// What waited to be sent; nil where no line tells.
        package internal(set) var outbox: Outbox?
    }

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
    package internal(set) var devices: [DeviceID?: Device] = [:]

    /// Nothing told.
    package init() {}

    /// Counts an event where it is about sync itself.
    package mutating func observe(_ event: AuditEvent, source: DeviceID?) {
        guard case .outbox(let status) = event.content else { return }
        let reading = Reading(milliseconds: event.milliseconds, status: status.bounded)
        devices[source, default: Device()].merge(Device(outbox: Outbox(latest: reading, largest: reading)))
    }

    /// Adds what other logs tell.
    package mutating func merge(_ other: SyncHealth) {
        for (device, part) in other.devices { devices[device, default: Device()].merge(part) }
    }

    /// The devices of which more waits or waited than their level of a warning: first those of which it still does, then by most bytes.
    package var overfullOutboxes: [(device: DeviceID?, outbox: Outbox)] {
        devices.compactMap { device, health in health.outbox.map { (device, $0) } }
            // A device may have been given another level since.
            .filter { $0.1.isOverNow || $0.1.largest.status.isOverWarningLevel }
            .sorted { left, right in
                if left.1.isOverNow != right.1.isOverNow { return left.1.isOverNow }
                let bytes = (left.1.largest.status.bytes, right.1.largest.status.bytes)
                return bytes.0 != bytes.1 ? bytes.0 > bytes.1 : (left.0?.rawValue ?? "") < (right.0?.rawValue ?? "")
            }
    }
}

extension SyncHealth.Device {
    fileprivate mutating func merge(_ other: SyncHealth.Device) {
        guard let theirs = other.outbox else { return }
        guard let mine = outbox else { return outbox = theirs }
        outbox = SyncHealth.Outbox(
            latest: max(mine.latest, theirs.latest) { $0.milliseconds },
            largest: max(mine.largest, theirs.largest) { Int64($0.status.bytes) })
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
    return key(left).lexicographicallyPrecedes(key(right)) ? right : left
}

extension OutboxStatus {
    /// The status with counts no larger than a summary reads back.
    fileprivate var bounded: OutboxStatus {
        OutboxStatus(
            writes: min(writes, .largestCount), bytes: min(bytes, .largestCount), setAside: min(setAside, .largestCount),
            warningBytes: min(warningBytes, .largestCount), oldest: oldest)
    }
}
