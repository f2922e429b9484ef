import FleetHistories
import SyncModel
import SyncObservation
import Testing

/// Stamps of many records and of many saves.
@Suite struct StampHistories {
    private static let levels: [ObservationLevel] = [.recordStamp("stamp"), .fieldStamps(["title": "titleStamp", "note": "noteStamp"])]

    @Test(.timeLimit(.minutes(10)), arguments: levels) func whatGoesOnAtOnceLeavesTheCacheRight(level: ObservationLevel) async throws {
        try await StampRaces.check(level, records: 1500, rounds: 12)
    }

    @Test func cacheKeepsWithinItsMemoryAndTakesNoRecordForNew() throws {
        try FullStampCache.checkKnownRecords(200_000, maximumBytes: StampCache.standardBytes)
    }

    @Test func recordsThatDoNotFitAreKnownByTheirNames() throws {
        try FullStampCache.checkNames(50_000, maximumBytes: StampCache.standardBytes)
    }

    @Test(arguments: [.unstamped] + levels) func numbersAreNeverGivenTwice(level: ObservationLevel) throws {
        try NumberLives.check(level, saves: [0, 1, 600, 12_500, 3])
    }
}
