import ConflictAudit
import SyncLayer
import SyncModel
import SyncSystem

/// The hub as one run of a device's program has it: with the network between them.
///
/// Every call waits until the network has brought the answer, or has failed to.
struct RemoteHub: Hub {
    let conductor: Conductor
    let life: Life
    /// The number of the program's run.
    let run: Int

    private func call<Answer: Sendable>(_ body: @escaping @Sendable (any Hub) async throws -> Answer) async throws -> Answer {
        if life.isOver { throw Life.Ended() }
        let first = Locked<Result<Answer, any Error>?>(nil)
        try await conductor.pause(
            run,
            .calling { hub in
                let answer: Result<Answer, any Error>
                do { answer = .success(try await body(hub)) } catch { answer = .failure(error) }
                // A request that the network doubles has an effect twice and one answer.
                first.withLock { $0 = $0 ?? answer }
            })
        if life.isOver { throw Life.Ended() }
        guard let answer = first.withLock({ $0 }) else { throw SyncLayerError(.hubUnavailable, "the network brought no answer: try again") }
        return try answer.get()
    }

    func now() async throws -> WallTime { try await call { try await $0.now() } }

    func push(_ request: PushRequest) async throws -> [PushOutcome] {
        try await call { try await $0.push(request) }
    }

    func pull(_ request: PullRequest) async throws -> PullPage { try await call { try await $0.pull(request) } }

    func giveBack(_ given: GivenBackWrites) async throws -> HubPlace { try await call { try await $0.giveBack(given) } }

    func report(_ report: DeviceReport) async throws { try await call { try await $0.report(report) } }

    func devices() async throws -> [DeviceReport] { try await call { try await $0.devices() } }

    func settled() async throws -> VersionVector { try await call { try await $0.settled() } }

    func forget(_ device: DeviceID) async throws { try await call { try await $0.forget(device) } }
}
