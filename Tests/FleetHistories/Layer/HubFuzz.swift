import ConflictAudit
import SyncLayer
import SyncLayerTesting
import SyncMerge
import SyncModel
import SyncSystem
package import Testing

/// Hostile values pushed to a real hub and handed over by one that lies, with stores and the hub in real files: a hostile hub stops nobody for good, and
/// valid writes agree.
package enum HubFuzz {
    /// How many pushes and pages are tried with one seed.
    package static let casesOfASeed = 60

    /// Runs a few dozen pushes and pages.
    package static func check(seed: UInt64, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await withDirectory { directory in try await run(seed: seed, directory, sourceLocation) }
    }

    private static func run(seed: UInt64, _ directory: String, _ sourceLocation: SourceLocation) async throws {
        let clock = ManualClock()
        let truth = try SQLiteHub(path: directory + "/hub", wallClock: clock.wallClock)
        let source = Locked(HostileValues(seed: seed))
        let liar = LyingHub(truth, page: { request, page in source.withLock { $0.falsified(page, for: request) } })
        func device(_ name: DeviceID, _ hub: any Hub) throws -> Device {
            try Device(name, hub: hub, clock: clock, store: try SQLiteStore(path: "\(directory)/\(name)"), rules: rules)
        }
        let (a, b) = (try device("a", truth), try device("b", truth))
        var victim = try device("victim", liar)
        var skipped = 0
        for _ in 0..<casesOfASeed {
            clock.advance(by: .milliseconds(source.withLock { Int64($0.below(3)) }))
            switch source.withLock({ $0.below(6) }) {
            case 0, 1:
                let writes = source.withLock { $0.push(from: "x") }
                // As a whole it may be refused, and then with a sentence.
                do {
                    _ = try await truth.push(writes, from: "x")
                } catch {
                    #expect(error is SyncLayerError, "seed \(seed)", sourceLocation: sourceLocation)
                }
            case 2: try put(source.withLock { ($0.key(), $0.fields()) }, a)
            case 3: try put(source.withLock { ($0.key(), $0.fields()) }, victim)
            case 4: skipped += try await a.sync().skipped.count + b.sync().skipped.count
            default:
                do {
                    skipped += try await victim.sync().skipped.count
                } catch {
                    #expect((error as? SyncLayerError)?.code == .hubAtFault, "seed \(seed): \(error)", sourceLocation: sourceLocation)
                }
                if source.withLock({ $0.below(4) }) == 0 { try victim.restart() }
            }
        }
        // Opened again on the truth, the victim goes on as if nothing had been.
        victim = try Device("victim", hub: truth, clock: clock, store: victim.store, rules: rules)
        for device in [a, b, victim, a, b, victim] { skipped += try await device.sync().skipped.count }
        let fresh = try device("fresh", truth)
        #expect(try await fresh.sync().skipped.isEmpty, "seed \(seed): the hub took what cannot be merged", sourceLocation: sourceLocation)
        let wanted = try #require(try a.replica.checkpoint(), "seed \(seed)", sourceLocation: sourceLocation)
        #expect(try b.replica.checkpoint() == wanted, "seed \(seed)", sourceLocation: sourceLocation)
        #expect(try fresh.replica.checkpoint() == wanted, "seed \(seed)", sourceLocation: sourceLocation)
        // What the victim skipped was a lie about a write that it then never got.
        if skipped == 0 { #expect(try victim.replica.checkpoint() == wanted, "seed \(seed)", sourceLocation: sourceLocation) }
        for device in [a, b, victim, fresh] {
            try device.restart()
            for type in HostileValues.types { _ = try device.replica.records(ofType: type) }
        }
    }

    private static let rules = MergeRules(
        types: ["note": .record(.lastWriterWins)],
        fields: ["card": ["n": .counter, "s": .set, "m": .manual, "x": .maximum, "y": .minimum]], deletes: .editWins)

    private static func put(_ write: (key: RecordKey, fields: FieldMap), _ device: Device) throws {
        do {
            try device.replica.put(write.fields, to: write.key)
        } catch let error as SyncLayerError where [.invalidValue, .wrongPolicy].contains(error.code) {}
    }
}
