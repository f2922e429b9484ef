import FleetHistories
import Testing

/// An app that is killed, at every step of a save, an export, an import and the shadow's own, and started again.
struct ObserverKillTests {
    @Test func killedAtAnyStepNothingIsMissedOrReportedUnderTwoNames() throws {
        let steps = try KilledObserver.steps()
        #expect(steps > 40)
        for step in 0..<steps { try KilledObserver.check(killedAt: step) }
    }

    @Test(arguments: KilledObserver.flushes) func killedAtAnyStepALogHasEachConflictOnce(flush: String) throws {
        for step in 0..<(try KilledObserver.steps(flush: flush)) { try KilledObserver.check(killedAt: step, flush: flush) }
    }

    @Test(arguments: KilledObserver.flushes) func killedAtAnyTimeALogHasEachConflictOnce(flush: String) throws {
        for round in 0..<25 {
            try KilledObserver.check(killedAfter: (0..<6).map { 2000 + round * 800 + $0 * 300 }, flush: flush, "round \(round)")
        }
    }

    @Test func killedAtAnyTimeNothingIsMissed() throws {
        for round in 0..<20 {
            try KilledObserver.check(killedAfter: Array(repeating: 2000 + round * 1500, count: 4), "round \(round)")
        }
    }
}
