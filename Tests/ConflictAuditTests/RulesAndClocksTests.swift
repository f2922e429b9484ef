import ConflictAudit
import SyncMerge
import SyncModel
import Testing

/// Rules, clocks and what events say of themselves.
@Suite struct RulesAndClocksTests {
    @Test func lengthsOfTimeBelow0TrapInTheProgram() async {
        _ = AuditRules(window: .zero, clockTolerance: .zero)
        await #expect(processExitsWith: .failure) { _ = AuditRules(window: .milliseconds(-1)) }
        await #expect(processExitsWith: .failure) { _ = AuditRules(clockTolerance: .milliseconds(-1)) }
    }

    @Test func aSyncIsCancelledOnlyIfItFailedBecauseOfThat() {
        func activity(_ state: SyncActivity.State, _ error: String?) -> Bool {
            SyncActivity(phase: .import, state: state, writes: 0, bytes: 0, duration: .zero, error: error).wasCancelled
        }
        #expect(activity(.failed, SyncActivity.cancellation))
        #expect(!activity(.failed, "no network"))
        #expect(!activity(.failed, nil))
        #expect(!activity(.succeeded, SyncActivity.cancellation))
    }

    @Test(arguments: [(0, ""), (1, ", 1 pulse missed"), (2, ", 2 pulses missed")])
    func aLookSaysHowManyPulsesWereMissed(count: Int, end: String) {
        let report = RefreshReport(
            trigger: .pulse, decision: .refresh, shownVersion: 3, refreshVersion: 3, reloads: 1, isInForeground: true, missedPulses: count,
            pulseInterval: .seconds(10))
        #expect(report.description == "pulse: refresh, version 3 of 3 shown, 1 reload" + end)
    }

    @Test func theClocksOrderTwoWrites() {
        #expect(conflict(reason: .newer).latestWins == true)
        #expect(conflict(reason: .tieBreak).latestWins == true)
        for reason in [Conflict.Reason.policy, .deleteWins, .editWins, .custom, .causal] {
            #expect(conflict(reason: reason).latestWins == nil)
        }
    }

    @Test func twoSidesAreOrderedByCorrectedClocksThenCountersThenDots() {
        func flips(_ winner: (Int64, UInt32), _ loser: (Int64, UInt32), latestWins: Bool = true, offset: Int64 = 0) -> Bool {
            ClockOffsets.wouldFlip(
                winner: WriteOrder(HybridTimestamp(milliseconds: winner.0, counter: winner.1), Dot(device: "b", sequence: 1)),
                loser: WriteOrder(HybridTimestamp(milliseconds: loser.0, counter: loser.1), Dot(device: "a", sequence: 1)),
                latestWins: latestWins, offset: { $0 == "b" ? offset : 0 })
        }
        #expect(!flips((5, 0), (4, 0)))
        #expect(flips((5, 0), (4, 9), offset: 1))
        #expect(!flips((5, 0), (4, 0), offset: 1), "the dot of b comes after that of a")
        #expect(flips((5, 0), (4, 0), latestWins: false))
        #expect(!flips((4, 0), (5, 0), latestWins: false))
        #expect(!flips((.min, 0), (.min, 0), offset: 1), "a time that cannot be corrected stays as it is")
    }

    @Test func severitiesRiseFromNothingLostToDivergingReplicas() {
        #expect(Conflict.Severity.allCases.sorted() == [.benign, .merged, .lossy, .destructive, .divergent])
        #expect(Conflict.Resolution.allCases.filter(\.isAutomatic) == [.keepLocal, .applyRemote, .merged])
        #expect(Conflict.Basis.allCases.map { conflict(basis: $0).isProven } == [true, true, false, false, false])
    }

    @Test func theGapBetweenTheEndsOfTimeIsANumber() throws {
        func put(_ device: DeviceID, at milliseconds: Int64) -> TaggedWrite {
            TaggedWrite(
                dot: Dot(device: device, sequence: 1), timestamp: HybridTimestamp(milliseconds: milliseconds),
                key: RecordKey(type: "note", id: "1"), operation: .put(["x": .string(device.rawValue)]), seen: [:])
        }
        for writes in [[put("a", at: .min), put("b", at: .max)], [put("a", at: .max), put("b", at: .min)]] {
            var auditor = TraceAuditor()
            let found = writes.flatMap { auditor.observe($0) }
            #expect(found.map(\.gapMilliseconds) == [.max])
        }
    }
}
