package import CloudKitSimulation
package import Testing

/// What must hold of observers in simulated CloudKit histories, whose truth is known.
package enum CloudChecks {
    /// Expects that what observers prove is true.
    ///
    /// - Parameter startsLate: Whether some devices get their observers when their stores hold records already, and the devices' logs are joined. With a
    ///   shadow that took what it had not seen for what had not been, 7 of 120 proofs were wrong.
    package static func expectTrueProofs(
        seed: UInt64, histories: Int, level: CloudSimulation.Level, saving: CloudSimulation.Saving, startsLate: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let score = try CloudSimulation.run(
            seed: seed, histories: histories, level: level, saving: saving, joinsLogs: startsLate, startsLate: startsLate)
        // As many as come of them, whatever is saved and stamped.
        #expect(
            score.proven > (startsLate ? histories >= 100 ? histories : histories / 2 : histories * 2 / 3), sourceLocation: sourceLocation)
        #expect(score.provenRight == score.proven, "wrong in seeds \(score.wrongSeeds)", sourceLocation: sourceLocation)
    }

    /// Expects that stamps of fields find every update that was seen replacing a value.
    package static func expectEveryVisibleUpdateFound(
        seed: UInt64, histories: Int, saving: CloudSimulation.Saving, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let score = try CloudSimulation.run(seed: seed, histories: histories, level: .fieldStamps, saving: saving)
        #expect(score.visible > histories * 2, sourceLocation: sourceLocation)
        // Deletes carry no stamp, so that in records that somebody has deleted not everything is known.
        #expect(score.visibleProven + score.visibleAfterDelete == score.visible, sourceLocation: sourceLocation)
        #expect(score.visibleRecall > 0.95, sourceLocation: sourceLocation)
    }

    /// Expects that the logs of all devices together prove more than each alone.
    package static func expectMoreProofsOfJoinedLogs(
        seed: UInt64, histories: Int, saving: CloudSimulation.Saving, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        func run(joinsLogs: Bool) throws -> CloudSimulation.Score {
            try CloudSimulation.run(seed: seed, histories: histories, level: .unstamped, saving: saving, joinsLogs: joinsLogs)
        }
        let (alone, joined) = (try run(joinsLogs: false), try run(joinsLogs: true))
        #expect(joined.provenRight == joined.proven, "wrong in seeds \(joined.wrongSeeds)", sourceLocation: sourceLocation)
        #expect(joined.discardedRecall > alone.discardedRecall + 0.05, sourceLocation: sourceLocation)
        #expect(joined.joined > histories * 2 / 3, sourceLocation: sourceLocation)
    }

    /// Expects that logs say truly what an export replaces.
    package static func expectTrueReplacements(
        seed: UInt64, histories: Int, saving: CloudSimulation.Saving, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let score = try CloudSimulation.run(seed: seed, histories: histories, level: .unstamped, saving: saving, joinsLogs: true)
        #expect(score.exportsToldRight == score.exportsTold, sourceLocation: sourceLocation)
        // An export that is refused replaces nothing that its sender had not seen.
        #expect(
            score.exportsTold > 0 ? saving == .changedKeys || saving == .allKeys : saving != .changedKeys, sourceLocation: sourceLocation)
    }

    /// Expects that more stamps find more.
    package static func expectMoreFoundWithMoreStamps(
        seed: UInt64, histories: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        func recall(_ level: CloudSimulation.Level) throws -> Double {
            try CloudSimulation.run(seed: seed, histories: histories, level: level).visibleRecall
        }
        let (none, record, field) = (try recall(.unstamped), try recall(.recordStamp), try recall(.fieldStamps))
        #expect(none > 0.1 && none < record, sourceLocation: sourceLocation)
        #expect(record > 0.8 && record < field, sourceLocation: sourceLocation)
    }
}
