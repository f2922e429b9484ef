import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncModel

/// Looks for clocks that are off, by what was measured against the hub's.
struct ClockCheck: Sendable {
    /// How far off a clock may be, in milliseconds: from here on replicas no longer follow it.
    static let limit = ClockMeasurement.limit

    private struct Device: Sendable {
        var worst: ClockMeasurement
        var location: LineLocation
        var off = 0
        var measurements = 0
    }

    private var devices: [DeviceID: Device] = [:]

    mutating func observe(_ measurement: ClockMeasurement, at location: LineLocation) {
        var device = devices[measurement.device] ?? Device(worst: measurement, location: location)
        device.measurements += 1
        if measurement.isOff {
            device.off += 1
            if measurement.offsetMilliseconds.magnitude > device.worst.offsetMilliseconds.magnitude || !device.worst.isOff {
                device.worst = measurement
                device.location = location
            }
        }
        devices[measurement.device] = device
    }

    func finish(_ findings: inout FindingList) {
        for (device, state) in devices.ordered(by: { $0.key < $1.key }) where state.off > 0 {
            let offset = state.worst.offsetMilliseconds
            findings.add(
                .clock, of: device.rawValue, at: state.location,
                "the clock of \(EventText.name(device.rawValue)) was \(ClockMeasurement.words(offset: offset)) the hub's in "
                    + "\(HumanNumber.count(state.off)) of \(HumanNumber.count(state.measurements, "measurement"))"
                    + (Self.isTimeZone(offset, uncertainty: state.worst.uncertaintyMilliseconds)
                        ? ", as if it were set to another time zone" : ""))
        }
    }

    /// Whether an offset is a whole number of hours, as of a clock that shows local time for UTC or missed a change of daylight saving.
    static func isTimeZone(_ offset: Int64, uncertainty: Int64 = 0) -> Bool {
        wholeHours(offset, uncertainty: uncertainty).map { $0 != 0 } ?? false
    }

    /// In milliseconds.
    static let hour: Int64 = 3_600_000

    /// The number of hours that an offset is, give or take what a clock may be off besides and a message may take; nil where it is none, or
    /// more than clocks of this earth differ.
    static func wholeHours(_ offset: Int64, uncertainty: Int64 = 0) -> Int64? {
        guard offset.magnitude < UInt64(15 * hour) else { return nil }
        let hours = (offset + (offset < 0 ? -hour : hour) / 2) / hour
        return abs(offset - hours * hour) <= 120_000 + min(max(uncertainty, 0), 120_000) ? hours : nil
    }
}
