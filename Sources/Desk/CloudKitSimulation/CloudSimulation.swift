import AuditAnalysis
import ConflictAudit
import SyncModel
import SyncObservation

/// Simulated CloudKit apps whose sync says nothing, each device with an observer, and what the observers find held against the truth.
///
/// ```swift
/// let score = try CloudSimulation.run(seed: 1, histories: 1000, level: .fieldStamps)
/// ```
///
/// The private database merges key by key and the last export of each key wins; pages, batches, transient errors, lost acknowledgements,
/// wrong clocks, killed processes, account changes, deletes and devices restored from a backup are part of every history. The same seed
/// gives the same histories.
public enum CloudSimulation {
    /// What the app's model offers.
    public enum Level: String, Hashable, Sendable, CaseIterable {
        /// Nothing.
        case unstamped
        /// One stamp for each record.
        case recordStamp
        /// One stamp for each field.
        case fieldStamps

        func observation(of fields: [FieldName]) -> ObservationLevel {
            switch self {
            case .unstamped: .unstamped
            case .recordStamp: .recordStamp("stamp")
            case .fieldStamps: .fieldStamps(Dictionary(uniqueKeysWithValues: fields.map { ($0, FieldName($0.rawValue + "Stamp")) }))
            }
        }
    }

    /// How the engines of the histories save.
    public enum Saving: String, Hashable, Sendable, CaseIterable {
        /// Changed fields, unchecked.
        case changedKeys
        /// Changed fields, refused where the record has changed; then the app merges, and tells its observer.
        case ifServerRecordUnchanged
        /// The same, and the app tells its observer the versions that met, and nothing of what it made of them.
        case untoldMerges
        /// Whole records, unchecked.
        case allKeys

        var policy: CloudDatabase.SavePolicy {
            switch self {
            case .changedKeys: .changedKeys
            case .ifServerRecordUnchanged, .untoldMerges: .ifServerRecordUnchanged
            case .allKeys: .allKeys
            }
        }
    }

    /// Runs histories and counts.
    ///
    /// - Parameters:
    ///   - seed: Decides everything that is left to chance: history *n* has the seed `seed + n`.
    ///   - histories: How many.
    ///   - level: What the model offers.
    ///   - saving: How the engine saves.
    ///   - steps: How many things happen in each.
    ///   - resends: Whether some engines send a field that an arrival has overwritten, and with it another device's stamp.
    ///   - joinsLogs: Whether the engines give the server's numbers, and the logs of all devices are audited together in the end.
    ///   - startsLate: Whether some devices get their observers with a later version of the app, when their stores hold records.
    public static func run(
        seed: UInt64, histories: Int, level: Level, saving: Saving = .changedKeys, steps: Int = 60, resends: Bool = true,
        joinsLogs: Bool = false, startsLate: Bool = false
    ) throws -> Score {
        var total = Score()
        for index in 0..<histories {
            let history = CloudHistory(
                seed: seed &+ UInt64(index), level: level, saving: saving, steps: steps, resends: resends, joinsLogs: joinsLogs,
                startsLate: startsLate)
            total.add(try history.score())
        }
        return total
    }
}

extension CloudSimulation {
    /// What observers found, beside what there was to find.
    public struct Score: Hashable, Sendable {
        /// Conflicts called proven.
        public internal(set) var proven = 0
        /// Those of them in which neither writer had been shown the other's version.
        public internal(set) var provenRight = 0
        /// Conflicts called suspected.
        public internal(set) var suspected = 0
        /// Those of them in which neither writer had been shown the other's version.
        public internal(set) var suspectedRight = 0
        /// Pairs of concurrent updates of which some store showed one and then the other.
        public internal(set) var visible = 0
        /// Those of them that were proven.
        public internal(set) var visibleProven = 0
        /// Those of them that were not, in records that somebody has deleted.
        public internal(set) var visibleAfterDelete = 0
        /// Edits that a concurrent write discarded.
        public internal(set) var discarded = 0
        /// Those of them that were proven to be.
        public internal(set) var discardedProven = 0
        /// Edits discarded by a concurrent write whose value is not shown in the end.
        public internal(set) var lost = 0
        /// Those of them that were proven to be discarded.
        public internal(set) var lostProven = 0
        /// Proofs against a version that a later one had replaced before, which the device was never shown; they count as right.
        ///
        /// A device that is put back from a backup, or an engine that sends a field that an arrival has overwritten, brings such a version
        /// back.
        public internal(set) var stale = 0
        /// Conflicts that only the logs of all devices together prove.
        public internal(set) var joined = 0
        /// Histories whose logs together say whether an export replaces fields or whole records.
        public internal(set) var exportsTold = 0
        /// Those of them that say what the engine does.
        public internal(set) var exportsToldRight = 0
        /// Seeds of histories with a wrong proof.
        public internal(set) var wrongSeeds: [UInt64] = []

        /// Discarded edits that nothing was proven of, counted by the reason.
        package internal(set) var missed: [CloudMiss: Int] = [:]

