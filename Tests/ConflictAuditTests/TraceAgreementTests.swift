import ConflictAudit
import OracleRules
import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// A trace's conflicts are those that brute force finds: kind, register, sides, severity, basis, reason, resolution.
@Suite struct TraceAgreementTests {
    @Test(arguments: Batch.each("last writer", Oracle.Settings(), count: UInt64(histories(30, of: 3000)), firstSeed: 50_000_001))
    func conflictsAgreeUnderDefaultRulesAndEveryDeletePolicy(_ batch: Batch) {
        check(batch)
    }

    @Test(arguments: Batch.otherPolicies(count: UInt64(histories(4, of: 120)), firstSeed: 60_000_000))
    func conflictsAgreeUnderEveryOtherPolicy(_ batch: Batch) {
        check(batch)
    }

    /// Under the first writer a later write's victory over a delete may make an earlier one win, also after a write that won before is gone.
    private static let known = [
        Batch(
            name: "first writer", mode: .everyForm, settings: Oracle.Settings(policy: .firstWriterWins, deletes: .lastWriterWins),
            seeds: 700_020_260..<700_020_261),
        Batch(
            name: "record, first writer", mode: .cursors,
            settings: Oracle.Settings(policy: .firstWriterWins, isRecordLevel: true, deletes: .lastWriterWins),
            seeds: 700_187_238..<700_187_239),
    ]

    @Test(arguments: known) func conflictsAgreeInHistoriesThatOnceWentWrong(_ batch: Batch) { check(batch) }

    @Test(
        arguments: Batch.addingUp(.counter, count: UInt64(histories(30, of: 300)), firstSeed: 61_000_000))
    func conflictsOfCountersAgree(_ batch: Batch) {
        check(batch) { _, random in
            switch random.below(10) {
            case 0: .null
            case 1, 2: .number(JSONNumber(random.below(3)))
            case 3: "hello"
            case 4: ["$counter": 1.5]
            default: CounterWrite(total: Int64(random.below(4))).value
            }
        }
    }

    /// Histories in causal order, in which everything that is said of a loser follows from the whole.
    @Test(arguments: Batch.causal(count: UInt64(histories(40, of: 4000)), firstSeed: 62_000_000))
    func whatWasLostAgreesInCausalOrder(_ batch: Batch) { check(batch, isCausal: true) }

    @Test(arguments: Batch.causal(count: UInt64(histories(40, of: 4000)), firstSeed: 63_000_000))
    func whatWasLostAgreesInFormsSavedWhole(_ batch: Batch) {
        // Few values, so that forms repeat them.
        check(batch, isCausal: true) { _, random in [1, 1, 1, 2, .null][random.below(5)] }
    }

    /// A context may leave out what another that it names holds.
    @Test func whatWasLostAgreesInAHistoryThatOnceWentWrong() {
        let settings = Oracle.Settings(deletes: .lastWriterWins)
        check(Batch(name: "last writer", mode: .causal, settings: settings, seeds: 63_040_307..<63_040_308), isCausal: true) { _, random in
            [1, 1, 1, 2, .null][random.below(5)]
        }
    }

    /// Everything about a conflict that both can say.
    private struct Account: Equatable {
        var finding: Oracle.Finding
        var resolution: Conflict.Resolution

        /// Without a local side, the side that arrived first is local.
        init(_ finding: Oracle.Finding, _ settings: Oracle.Settings) {
            self.finding = finding
            (self.finding.isUnedited, self.finding.part) = (false, nil)
            if case .manual = settings.policy, ["update_update", "insert_insert"].contains(finding.kind) {
                resolution = .manualPending
            } else if finding.severity == "merged" {
                resolution = .merged
            } else {
                resolution = finding.didWinnerArriveFirst ? .keepLocal : .applyRemote
            }
            // The resolution is all that a conflict says of the order of arrival.
            self.finding.didWinnerArriveFirst = resolution == .keepLocal
        }

        init(_ conflict: Conflict) {
            finding = Oracle.Finding(
                kind: conflict.kind.rawValue, key: conflict.key, field: conflict.field, winner: conflict.winner.dot,
                loser: conflict.loser.dot, severity: conflict.severity.rawValue, basis: conflict.basis.rawValue,
                reason: conflict.reason.rawValue, didWinnerArriveFirst: conflict.resolution == .keepLocal, isStale: conflict.isStale,
                isCleared: conflict.isCleared)
            finding.isRepeated = conflict.isRepeated
            resolution = conflict.resolution
        }
    }

    private func check(_ batch: Batch, isCausal: Bool = false, values: (@Sendable (_ device: Int, inout SplitMix64) -> FieldValue)? = nil) {
        let rules = batch.settings.rules
        for seed in batch.seeds {
            let history = RandomHistory(seed: seed, mode: batch.mode, values: values)
            let arrivals = isCausal ? history.writes : history.arrivals
            let verdict = Oracle.judge(arrivals, batch.settings, isWhole: isCausal)
            let expected = verdict.findings.map { Account($0, batch.settings) }
            let inference = batch.settings.inference
            var auditor = TraceAuditor(
                mergeRules: rules,
                auditRules: AuditRules(window: .milliseconds(inference.window), clockTolerance: .milliseconds(inference.tolerance)),
                isReplica: !isCausal)
            var conflicts: [Conflict] = []
            for write in arrivals { conflicts += auditor.observe(write) }
            let actual = conflicts.map(Account.init)
            func story() -> Comment { Comment(rawValue: RandomHistory.story(seed, arrivals)) }
            #expect(expected.filter { !actual.contains($0) } == [], story())
            #expect(actual.filter { !expected.contains($0) } == [], story())
            #expect(actual.count == expected.count, story())
            #expect(Set(conflicts.map(\.id)).count == conflicts.count, story())
            let records = auditor.records()
            #expect(records.map(\.key) == verdict.state.keys.sorted(), story())
            for record in records { #expect(record.fields == verdict.state[record.key], story()) }
            #expect(auditor.statistics.totalConflicts == expected.count, story())
            #expect(auditor.statistics.writesObserved == arrivals.count, story())
        }
    }
}
