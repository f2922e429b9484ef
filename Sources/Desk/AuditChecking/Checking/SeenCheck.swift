import AuditAnalysis
import AuditLog
import SyncModel

/// Looks for writes that name each other as seen.
///
/// - Complexity: that of ``SeenCircles``, and of sorting each device's writes, which mostly are in order.
struct SeenCheck {
    /// The most names of writes that are kept at a time.
    private static let limit = 1 << 22

    private let history: RecordedHistory

    init(_ history: RecordedHistory) {
        self.history = history
    }

    func finish(_ findings: inout FindingList) {
        var circles = SeenCircles(limit: Self.limit)
        for index in ordered { circles.observe(history.writes[Int(index)], at: UInt64(index)) }
        circles.finish()
        if circles.circles.isEmpty { return }
        let locations = history.locations(of: Set(circles.circles.compactMap { $0.first.map { Int32(truncatingIfNeeded: $0.position) } }))
        for circle in circles.circles {
            let location = circle.first.flatMap { locations[Int32(truncatingIfNeeded: $0.position)] }
            // A circle has no beginning, and which write of it was read first says nothing.
            let first = circle.map(\.write).min()
            findings.add(
                .seen, of: first.map(DecisionCheck.subject) ?? "", at: location ?? .unknown,
                about: first.flatMap { history.write($0)?.key }, circle.sentence)
        }
    }

    /// The indices of the writes as they were read, but those of each device in the order of their numbers; without those of which two
    /// contents are told, which is a finding of its own.
    private var ordered: [Int32] {
        var devices: [DeviceID: Int] = [:]
        var numbers: [[(number: UInt64, index: Int32)]] = []
        var order: [Int] = []
        for (index, write) in history.writes.enumerated() where write.isNumbered && !history.isAmbiguous(write.dot) {
            let device = devices[write.dot.device] ?? numbers.count
            if device == numbers.count {
                devices[write.dot.device] = device
                numbers.append([])
            }
            numbers[device].append((write.number, Int32(index)))
            order.append(device)
        }
        for device in numbers.indices { numbers[device].sort { $0.number < $1.number } }
        var next = [Int](repeating: 0, count: numbers.count)
        return order.map { device in
            next[device] += 1
            return numbers[device][next[device] - 1].index
        }
    }
}
