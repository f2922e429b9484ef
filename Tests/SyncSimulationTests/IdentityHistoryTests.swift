import Foundation
import SyncMerge
import SyncSimulation
import Testing

/// Short histories in which stores are put back and copied, hubs put back and replaced, and devices forgotten.
@Suite struct IdentityHistoryTests {
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

    /// A history that was judged wrong once.
    private struct Known: CustomTestStringConvertible {
        let kind: IdentityFault
        let scopes: ShortHistory.Scopes
        let seed: UInt64
        var maximumSteps = 12
        var isAmidSyncs = false
        let cause: String

        var testDescription: String { cause }
    }

    private static let known = [
        Known(
            kind: .hubRestores, scopes: .fields, seed: 3_599_609,
            cause: "a hub put back to amid a giving back said to have all of the device's writes"),
        Known(
            kind: .hubReplacements, scopes: .records, seed: 3_648_330,
            cause: "what a given-back put had seen was folded by devices that did not know of its writer"),
        Known(
            kind: .hubRestores, scopes: .records, seed: 6_102_748,
            cause: "a device took its own unanswered put, given back with every field, for another's"),
        Known(
            kind: .hubReplacements, scopes: .records, seed: 5_590_066,
            cause: "a device took its own unanswered put, given back with every field to a hub in the place of another, for another's"),
        Known(
            kind: .hubReplacements, scopes: .fields, seed: 9_060_926,
            cause: "a hub said to have all while what an unsent write had taken the place of was nowhere"),
        Known(
            kind: .hubReplacements, scopes: .records, seed: 40_032_844,
            cause: "brute force knew what both had seen, and a device had forgotten it with the deleted record"),
        Known(
            kind: .hubRestores, scopes: .fields, seed: 81_000_214, maximumSteps: 60, isAmidSyncs: true,
            cause: "a hub was put back to between two calls that gave writes back, and took the second for all"),
        Known(
            kind: .hubReplacements, scopes: .records, seed: 81_001_975, maximumSteps: 60, isAmidSyncs: true,
            cause: "a hub was replaced between two calls that gave writes back, and took the second for all"),
        Known(
            kind: .hubReplacements, scopes: .fields, seed: 81_002_967, maximumSteps: 60,
            cause: "a write did not say that it had seen what the writer of a delete had seen, and the hub had neither"),
    ]

    @Test(arguments: known) private func whatWasWrongOnceIsRight(_ known: Known) async throws {
        var history = ShortHistory(identitySeed: known.seed, kinds: [known.kind], scopes: known.scopes)
        history.configuration.steps = min(history.configuration.steps, known.maximumSteps)
        history.configuration.changesHubAmidSyncs = known.isAmidSyncs
        #expect(try await history.run().problems == [])
    }

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
