import ConflictAudit
import SyncLayer
import SyncLayerTesting
import SyncModel
import SyncOracle
import SyncSystem
package import Testing

/// A trace in which writes say up to where in the hub's order their writers had come gives the conflicts that version vectors give.
package enum CursorContexts {
    /// Notes up to where a device has pulled, and what the hub made of what it pushed.
    private struct NotingHub: ForwardingHub {
        let hub: any Hub
        let notes: Locked<Notes>

        func pull(_ request: PullRequest) async throws -> PullPage {
            let page = try await hub.pull(request)
            notes.withLock { $0.cursors[request.device] = page.cursor }
            return page
        }

        func push(_ request: PushRequest) async throws -> [PushOutcome] {
            let outcomes = try await hub.push(request)
            for (write, outcome) in zip(request.writes, outcomes) {
                guard case .accepted(let receipt) = outcome else { continue }
                notes.withLock { $0.taken.append(write.received(receipt)) }
            }
            return outcomes
        }
    }

    private struct Notes {
        var cursors: [DeviceID: UInt64] = [:]
        /// Of each write, up to where its writer had come.
        var written: [Dot: UInt64] = [:]
        /// In the hub's order.
        var taken: [TaggedWrite] = []
    }

    /// Audits one trace by both.
    package static func check(seed: UInt64, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        var random = SplitMix64(seed: seed)
        let clock = ManualClock()
        let notes = Locked(Notes())
        let hub = NotingHub(hub: InMemoryHub(wallClock: clock.wallClock), notes: notes)
        let devices = try ["a", "b", "c"].map { try Device($0, hub: hub, clock: clock) }
        for _ in 0..<60 {
            clock.advance(by: .milliseconds(Int64(random.below(90_000))))
            let device = devices[random.below(devices.count)]
            if random.percent(30) {
                try await device.sync()
                continue
            }
            let key = RecordKey(type: "Card", id: RecordID("\(random.below(4))"))
            let dot: Dot?
            if random.percent(15), try device.replica.get(key) != nil {
                dot = try device.replica.delete(key)
            } else {
                let names = [["x"], ["y"], ["x", "y"]][random.below(3)] as [FieldName]
                var fields = FieldMap()
                for name in names { fields[name] = .number(JSONNumber(Int64(random.below(3)))) }
                dot = try device.replica.put(fields, to: key)
            }
            if let dot { notes.withLock { $0.written[dot] = $0.cursors[device.name] ?? 0 } }
        }
        for device in devices + devices { try await device.sync() }
        let (taken, written) = notes.withLock { ($0.taken, $0.written) }
        #expect(taken.count > 20, "seed \(seed)", sourceLocation: sourceLocation)
        var (byVector, byCursor) = (TraceAuditor(), TraceAuditor())
        var conflicts = 0
        for write in taken {
            #expect(written[write.dot] != nil, "seed \(seed)", sourceLocation: sourceLocation)
            let told = TaggedWrite(
                dot: write.dot, timestamp: write.timestamp, key: write.key, operation: write.operation, seen: nil,
                cursor: written[write.dot], receipt: write.receipt)
            let expected = byVector.observe(write)
            let found = byCursor.observe(told)
            #expect(found.count == expected.count, "seed \(seed), \(write.dot)", sourceLocation: sourceLocation)
            for (found, expected) in zip(found, expected) {
                // Lines that are missing show in vectors alone: what a put repeats is then not said to be all that its writer had seen.
                let isSurer = expected.severity.isLoss && (found.severity == .benign || found.isStale) && !expected.isStale
                #expect(
                    found == expected
                        || isSurer && found.id == expected.id && found.winner == expected.winner && found.loser == expected.loser
                            && found.basis == expected.basis && found.kind == expected.kind,
                    "seed \(seed), \(write.dot)", sourceLocation: sourceLocation)
            }
            conflicts += expected.count
        }
        #expect(conflicts > 0, "seed \(seed)", sourceLocation: sourceLocation)
    }
}
