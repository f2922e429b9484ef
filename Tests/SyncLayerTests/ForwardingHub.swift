import SyncLayer
import SyncModel

/// A hub that passes on to another every call that a test does not replace.
protocol ForwardingHub: Hub {
    /// Where the calls go.
    var hub: any Hub { get }
}

extension ForwardingHub {
    func now() async throws -> WallTime { try await hub.now() }

    func push(_ request: PushRequest) async throws -> [PushOutcome] {
        try await hub.push(request)
    }

    func pull(_ request: PullRequest) async throws -> PullPage { try await hub.pull(request) }

    func giveBack(_ given: GivenBackWrites) async throws -> HubPlace { try await hub.giveBack(given) }

    func report(_ report: DeviceReport) async throws { try await hub.report(report) }

    func devices() async throws -> [DeviceReport] { try await hub.devices() }

    func settled() async throws -> VersionVector { try await hub.settled() }

    func forget(_ device: DeviceID) async throws { try await hub.forget(device) }
}

/// A hub whose line a test looks at, or cuts, before a pull, a push or a call that gives writes back.
struct WatchedHub: ForwardingHub {
    let hub: any Hub
    var beforePull: @Sendable () async throws -> Void = {}
    var beforePush: @Sendable ([TaggedWrite]) throws -> Void = { _ in }
    var beforeGivingBack: @Sendable (GivenBackWrites) throws -> Void = { _ in }

    func pull(_ request: PullRequest) async throws -> PullPage {
        try await beforePull()
        return try await hub.pull(request)
    }

    func push(_ request: PushRequest) async throws -> [PushOutcome] {
        try beforePush(request.writes)
        return try await hub.push(request)
    }

    func giveBack(_ given: GivenBackWrites) async throws -> HubPlace {
        try beforeGivingBack(given)
        return try await hub.giveBack(given)
    }
}
