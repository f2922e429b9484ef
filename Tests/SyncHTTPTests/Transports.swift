import SyncHTTP
import SyncOracle
import SyncSystem

/// A server in this process.
struct InProcess: WireTransport {
    let service: HubService

    func send(_ request: WireRequest, timeout: Duration) async throws -> WireResponse { await service.respond(to: request) }
}

/// A network that loses requests and answers, cuts answers short, and delivers requests twice and late, as a seed says.
final class Unreliable: WireTransport {
    struct Lost: Error {}

    private struct State {
        var random: SplitMix64
        /// A request that is still under way.
        var late: WireRequest?
        var faults = 0
    }

    private let service: HubService
    private let state: Locked<State>

    init(_ service: HubService, seed: UInt64) {
        self.service = service
        state = Locked(State(random: SplitMix64(seed: seed)))
    }

    /// What went wrong so far.
    var faults: Int { state.withLock { $0.faults } }

    func send(_ request: WireRequest, timeout: Duration) async throws -> WireResponse {
        let (fault, share, late) = state.withLock { state in
            let fault = Int.random(in: 0..<16, using: &state.random)
            if fault < 6 { state.faults += 1 }
            let late = fault == 4 ? state.late : nil
            if fault == 4 || fault == 5 { state.late = request }
            return (fault, Double.random(in: 0..<1, using: &state.random), late)
        }
        if let late { _ = await service.respond(to: late) }
        switch fault {
        case 0: throw Lost()
        case 1:
            _ = await service.respond(to: request)
            throw Lost()
        case 2:
            var response = await service.respond(to: request)
            response.body = Array(response.body.prefix(Int(Double(response.body.count) * share)))
            return response
        case 3:
            _ = await service.respond(to: request)
            return await service.respond(to: request)
        case 5: throw Lost()
        default: return await service.respond(to: request)
        }
    }
}

/// A server that gives answers in a fixed order, and remembers what it was asked.
final class Scripted: WireTransport {
    private let state: Locked<(answers: [WireResponse], requests: [WireRequest])>

    init(_ answers: [WireResponse]) { state = Locked((answers, [])) }

    var requests: [WireRequest] { state.withLock { $0.requests } }

    func send(_ request: WireRequest, timeout: Duration) async throws -> WireResponse {
        state.withLock { state in
            state.requests.append(request)
            return state.answers.isEmpty ? WireResponse(status: 599) : state.answers.removeFirst()
        }
    }
}
