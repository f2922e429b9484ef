import FleetHistories
import Testing

/// An app that is killed and started again; at every step, and at any time, among the tests of programs.
struct KilledProcessTests {
    @Test func killedAtAStepNothingIsMissedOrReportedUnderTwoNames() throws {
        let steps = try KilledObserver.steps()
        #expect(steps > 40)
        for step in stride(from: 3, to: steps, by: 12) { try KilledObserver.check(killedAt: step) }
    }

    @Test(arguments: KilledObserver.flushes) func killedAtAStepALogHasEachConflictOnce(flush: String) throws {
        for step in [1, 17, 34] { try KilledObserver.check(killedAt: step, flush: flush) }
    }
}
