import ConflictAudit
import SyncModel
import SyncSimulation

/// Up to where in the hub's order a device had come whenever it wrote, fetched or sent, as its log tells.
struct DevicePositions {
    /// An arrival of writes of others, with nothing else between them.
    struct Fetch {
        /// The number of the device's last write before.
        let made: UInt64
        /// Up to where the device had come before.
        let start: UInt64
        /// Up to where it came.
        var end: UInt64
        /// When it had.
        var milliseconds: Int64
    }

    /// Of each write of the device, up to where it had come then.
    private(set) var cursors: [Dot: UInt64] = [:]
    private(set) var fetches: [Fetch] = []
    private var exports: [(milliseconds: Int64, cursor: UInt64)] = []

    init(_ device: SimulationResult.Device) {
        var (made, cursor) = (0 as UInt64, 0 as UInt64)
        var fetch: Fetch?
        func endFetch(at milliseconds: Int64) {
            guard var ended = fetch else { return }
            ended.milliseconds = milliseconds
            fetches.append(ended)
            fetch = nil
        }
        for event in device.events {
            switch event.content {
            case .write(let write):
                if let sequence = write.hubSequence {
                    fetch = fetch ?? Fetch(made: made, start: cursor, end: sequence, milliseconds: event.milliseconds)
                    fetch?.end = sequence
                    cursor = sequence
                } else {
                    endFetch(at: event.milliseconds)
                    made = write.dot.sequence
                    cursors[write.dot] = cursor
                }
            case .sync(let activity):
                endFetch(at: event.milliseconds)
                if activity.phase == .export, activity.state == .started { exports.append((event.milliseconds, cursor)) }
            default: continue
            }
        }
    }

    /// Up to where the device had come when it sent what the hub took at a time.
    func cursorOfExport(receivedAt milliseconds: Int64) -> UInt64 { exports.last { $0.milliseconds <= milliseconds }?.cursor ?? 0 }
}