        private var told: Set<ConflictID> = []
        private var provenTold: Set<ConflictID> = []
        private var joinedTold: Set<ConflictID> = []
        private var pairs: Set<CloudTruth.Pair> = []
        private var suspicions: [CloudTruth.Pair: ConflictID] = [:]

        /// The share of proofs that are right; 1 without proofs.
        public var precision: Double { Self.share(provenRight, of: proven) }
        /// The share of suspicions that are right; 1 without suspicions.
        public var suspectedPrecision: Double { Self.share(suspectedRight, of: suspected) }
        /// The share of visible pairs that were proven.
        public var visibleRecall: Double { Self.share(visibleProven, of: visible) }
        /// The share of discarded edits that were proven to be.
        public var discardedRecall: Double { Self.share(discardedProven, of: discarded) }
        /// The share of lost edits that were proven to be discarded.
        public var lostRecall: Double { Self.share(lostProven, of: lost) }

        private static func share(_ part: Int, of whole: Int) -> Double { whole == 0 ? 1 : Double(part) / Double(whole) }

        mutating func isFirst(_ conflict: Conflict, joined isJoined: Bool) -> Bool {
            if !isJoined { return told.insert(conflict.id).inserted }
            // What an observer suspected may be proven now.
            guard joinedTold.insert(conflict.id).inserted, !provenTold.contains(conflict.id) else { return false }
            joined += 1
            return true
        }

        mutating func count(_ conflict: Conflict, _ pair: CloudTruth.Pair, isRight: Bool) {
            if conflict.basis.isProof {
                proven += 1
                provenTold.insert(conflict.id)
                provenRight += isRight ? 1 : 0
                if isRight { pairs.insert(pair) }
            } else {
                suspected += 1
                suspectedRight += isRight ? 1 : 0
                suspicions[pair] = conflict.id
            }
        }

        mutating func count(_ evidence: ExportEvidence, isWhole: Bool) {
            guard evidence.outlived > 0 || evidence.replaced > 0 else { return }
            exportsTold += 1
            exportsToldRight += (evidence.replaced > 0) == isWhole ? 1 : 0
        }

        mutating func countWrong(_ conflict: Conflict) {
            if conflict.basis.isProof { proven += 1 } else { suspected += 1 }
        }

        mutating func count(
            _ truth: CloudTruth, final: [RecordKey: CloudDatabase.Record], _ doubts: [ConflictID: ObservedConflict.Doubt]
        ) {
            func isProven(_ pair: CloudTruth.Pair) -> Bool {
                pairs.contains(pair) || pairs.contains(.init(loser: pair.winner, winner: pair.loser))
            }
            let seen = truth.visible.filter { truth.versions[$0.loser].field != nil && truth.versions[$0.winner].field != nil }
            visible = seen.count
            visibleProven = seen.count(where: isProven)
            let deleted = truth.deletedKeys
            visibleAfterDelete = seen.count { !isProven($0) && deleted.contains(truth.versions[$0.loser].key) }
            let found = Set(pairs.lazy.map(\.loser))
            let edits = Set(truth.discarded.lazy.map(\.loser)).filter { truth.versions[$0].field != nil }
            discarded = edits.count
            discardedProven = edits.count(where: found.contains)
            for pair in truth.discarded where truth.versions[pair.loser].field != nil && !found.contains(pair.loser) {
                missed[miss(of: pair, truth, doubts), default: 0] += 1
            }
            let gone = truth.lost(final)
            lost = gone.count
            lostProven = gone.count(where: found.contains)
        }

        private func miss(
            of pair: CloudTruth.Pair, _ truth: CloudTruth, _ doubts: [ConflictID: ObservedConflict.Doubt]
        ) -> CloudMiss {
            let reverse = CloudTruth.Pair(loser: pair.winner, winner: pair.loser)
            if pairs.contains(reverse) { return .provenOtherWay }
            if let suspicion = suspicions[pair] ?? suspicions[reverse] {
                return doubts[suspicion].map { .suspected($0) } ?? .suspectedInEndedProcess
            }
            if !truth.visible.contains(pair) { return .neverShown }
            return truth.versions[pair.winner].field == nil ? .passedOverDelete : .passedOver
        }

        mutating func add(_ other: Score) {
            missed.merge(other.missed) { $0 + $1 }
            proven += other.proven
            joined += other.joined
            exportsTold += other.exportsTold
            exportsToldRight += other.exportsToldRight
            stale += other.stale
            visibleAfterDelete += other.visibleAfterDelete
            provenRight += other.provenRight
            suspected += other.suspected
            suspectedRight += other.suspectedRight
            visible += other.visible
            visibleProven += other.visibleProven
            discarded += other.discarded
            discardedProven += other.discardedProven
            lost += other.lost
            lostProven += other.lostProven
            wrongSeeds += other.wrongSeeds.prefix(max(0, 20 - wrongSeeds.count))
        }
    }
}
