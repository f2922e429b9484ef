import SyncLayer
import SyncModel
import Synchronization

/// What one space and one device may take of a server.
///
/// Whoever is beyond a quota is told to come again: what it has written waits on it, and nothing is lost.
public struct Quotas: Sendable {
    /// The most bytes in use of a space's file.
    public var bytesPerSpace = 4 << 30
    /// The most devices of a space.
    public var devicesPerSpace = 10_000
    /// The most writes that a device pushes within a minute; what is given back to a hub that was put back is not counted.
    public var writesPerMinute = 60_000

    /// The defaults.
    public init() {}
}

/// A space's hub that keeps to quotas.
final class QuotaHub: Hub {
    private struct Usage {
        /// How many writes each device may still send, and when that was counted.
        var allowance: [DeviceID: (writes: Double, time: ContinuousClock.Instant)] = [:]
        /// The devices that the hub knows, as far as they have come by here.
        var known: Set<DeviceID> = []
    }

    private let hub: SQLiteHub
    private let quotas: Quotas
    private let usage = Mutex(Usage())

    init(_ hub: SQLiteHub, _ quotas: Quotas) { (self.hub, self.quotas) = (hub, quotas) }

    func push(_ request: PushRequest) async throws -> [PushOutcome] {
        let count = request.writes.count
        try await checkRoom(request.device, writes: count)
        try spend(count, of: request.device)
        do {
            let outcomes = try await hub.push(request)
            admit(request.device)
            return outcomes
        } catch {
            // What was not taken costs nothing.
            usage.withLock { $0.allowance[request.device]?.writes += Double(count) }
            throw error
        }
    }

    func giveBack(_ given: GivenBackWrites) async throws -> HubPlace {
        try await checkRoom(given.device, writes: given.writes.count)
        let end = try await hub.giveBack(given)
        admit(given.device)
        return end
    }

    func report(_ report: DeviceReport) async throws {
        try await checkIsKnown(report.device)
        try await hub.report(report)
        admit(report.device)
    }

    func now() async throws -> WallTime { await hub.now() }
    func pull(_ request: PullRequest) async throws -> PullPage { try await hub.pull(request) }
    func devices() async throws -> [DeviceReport] { try await hub.devices() }
    func settled() async throws -> VersionVector { try await hub.settled() }

    func forget(_ device: DeviceID) async throws {
        try await hub.forget(device)
        usage.withLock { usage in
            usage.known.remove(device)
            usage.allowance[device] = nil
        }
    }

    /// Whether there is room for some writes.
    private func checkRoom(_ device: DeviceID, writes: Int) async throws {
        try await checkIsKnown(device)
        guard writes > 0 else { return }
        let used = try await hub.usedBytes()
        guard used < quotas.bytesPerSpace else {
            throw SyncLayerError(
                .hubUnavailable, "the space has \(used) bytes, and \(quotas.bytesPerSpace) are allowed: what is written waits on its device"
            )
        }
    }

    /// Takes some writes from what a device may send now.
    private func spend(_ writes: Int, of device: DeviceID) throws {
        guard writes > 0 else { return }
        guard writes <= quotas.writesPerMinute else {
            throw SyncLayerError(
                .batchTooLarge, "\(writes) writes were sent at once, and \(quotas.writesPerMinute) are allowed in a minute")
        }
        let isAllowed = usage.withLock { usage in
            let (rate, now) = (Double(quotas.writesPerMinute), ContinuousClock.now)
            let (left, time) = usage.allowance[device] ?? (rate, now)
            let allowance = min(rate, left + rate * (time.duration(to: now) / .seconds(60)))
            let isAllowed = allowance >= Double(writes)
            // Of a name that the hub has not taken in nothing is kept.
            if usage.known.contains(device) { usage.allowance[device] = (isAllowed ? allowance - Double(writes) : allowance, now) }
            return isAllowed
        }
        guard isAllowed else {
            throw SyncLayerError(
                .hubUnavailable,
                "the device \(device) sends more than \(quotas.writesPerMinute) writes a minute: what is written waits on it")
        }
    }

    private func admit(_ device: DeviceID) { usage.withLock { _ = $0.known.insert(device) } }

    /// Whether a device is one of those that the hub knows, or may become one.
    private func checkIsKnown(_ device: DeviceID) async throws {
        if usage.withLock({ $0.known.contains(device) }) { return }
        let devices = try await hub.devices()
        guard devices.count < quotas.devicesPerSpace || devices.contains(where: { $0.device == device }) else {
            throw SyncLayerError(
                .hubUnavailable,
                "the space has \(devices.count) devices, and \(quotas.devicesPerSpace) are allowed: have lost ones forgotten")
        }
    }
}
