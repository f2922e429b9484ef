import FleetHistories
import SyncMerge
import Testing

/// Random histories of forms that stay open while others write: what writes say to have seen is what their users saw.
@Suite struct HeldFormTests {
    @Test(arguments: 1...12 as ClosedRange<UInt64>) func fieldByField(seed: UInt64) async throws { try await HeldForms.check(seed: seed) }

    @Test(arguments: 101...108 as ClosedRange<UInt64>) func recordsAsAWhole(seed: UInt64) async throws {
        try await HeldForms.check(seed: seed, scope: .record(.lastWriterWins))
    }
}
