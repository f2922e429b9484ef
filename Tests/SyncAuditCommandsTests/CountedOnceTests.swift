import Testing

/// One small fleet; `CountedOnceHistories` has larger ones.
@Suite struct CountedOnceTests {
    @Test func reportExportAndCheckAgreeWithTheLines() async throws {
        try await CountCheck().countsOfEveryVerb(SimulatedFleet.Size(devices: 3, steps: 50), seed: 1, atLeast: 5)
    }
}
