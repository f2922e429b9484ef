import CloudKitSimulation
import Testing

/// Observers in simulated CloudKit histories, held against what really happened.
struct CloudSimulationTests {
    private static let seed: UInt64 = 1
    private static let histories = 150

    @Test(arguments: CloudSimulation.Level.allCases, CloudSimulation.Saving.allCases)
    func whatIsProvenIsTrue(level: CloudSimulation.Level, saving: CloudSimulation.Saving) throws {
        let score = try CloudSimulation.run(seed: Self.seed, histories: Self.histories, level: level, saving: saving)
        #expect(score.proven > 100)
        #expect(score.provenRight == score.proven, "wrong in seeds \(score.wrongSeeds)")
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
        let score = try CloudSimulation.run(seed: Self.seed, histories: Self.histories, level: .fieldStamps, saving: saving)
        #expect(score.visible > 300)
        // Deletes carry no stamp, so that in records that somebody has deleted not everything is known.
        #expect(score.visibleProven + score.visibleAfterDelete == score.visible)
        #expect(score.visibleRecall > 0.95)
    }

    @Test(arguments: CloudSimulation.Saving.allCases)
    func joinedLogsProveMore(saving: CloudSimulation.Saving) throws {
        func run(joinsLogs: Bool) throws -> CloudSimulation.Score {
            try CloudSimulation.run(seed: Self.seed, histories: Self.histories, level: .unstamped, saving: saving, joinsLogs: joinsLogs)
        }
        let (alone, joined) = (try run(joinsLogs: false), try run(joinsLogs: true))
        #expect(joined.provenRight == joined.proven, "wrong in seeds \(joined.wrongSeeds)")
        #expect(joined.discardedRecall > alone.discardedRecall + 0.05)
        #expect(joined.joined > 100)
    }

    /// With a shadow that took what it had not seen for what had not been, 7 of 120 proofs were wrong.
    @Test(arguments: CloudSimulation.Level.allCases, CloudSimulation.Saving.allCases)
    func observerThatComesLaterProvesNothingWrong(level: CloudSimulation.Level, saving: CloudSimulation.Saving) throws {
        let score = try CloudSimulation.run(
            seed: Self.seed, histories: 100, level: level, saving: saving, joinsLogs: true, startsLate: true)
        #expect(score.proven > 100)
        #expect(score.provenRight == score.proven, "wrong in seeds \(score.wrongSeeds)")
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

    @Test(arguments: CloudSimulation.Saving.allCases)
    func logsTellWhatAnExportReplaces(saving: CloudSimulation.Saving) throws {
        let score = try CloudSimulation.run(seed: Self.seed, histories: Self.histories, level: .unstamped, saving: saving, joinsLogs: true)
        #expect(score.exportsToldRight == score.exportsTold)
        // An export that is refused replaces nothing that its sender had not seen.
        #expect(score.exportsTold > 0 ? saving == .changedKeys || saving == .allKeys : saving != .changedKeys)
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
        func recall(_ level: CloudSimulation.Level) throws -> Double {
            try CloudSimulation.run(seed: Self.seed, histories: Self.histories, level: level).visibleRecall
        }
        let (none, record, field) = (try recall(.unstamped), try recall(.recordStamp), try recall(.fieldStamps))
        #expect(none > 0.1 && none < record)
        #expect(record > 0.8 && record < field)
    }

    @Test func sameSeedIsSameHistory() throws {
        let one = try CloudSimulation.run(seed: 7, histories: 5, level: .recordStamp)
        let other = try CloudSimulation.run(seed: 7, histories: 5, level: .recordStamp)
        #expect((one.proven, one.suspected, one.visible, one.lost) == (other.proven, other.suspected, other.visible, other.lost))
    }
}
