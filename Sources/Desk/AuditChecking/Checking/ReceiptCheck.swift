import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncModel

/// Looks for stamps that lie ahead of the hub's clock when it took the write.
///
/// - Complexity: memory grows with the pairs of a device and a file that tells of its writes.
struct ReceiptCheck: Sendable {
    /// A device, as one file tells of its writes.
    private struct Writer: Hashable, Sendable {
        let device: DeviceID
        let file: Int32
    }

    private struct Writes: Sendable {
        var count = 0
        var ahead = 0
        var largest: Int64 = 0
        /// The first of those ahead.
        var first: [(dot: Dot, lead: Int64, location: LineLocation)] = []
    }

    /// As many stamps ahead are no slip but a clock.
    private static let many = 3

    private var writers: [Writer: Writes] = [:]

    mutating func observe(_ write: TaggedWrite, at location: LineLocation) {
        guard let received = write.receipt?.milliseconds else { return }
        let writer = Writer(device: write.dot.device, file: location.file)
        var writes = writers.removeValue(forKey: writer) ?? Writes()
        let lead = write.timestamp.milliseconds.distance(after: received)
        writes.count += 1
        if lead > ClockCheck.limit {
            writes.ahead += 1
            writes.largest = max(writes.largest, lead)
            if writes.first.count < Self.many { writes.first.append((write.dot, lead, location)) }
        }
        writers[writer] = writes
    }

    /// - Parameters:
    ///   - explained: Devices whose clocks are known to be off.
    ///   - wrong: What is known to be wrong with stamps.
    func finish(explained: Set<DeviceID>, wrong: StampCheck.Wrong, _ history: RecordedHistory, _ findings: inout FindingList) {
        var reported: Set<DeviceID> = explained
        let ordered = writers.filter { $0.value.ahead > 0 && !wrong.files.contains($0.key.file) }
            .ordered { ($0.key.device, $0.key.file) < ($1.key.device, $1.key.file) }
        // One log is enough to name a device.
        for (writer, writes) in ordered where !reported.contains(writer.device) {
            let label = EventText.name(writer.device.rawValue)
            if writes.ahead >= Self.many, let first = writes.first.first {
                reported.insert(writer.device)
                findings.add(
                    .clock, of: writer.device.rawValue, at: first.location,
                    "\(HumanNumber.count(writes.ahead)) of \(HumanNumber.count(writes.count, "write")) of \(label) are stamped up to "
                        + "\(HumanNumber.duration(milliseconds: writes.largest)) ahead of the hub's clock at receipt"
                        + (ClockCheck.isTimeZone(writes.largest) ? ", as if the device's were set to another time zone" : ""))
            }
            for item in writes.first where writes.ahead < Self.many && !wrong.writes.contains(item.dot) {
                reported.insert(writer.device)
                findings.add(
                    .stamp, of: DecisionCheck.subject(item.dot), at: item.location, about: history.write(item.dot)?.key,
                    "write \(item.dot.sequence) of \(label) is stamped \(HumanNumber.duration(milliseconds: item.lead)) "
                        + "after the hub had received it")
            }
        }
    }
}
