public import SyncModel

/// A hub to a replica that only looks, such as a server's audit: nobody waits for it, and the hub never hears of it.
///
/// Such a replica sees everything and writes nothing; it may say what the hub can let go of, see ``Replica/compact(_:)``.
///
/// ```swift
/// let engine = SyncEngine(replica: auditor, hub: ReadingHub(hub))
/// try await engine.sync()
/// try await auditor.compact(hub)
/// ```
public struct ReadingHub: Hub {
    private let hub: any Hub

    /// The hub as one who only looks has it.
    public init(_ hub: some Hub) { self.hub = hub }

    /// The hub's clock.
    public func now() async throws -> WallTime { try await hub.now() }

    /// Refuses writes.
    public func push(_ request: PushRequest) async throws -> [PushOutcome] {
        throw SyncLayerError(.notAllowed, "\(request.device) only reads from this hub: write with another replica")
    }

    /// The next writes in the hub's order.
    public func pull(_ request: PullRequest) async throws -> PullPage { try await hub.pull(request) }

    /// Does nothing: what a hub that was put back has forgotten, the devices give it.
    public func giveBack(_ given: GivenBackWrites) async throws -> HubPlace { given.reached }

    /// Does nothing.
    public func report(_ report: DeviceReport) async throws {}

    /// The last report of each device.
    public func devices() async throws -> [DeviceReport] { try await hub.devices() }

    /// The writes that every known device has merged.
    public func settled() async throws -> VersionVector { try await hub.settled() }

    /// Refuses to forget a device.
    public func forget(_ device: DeviceID) async throws {
        throw SyncLayerError(.notAllowed, "who only reads from a hub does not have it forget \(device)")
    }
}
