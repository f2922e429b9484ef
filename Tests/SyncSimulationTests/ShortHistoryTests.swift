import Foundation
import SyncSimulation
import Testing

/// Short histories: replicas agree, no acknowledged write vanishes, and brute force finds the conflicts that each device logged.
@Suite struct ShortHistoryTests {
    /// How many to run: `SYNCAUDIT_HISTORIES`, with which `swift test -c release` may run a million, or as many as take some seconds.
    private static let count = number("SYNCAUDIT_HISTORIES") ?? 240

    /// The first seed, `SYNCAUDIT_FIRST_HISTORY`, so that a million can be run in parts.
    private static let first = number("SYNCAUDIT_FIRST_HISTORY") ?? 1

    static let seeds: [ClosedRange<UInt64>] = {
        let size = max(1, (count + 7) / 8)
        let last = first + count - 1
        return stride(from: first, through: last, by: Int(size)).map { $0...min($0 + size - 1, last) }
    }()

    static func number(_ name: String) -> UInt64? { ProcessInfo.processInfo.environment[name].flatMap(UInt64.init) }

    @Test(arguments: seeds) func theOracleAgrees(_ seeds: ClosedRange<UInt64>) async throws {
        var conflicts = 0
        for seed in seeds {
            let outcome = try await ShortHistory(seed: seed).run()
            #expect(outcome.problems == [], "seed \(seed)")
            conflicts += outcome.conflicts
        }
        #expect(conflicts > 0)
    }

    @Test(arguments: seeds)
    func underTheHubsOrderReplicasAgreeAndLogTheOraclesConflicts(_ seeds: ClosedRange<UInt64>) async throws {
        var conflicts = 0
        for seed in seeds {
            let outcome = try await ShortHistory(arrivalSeed: seed, kinds: [.storeRestores, .storeCopies]).run()
            #expect(outcome.problems == [], "seed \(seed)")
            conflicts += outcome.conflicts
        }
        #expect(conflicts > 0)
    }

    @Test func replicasAgreeOnTheOrderOfARestoredOrReplacedHub() async throws {
        for seed in 1...40 as ClosedRange<UInt64> {
            let history = ShortHistory(arrivalSeed: seed, kinds: [.hubRestores, .hubReplacements])
            // What comes in another order is decided again, and that is told.
            let again = ["has logged the conflict", " the winner of "]
            let problems = try await Simulation.run(history.configuration).problems.filter { !again.contains(where: $0.contains) }
            #expect(problems == [], "seed \(seed)")
        }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>) func theOracleAgreesOnSQLiteStoresOpenedAgainAfterCrashes(_ seed: UInt64) async throws {
        let directory = try TemporaryDirectory()
        var history = ShortHistory(seed: seed, storage: .sqlite(directory: directory.path))
        history.configuration.crashes = 0.3
        history.configuration.steps = 40
        let outcome = try await history.run()
        #expect(outcome.problems == [], "seed \(seed)")
        #expect(outcome.result.faults.crashes > 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(Set(names).isSuperset(of: outcome.result.devices.map { "\($0.id).sqlite" } + ["hub.sqlite"]))
    }
}

/// A directory that is removed with everything in it.
final class TemporaryDirectory {
    let path = NSTemporaryDirectory() + "/syncaudit-simulation-" + UUID().uuidString

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
