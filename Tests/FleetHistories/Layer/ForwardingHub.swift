package import SyncLayer
package import SyncModel

/// A hub that passes on to another every call that a test does not replace.
package protocol ForwardingHub: Hub {
    /// Where the calls go.
    var hub: any Hub { get }
}

extension ForwardingHub {
    package func now() async throws -> WallTime { try await hub.now() }

    package func push(_ request: PushRequest) async throws -> [PushOutcome] {
        try await hub.push(request)
    }

    package func pull(_ request: PullRequest) async throws -> PullPage { try await hub.pull(request) }

    package func giveBack(_ given: GivenBackWrites) async throws -> HubPlace { try await hub.giveBack(given) }

    package func report(_ report: DeviceReport) async throws { try await hub.report(report) }

    package func devices() async throws -> [DeviceReport] { try await hub.devices() }

    package func settled() async throws -> VersionVector { try await hub.settled() }

    package func forget(_ device: DeviceID) async throws { try await hub.forget(device) }
}

/// A hub whose line a test looks at, or cuts, before a pull, a push or a call that gives writes back.
package struct WatchedHub: ForwardingHub {
    package let hub: any Hub
    private let beforePull: @Sendable () async throws -> Void
    private let beforePush: @Sendable ([TaggedWrite]) throws -> Void
    private let beforeGivingBack: @Sendable (GivenBackWrites) throws -> Void

    package init(
        hub: any Hub, beforePull: @escaping @Sendable () async throws -> Void = {},
        beforePush: @escaping @Sendable ([TaggedWrite]) throws -> Void = { _ in },
        beforeGivingBack: @escaping @Sendable (GivenBackWrites) throws -> Void = { _ in }
    ) {
        (self.hub, self.beforePull, self.beforePush, self.beforeGivingBack) = (hub, beforePull, beforePush, beforeGivingBack)
    }

    package func pull(_ request: PullRequest) async throws -> PullPage {
        try await beforePull()
        return try await hub.pull(request)
    }

    package func push(_ request: PushRequest) async throws -> [PushOutcome] {
        try beforePush(request.writes)
        return try await hub.push(request)
    }

    package func giveBack(_ given: GivenBackWrites) async throws -> HubPlace {
        try beforeGivingBack(given)
        return try await hub.giveBack(given)
    }
}
