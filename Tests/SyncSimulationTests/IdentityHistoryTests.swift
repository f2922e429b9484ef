import FleetHistories
import SyncMerge
import SyncSimulation
import Testing

/// Short histories in which stores are put back and copied, hubs put back and replaced, and devices forgotten; many more seeds are among the histories.
@Suite struct IdentityHistoryTests {
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

    @Test(arguments: IdentityFault.allCases) func theOracleAgrees(_ kind: IdentityFault) async throws {
        try await HistoryChecks.check([kind], seeds: 1...6)
    }
}
