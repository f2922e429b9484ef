import CommandWorld
import Testing

/// What several devices of a fleet log counts once, and every verb counts the same.
@Suite struct CountedOnceHistories {
    @Test(arguments: 1...10) func reportExportAndCheckAgreeWithTheLines(seed: Int) async throws {
        try await CountCheck().countsOfEveryVerb(SimulatedFleet.Size(devices: 4, steps: 120), seed: seed, atLeast: 21)
    }
}
