public import SyncLayer
public import SyncModel
import SyncSystem

/// A hub whose calls can be made to fail, before or after they took effect, as a network does.
///
/// ```swift
/// let hub = InterruptibleHub(InMemoryHub())
/// let engine = SyncEngine(replica: replica, hub: hub)
/// hub.fail(afterCalls: 0, .beforeEffect)  // the first call of the next sync is lost on its way
/// ```
///
/// Thread-safe.
public final class InterruptibleHub: Hub {
    /// Where a call is cut off.
    public enum Interruption: Hashable, Sendable, CaseIterable {
        /// The request is lost: nothing happens.
        case beforeEffect
        /// The answer is lost: the hub has done what was asked.
        case afterEffect
    }

    private struct Plan {
        var callsUntilFailure: Int?
        var interruption = Interruption.beforeEffect
        var calls = 0
    }

    private let hub: any Hub
    private let plan = Locked(Plan())

    /// A hub that fails on demand and otherwise does what another does.
    public init(_ hub: some Hub) {
        self.hub = hub
    }

    /// The calls so far.
    public var calls: Int { plan.withLock { $0.calls } }

    /// Lets `calls` calls pass and makes the next one fail, once.
    public func fail(afterCalls calls: Int, _ interruption: Interruption) {
        plan.withLock {
            $0.callsUntilFailure = calls
            $0.interruption = interruption
        }
    }

    private func call<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        let failure = plan.withLock { plan -> Interruption? in
            plan.calls += 1
            guard let left = plan.callsUntilFailure else { return nil }
            plan.callsUntilFailure = left == 0 ? nil : left - 1
            return left == 0 ? plan.interruption : nil
        }
        let error = SyncLayerError(.hubUnavailable, "the line was cut: try again")
        if failure == .beforeEffect { throw error }
        let result = try await body()
        if failure == .afterEffect { throw error }
        return result
    }

    /// The hub's clock.
    public func now() async throws -> WallTime { try await call { try await hub.now() } }

    /// Takes writes of a device.
    public func push(_ request: PushRequest) async throws -> [PushOutcome] {
        try await call { try await hub.push(request) }
    }

    /// The next writes in the hub's order.
    public func pull(_ request: PullRequest) async throws -> PullPage { try await call { try await hub.pull(request) } }

    /// Takes writes that it has forgotten.
    public func giveBack(_ given: GivenBackWrites) async throws -> HubPlace { try await call { try await hub.giveBack(given) } }

    /// Takes note of a device.
    public func report(_ report: DeviceReport) async throws { try await call { try await hub.report(report) } }

    /// What the devices last reported.
    public func devices() async throws -> [DeviceReport] { try await call { try await hub.devices() } }

    /// The writes that every known device has merged.
    public func settled() async throws -> VersionVector { try await call { try await hub.settled() } }

    /// Takes a lost device out.
    public func forget(_ device: DeviceID) async throws { try await call { try await hub.forget(device) } }
}
