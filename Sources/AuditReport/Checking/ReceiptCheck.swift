import ConflictAudit
import SyncModel

/// Looks for stamps that lie ahead of the hub's clock when it took the write.
///
/// - Complexity: memory grows with the devices.
struct ReceiptCheck: Sendable {
    private struct Device: Sendable {
        var writes = 0
        var ahead = 0
        var largest: Int64 = 0
        /// The first of those ahead.
        var first: [(dot: Dot, lead: Int64, place: CompactPlace)] = []
    }

    private var devices: [DeviceID: Device] = [:]

    mutating func observe(_ write: TaggedWrite, at place: CompactPlace) {
        guard let receipt = write.receipt else { return }
        var device = devices.removeValue(forKey: write.dot.device) ?? Device()
        let lead = write.timestamp.milliseconds.distance(after: receipt.milliseconds)
        device.writes += 1
        if lead > ClockCheck.limit {
            device.ahead += 1
            device.largest = max(device.largest, lead)
            if device.first.count < 3 { device.first.append((write.dot, lead, place)) }
        }
        devices[write.dot.device] = device
    }

    /// - Parameters:
    ///   - explained: Devices whose clocks are known to be off.
    ///   - wrong: Writes whose stamps are known to be wrong.
    func finish(explained: Set<DeviceID>, wrong: Set<Dot>, name: (CompactPlace) -> String, _ findings: inout FindingList) {
        for (id, device) in devices.sorted(by: { $0.key < $1.key }) where !explained.contains(id) {
            let label = EventText.name(id.rawValue)
            if device.ahead > 2, let first = device.first.first {
                findings.add(
                    .clock,
                    "\(name(first.place)): \(HumanNumber.count(device.ahead)) of \(HumanNumber.count(device.writes, "write")) of \(label) are stamped up to "
                        + "\(HumanNumber.duration(milliseconds: device.largest)) ahead of the hub's clock at receipt"
                        + (ClockCheck.isTimeZone(device.largest) ? ", as if the device's were set to another time zone" : ""))
            } else {
                for item in device.first where !wrong.contains(item.dot) {
                    findings.add(
                        .stamp,
                        "\(name(item.place)): write \(item.dot.sequence) of \(label) is stamped \(HumanNumber.duration(milliseconds: item.lead)) "
                            + "after the hub had received it")
                }
            }
        }
    }
}
