import CloudKitSimulation
import FleetHistories
import Testing

/// Observers in simulated CloudKit histories, held against what really happened; as many as one likes with `swift run -c release CloudKitHistories`.
@Suite struct CloudHistories {
    private static let histories = 600

    @Test(arguments: CloudSimulation.Level.allCases, CloudSimulation.Saving.allCases)
    func whatIsProvenIsTrue(level: CloudSimulation.Level, saving: CloudSimulation.Saving) throws {
        try CloudChecks.expectTrueProofs(seed: 1, histories: Self.histories, level: level, saving: saving)
    }

    @Test(arguments: [CloudSimulation.Saving.changedKeys, .allKeys])
    func stampsOfFieldsFindEveryVisibleUpdate(saving: CloudSimulation.Saving) throws {
        try CloudChecks.expectEveryVisibleUpdateFound(seed: 1, histories: Self.histories, saving: saving)
    }

    @Test(arguments: CloudSimulation.Saving.allCases) func joinedLogsProveMore(saving: CloudSimulation.Saving) throws {
        try CloudChecks.expectMoreProofsOfJoinedLogs(seed: 1, histories: Self.histories, saving: saving)
    }

    @Test(arguments: CloudSimulation.Level.allCases, CloudSimulation.Saving.allCases)
    func observerThatComesLaterProvesNothingWrong(level: CloudSimulation.Level, saving: CloudSimulation.Saving) throws {
        try CloudChecks.expectTrueProofs(seed: 1, histories: 400, level: level, saving: saving, startsLate: true)
    }

    @Test(arguments: CloudSimulation.Saving.allCases) func logsTellWhatAnExportReplaces(saving: CloudSimulation.Saving) throws {
        try CloudChecks.expectTrueReplacements(seed: 1, histories: Self.histories, saving: saving)
    }

    @Test func moreStampsFindMore() throws {
        try CloudChecks.expectMoreFoundWithMoreStamps(seed: 1, histories: Self.histories)
    }
}
