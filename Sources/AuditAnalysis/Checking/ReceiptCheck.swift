import ConflictAudit
import SyncModel

/// Looks for stamps that lie ahead of the hub's clock when it took the write.
///
/// - Complexity: memory grows with the pairs of a device and a file that tells of its writes.
struct ReceiptCheck: Sendable {
    /// A device's writes in a file.
    private struct Account: Hashable, Sendable {
        let device: DeviceID
        let file: Int32
    }

    private struct Writes: Sendable {
        var count = 0
        var ahead = 0
        var largest: Int64 = 0
        /// The first of those ahead.
        var first: [(dot: Dot, lead: Int64, place: CompactPlace)] = []
    }

    /// As many stamps ahead are no slip but a clock.
    private static let many = 3

    private var accounts: [Account: Writes] = [:]

    mutating func observe(_ write: TaggedWrite, at place: CompactPlace) {
        guard let received = write.receipt?.milliseconds else { return }
        let account = Account(device: write.dot.device, file: place.file)
        var writes = accounts.removeValue(forKey: account) ?? Writes()
        let lead = write.timestamp.milliseconds.distance(after: received)
        writes.count += 1
        if lead > ClockCheck.limit {
            writes.ahead += 1
            writes.largest = max(writes.largest, lead)
            if writes.first.count < Self.many { writes.first.append((write.dot, lead, place)) }
        }
        accounts[account] = writes
    }

    /// - Parameters:
    ///   - explained: Devices whose clocks are known to be off.
    ///   - wrong: What is known to be wrong with stamps.
    func finish(explained: Set<DeviceID>, wrong: StampCheck.Wrong, name: (CompactPlace) -> String, _ findings: inout FindingList) {
        var reported: Set<DeviceID> = explained
        let ordered = accounts.filter { $0.value.ahead > 0 && !wrong.files.contains($0.key.file) }
            .sorted { ($0.key.device, $0.key.file) < ($1.key.device, $1.key.file) }
        // One log is enough to name a device.
        for (account, writes) in ordered where !reported.contains(account.device) {
            let label = EventText.name(account.device.rawValue)
            if writes.ahead >= Self.many, let first = writes.first.first {
                reported.insert(account.device)
                findings.add(
                    .clock,
                    "\(name(first.place)): \(HumanNumber.count(writes.ahead)) of \(HumanNumber.count(writes.count, "write")) of \(label) are stamped up to "
                        + "\(HumanNumber.duration(milliseconds: writes.largest)) ahead of the hub's clock at receipt"
                        + (ClockCheck.isTimeZone(writes.largest) ? ", as if the device's were set to another time zone" : ""))
            }
            for item in writes.first where writes.ahead < Self.many && !wrong.writes.contains(item.dot) {
                reported.insert(account.device)
                findings.add(
                    .stamp,
                    "\(name(item.place)): write \(item.dot.sequence) of \(label) is stamped \(HumanNumber.duration(milliseconds: item.lead)) "
                        + "after the hub had received it")
            }
        }
    }
}
