import CloudKitSimulation
import FleetHistories
import Testing

/// Observers in simulated CloudKit histories, held against what really happened; many more seeds are among the histories.
struct CloudSimulationTests {
    @Test(arguments: CloudSimulation.Level.allCases, CloudSimulation.Saving.allCases)
    func whatIsProvenIsTrue(level: CloudSimulation.Level, saving: CloudSimulation.Saving) throws {
        try CloudChecks.expectTrueProofs(seed: 1, histories: 9, level: level, saving: saving)
    }

    /// Histories in which something was once wrongly called proven.
    @Test(arguments: [100_598, 102_521, 106_827, 107_651, 80_012_038, 98_000_123] as [UInt64])
    func whatWasOnceWrongIsRight(seed: UInt64) throws {
        for saving in CloudSimulation.Saving.allCases {
            for level in CloudSimulation.Level.allCases {
                let score = try CloudHistory(seed: seed, level: level, saving: saving).score()
                #expect(score.provenRight == score.proven, "\(saving), \(level)")
            }
        }
    }

    @Test(arguments: [CloudSimulation.Saving.changedKeys, .allKeys])
    func stampsOfFieldsFindEveryVisibleUpdate(saving: CloudSimulation.Saving) throws {
        try CloudChecks.expectEveryVisibleUpdateFound(seed: 1, histories: 15, saving: saving)
    }

    @Test(arguments: CloudSimulation.Saving.allCases) func joinedLogsProveMore(saving: CloudSimulation.Saving) throws {
        try CloudChecks.expectMoreProofsOfJoinedLogs(seed: 1, histories: 15, saving: saving)
    }

    @Test(arguments: CloudSimulation.Level.allCases, CloudSimulation.Saving.allCases)
    func observerThatComesLaterProvesNothingWrong(level: CloudSimulation.Level, saving: CloudSimulation.Saving) throws {
        try CloudChecks.expectTrueProofs(seed: 1, histories: 9, level: level, saving: saving, startsLate: true)
    }

    @Test(arguments: [500_000_061, 500_000_090, 500_000_420, 500_000_481, 500_001_296, 500_001_344, 500_001_497] as [UInt64])
    func whatWasOnceWrongOfALateObserverIsRight(seed: UInt64) throws {
        for saving in CloudSimulation.Saving.allCases {
            for level in CloudSimulation.Level.allCases {
                let score = try CloudHistory(seed: seed, level: level, saving: saving, startsLate: true).score()
                #expect(score.provenRight == score.proven, "\(saving), \(level)")
            }
        }
    }

    @Test(arguments: CloudSimulation.Saving.allCases) func logsTellWhatAnExportReplaces(saving: CloudSimulation.Saving) throws {
        try CloudChecks.expectTrueReplacements(seed: 1, histories: 15, saving: saving)
    }

    @Test(arguments: [500_341, 500_829, 500_896] as [UInt64]) func logsTellThatAnExportReplacesTheRecord(seed: UInt64) throws {
        let score = try CloudHistory(seed: seed, level: .unstamped, saving: .allKeys, joinsLogs: true).score()
        #expect((score.exportsTold, score.exportsToldRight) == (1, 1))
    }

    @Test func shrunkHistoryStillMeetsItsCondition() throws {
        let history = CloudHistory(seed: 1, level: .unstamped)
        let shrunk = try history.shrunk { $0.missed[.neverShown] != nil }
        #expect(shrunk.count < 8)
        #expect(try shrunk.score().missed[.neverShown] != nil)
        #expect(try shrunk.sentences().contains("then everything is exchanged"))
    }

    @Test func moreStampsFindMore() throws {
        try CloudChecks.expectMoreFoundWithMoreStamps(seed: 1, histories: 15)
    }

    @Test func sameSeedIsSameHistory() throws {
        let one = try CloudSimulation.run(seed: 7, histories: 5, level: .recordStamp)
        let other = try CloudSimulation.run(seed: 7, histories: 5, level: .recordStamp)
        #expect((one.proven, one.suspected, one.visible, one.lost) == (other.proven, other.suspected, other.visible, other.lost))
    }
}
