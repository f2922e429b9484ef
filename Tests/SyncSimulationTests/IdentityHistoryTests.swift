import Foundation
import SyncMerge
import SyncSimulation
import Testing

@Suite("Short histories in which stores are put back and copied, hubs put back and replaced, and devices forgotten")
struct IdentityHistoryTests {
    /// How many of each kind: `SYNCAUDIT_HISTORIES`, as for the other histories.
    private static let seeds = ShortHistoryTests.seeds

    /// The kinds to run one at a time, or together: `SYNCAUDIT_FAULTS`, separated by commas.
    private static let chosen: [[IdentityFault]] = {
        guard let names = ProcessInfo.processInfo.environment["SYNCAUDIT_FAULTS"] else { return IdentityFault.allCases.map { [$0] } }
        return [names.split(separator: ",").compactMap { IdentityFault(rawValue: String($0)) }]
    }()

    /// The most steps of each, `SYNCAUDIT_STEPS`, where a million are to be run in an hour.
    private static let maximumSteps = ShortHistoryTests.number("SYNCAUDIT_STEPS").map(Int.init) ?? .max

    private static let scopes = ProcessInfo.processInfo.environment["SYNCAUDIT_SCOPES"].flatMap(ShortHistory.Scopes.init) ?? .fields

    @Test(arguments: chosen, seeds) func theOracleAgrees(_ kinds: [IdentityFault], _ seeds: ClosedRange<UInt64>) async throws {
        var count = 0
        for seed in seeds {
            var history = ShortHistory(identitySeed: seed, kinds: kinds, scopes: Self.scopes)
            history.configuration.steps = min(history.configuration.steps, Self.maximumSteps)
            let outcome = try await history.run()
            #expect(outcome.problems == [], "seed \(seed)")
            let faults = outcome.result.faults
            count += faults.storeRestores + faults.storeCopies + faults.hubRestores + faults.hubReplacements + faults.forgottenDevices
        }
        #expect(count > 0)
    }
}
