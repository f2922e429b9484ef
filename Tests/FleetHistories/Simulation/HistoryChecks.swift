import SyncLayer
import SyncSimulation
import TemporaryDirectory
package import Testing

/// What must hold of short histories, whatever their seeds: replicas agree, no acknowledged write vanishes, and brute force finds the conflicts that each
/// device logged.
package enum HistoryChecks {
    /// Holds histories with the faults of networks, clocks and processes against brute force.
    package static func check(seeds: ClosedRange<UInt64>, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        var conflicts = 0
        for seed in seeds {
            let outcome = try await ShortHistory(seed: seed).run()
            #expect(outcome.problems == [], "seed \(seed)", sourceLocation: sourceLocation)
            conflicts += outcome.conflicts
        }
        #expect(conflicts > 0, sourceLocation: sourceLocation)
    }

    /// Holds histories in which the hub's order decides, and stores are put back and copied, against brute force.
    package static func checkArrivalOrder(seeds: ClosedRange<UInt64>, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        var conflicts = 0
        for seed in seeds {
            let outcome = try await ShortHistory(arrivalSeed: seed, kinds: [.storeRestores, .storeCopies]).run()
            #expect(outcome.problems == [], "seed \(seed)", sourceLocation: sourceLocation)
            conflicts += outcome.conflicts
        }
        #expect(conflicts > 0, sourceLocation: sourceLocation)
    }

    /// Holds replicas against each other where the hub's order decides and the hub is put back or replaced.
    package static func checkArrivalOrderOfRestoredHubs(
        seeds: ClosedRange<UInt64>, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        for seed in seeds {
            let history = ShortHistory(arrivalSeed: seed, kinds: [.hubRestores, .hubReplacements])
            // What comes in another order is decided again, and that is told.
            let again = ["has logged the conflict", " the winner of "]
            let problems = try await Simulation.run(history.configuration).problems.filter { !again.contains(where: $0.contains) }
            #expect(problems == [], "seed \(seed)", sourceLocation: sourceLocation)
        }
    }

    /// Holds a history whose stores are files, opened again after crashes, against brute force.
    package static func checkSQLite(seed: UInt64, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let directory = try TemporaryDirectory()
        var history = ShortHistory(seed: seed, storage: .sqlite(directory: directory.path))
        history.configuration.crashes = 0.3
        history.configuration.steps = 40
        let outcome = try await history.run()
        #expect(outcome.problems == [], "seed \(seed)", sourceLocation: sourceLocation)
        #expect(outcome.result.faults.crashes > 0, sourceLocation: sourceLocation)
        let files = outcome.result.devices.map { "\($0.id).sqlite" } + ["hub.sqlite"]
        #expect(Set(directory.names).isSuperset(of: files), sourceLocation: sourceLocation)
    }

    /// Holds histories in which devices or the hub are no longer who they were against brute force.
    ///
    /// - Parameters:
    ///   - kinds: What may happen.
    ///   - maximumSteps: How long each is at most.
    package static func check(
        _ kinds: [IdentityFault], seeds: ClosedRange<UInt64>, scopes: ShortHistory.Scopes = .fields, maximumSteps: Int = .max,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        var count = 0
        for seed in seeds {
            var history = ShortHistory(identitySeed: seed, kinds: kinds, scopes: scopes)
            history.configuration.steps = min(history.configuration.steps, maximumSteps)
            let outcome = try await history.run()
            #expect(outcome.problems == [], "seed \(seed)", sourceLocation: sourceLocation)
            let faults = outcome.result.faults
            count += faults.storeRestores + faults.storeCopies + faults.hubRestores + faults.hubReplacements + faults.forgottenDevices
        }
        #expect(count > 0, sourceLocation: sourceLocation)
    }
}
