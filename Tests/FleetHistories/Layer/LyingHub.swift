package import SyncLayer
package import SyncModel

/// A hub whose answers a test falsifies on their way.
package struct LyingHub: ForwardingHub {
    package typealias Lie = @Sendable (PullRequest, PullPage) -> PullPage

    package let hub: any Hub
    private let time: WallTime?
    private let lie: Lie
    private let forgedOutcomes: (@Sendable ([PushOutcome]) -> [PushOutcome])?

    package init(
        _ truth: any Hub, time: WallTime? = nil, outcomes: (@Sendable ([PushOutcome]) -> [PushOutcome])? = nil, page: @escaping Lie = { $1 }
    ) {
        hub = truth
        self.time = time
        lie = page
        forgedOutcomes = outcomes
    }

    package func now() async throws -> WallTime { if let time { time } else { try await hub.now() } }

    package func push(_ request: PushRequest) async throws -> [PushOutcome] {
        let outcomes = try await hub.push(request)
        return forgedOutcomes?(outcomes) ?? outcomes
    }

    package func pull(_ request: PullRequest) async throws -> PullPage { lie(request, try await hub.pull(request)) }
}

extension PullPage {
    package func with(_ writes: [TaggedWrite]? = nil, cursor: UInt64? = nil, hasMore: Bool? = nil, leftOut: Int? = nil) -> PullPage {
        PullPage(
            writes: writes ?? self.writes, bytes: bytes, cursor: cursor ?? self.cursor, hasMore: hasMore ?? self.hasMore,
            leftOut: leftOut ?? self.leftOut, skipped: skipped)
    }
}

extension TaggedWrite {
    package func with(timestamp: HybridTimestamp) -> TaggedWrite {
        TaggedWrite(dot: dot, timestamp: timestamp, key: key, operation: operation, seen: seen, receipt: receipt)
    }

    package func with(key: RecordKey) -> TaggedWrite {
        TaggedWrite(dot: dot, timestamp: timestamp, key: key, operation: operation, seen: seen, receipt: receipt)
    }
}

/// A value so many arrays deep.
package func nested(_ levels: Int) -> FieldValue {
    var value: FieldValue = 1
    for _ in 0..<levels { value = [value] }
    return value
}
