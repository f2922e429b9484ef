import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncModel

/// Looks for logs that go by each other's names, by whose clock they measure: a device measures its own.
///
/// - Complexity: memory grows with the logs.
struct SourceCheck: Sendable {
    private struct Log: Sendable {
        /// The only device whose clock it measures; nil where there are several, as in a hub's log.
        var device: DeviceID?
        var location: LineLocation
    }

    private var logs: [DeviceID: Log] = [:]

    mutating func observe(_ measurement: ClockMeasurement, source: DeviceID?, at location: LineLocation) {
        guard let source = source?.firstWriter else { return }
        let device = measurement.device.firstWriter
        guard let known = logs[source] else { return logs[source] = Log(device: device, location: location) }
        if known.device != device { logs[source]?.device = nil }
    }

    func finish(_ findings: inout FindingList) {
        for (source, log) in logs.ordered(by: { $0.key < $1.key }) {
            // Whoever has a log of its own, and measures another's clock in it, does not measure this one's.
            guard let device = log.device, device != source, let other = logs[device]?.device, other != device else { continue }
            findings.add(
                .identity, of: "the log of \(source.rawValue)", at: log.location,
                "the log of \(EventText.name(source.rawValue)) measures the clock of \(EventText.name(device.rawValue)), whose own log measures "
                    + "that of \(EventText.name(other.rawValue)): the logs have each other's names")
        }
    }
}
