package import ConflictAudit
import SyncModel

extension SyncHealth {
    /// How far a device's clock was off, and when that was measured.
    package struct Clock: Hashable, Comparable, Sendable {
        /// The time of the line, in milliseconds since 1970.
        package let milliseconds: Int64
        /// The device's clock minus the hub's, in milliseconds.
        package let offset: Int64
        /// How far the offset may be off, in milliseconds.
        package let uncertainty: Int64

        /// Whether the clock was off for certain.
        package var isOff: Bool { ClockMeasurement.isOff(offset: offset, uncertainty: uncertainty) }

        /// Whether the left one comes first.
        package static func < (left: Clock, right: Clock) -> Bool {
            (left.milliseconds, left.offset, left.uncertainty) < (right.milliseconds, right.offset, right.uncertainty)
        }
    }
}

extension SyncHealth.Clock {
    /// What one line tells.
    init(_ measurement: ClockMeasurement, at milliseconds: Int64) {
        self.init(
            milliseconds: milliseconds, offset: measurement.offsetMilliseconds, uncertainty: max(0, measurement.uncertaintyMilliseconds))
    }
}

extension ClockMeasurement {
    /// How far off a clock may be, in milliseconds: from here on replicas no longer follow it.
    package static let limit: Int64 = 60_000

    /// Whether the clock was off for certain.
    package var isOff: Bool { Self.isOff(offset: offsetMilliseconds, uncertainty: uncertaintyMilliseconds) }

    fileprivate static func isOff(offset: Int64, uncertainty: Int64) -> Bool {
        offset.magnitude > UInt64(limit) + UInt64(max(0, uncertainty))
    }

    /// An offset in words, such as `1 h ahead of`.
    package static func words(offset: Int64) -> String {
        HumanNumber.duration(milliseconds: offset == .min ? .max : abs(offset)) + (offset < 0 ? " behind" : " ahead of")
    }
}
