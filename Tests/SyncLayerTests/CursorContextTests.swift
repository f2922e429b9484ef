import FleetHistories
import Testing

/// A trace in which writes say up to where in the hub's order their writers had come; many more seeds are among the histories.
@Suite struct CursorContextTests {
    @Test(arguments: 1...4 as ClosedRange<UInt64>) func cursorsGiveTheConflictsThatVersionVectorsGive(seed: UInt64) async throws {
        try await CursorContexts.check(seed: seed)
    }
}
