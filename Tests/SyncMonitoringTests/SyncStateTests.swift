import ConflictAudit
import SyncMonitoring
import Testing

@Suite struct SyncStateTests {
    private static let directions: [SyncState] = [.idle, .syncing, .succeeded, .failed("import"), .noAccount]

    /// A row for every state of the import, in the order above, with a column for every state of the export, in the same order.
    private static let overall: [[SyncState]] = [
        [.idle, .syncing, .idle, .failed("export"), .noAccount],
        [.syncing, .syncing, .syncing, .failed("export"), .noAccount],
        [.idle, .syncing, .succeeded, .failed("export"), .noAccount],
        [.failed("import"), .failed("import"), .failed("import"), .failed("import"), .failed("import")],
        [.noAccount, .noAccount, .noAccount, .failed("export"), .noAccount],
    ]

    /// Every state of the two directions, and what they make together.
    private static var table: [(states: SyncStates, overall: SyncState)] {
        directions.indices.flatMap { row in
            directions.indices.map { column in
                var states = SyncStates()
                states.import = directions[row]
                states.export = directions[column] == .failed("import") ? .failed("export") : directions[column]
                return (states, overall[row][column])
            }
        }
    }

    @Test(arguments: [SyncState.idle, .succeeded])
    func aSetupThatIsOverLeavesTheDirectionsToDecide(setup: SyncState) {
        for (states, overall) in Self.table {
            var states = states
            states.setup = setup
            #expect(states.overall == overall, "\(states)")
        }
    }

    @Test func aFailedSetupStandsBeforeEverything() {
        for (states, _) in Self.table {
            var states = states
            states.setup = .failed("setup")
            #expect(states.overall == .failed("setup"), "\(states)")
        }
    }

    @Test func aSetupUnderWayStandsBehindFailureAndMissingAccountOnly() {
        for (states, overall) in Self.table {
            var states = states
            states.setup = .syncing
            let passes = overall == .idle || overall == .succeeded
            #expect(states.overall == (passes ? .syncing : overall), "\(states)")
            #expect(states.isSyncing)
        }
    }

    @Test func syncingIsKnownBehindAFailureToo() {
        var states = SyncStates()
        #expect(!states.isSyncing)
        states.import = .failed("import")
        #expect(!states.isSyncing)
        states.export = .syncing
        #expect(states.isSyncing)
        #expect(states.overall == .failed("import"))
    }

    private static let starts: [SyncState] = [.idle, .syncing, .succeeded, .failed("before"), .noAccount]

    @Test(arguments: SyncActivity.Phase.allCases, SyncActivity.State.allCases)
    func aStepOfASyncSetsItsOwnPhaseFromAnyState(phase: SyncActivity.Phase, state: SyncActivity.State) {
        let expected: SyncState = [.started: .syncing, .succeeded: .succeeded, .failed: .failed("why")][state] ?? .idle
        for start in Self.starts {
            var states = SyncStates()
            (states.setup, states.import, states.export) = (start, start, start)
            let activity = SyncActivity(phase: phase, state: state, writes: 0, bytes: 0, duration: .zero, error: "why")
            states.apply(activity)
            #expect(states.setup == (phase == .setup ? expected : start))
            #expect(states.import == (phase == .import ? expected : start))
            #expect(states.export == (phase == .export ? expected : start))
        }
    }

    @Test(arguments: SyncActivity.Phase.allCases)
    func aStepThatTheAppBrokeOffIsIdleAndNoFailure(phase: SyncActivity.Phase) {
        var states = SyncStates()
        for state in [SyncActivity.State.started, .failed] {
            states.apply(
                SyncActivity(
                    phase: phase, state: state, writes: 0, bytes: 0, duration: .zero, error: state == .failed ? "cancelled" : nil))
        }
        #expect(states == SyncStates())
        #expect(states.overall == .idle)
    }

    @Test func aFailureWithoutAReasonNamesThePhase() {
        var states = SyncStates()
        states.apply(SyncActivity(phase: .export, state: .failed, writes: 0, bytes: 0, duration: .zero))
        #expect(states.export == .failed("the export failed without giving a reason"))
    }

    @Test(arguments: [AccountStatus.noAccount, .restricted])
    func withoutAnAccountNeitherDirectionIsPossible(status: AccountStatus) {
        for start in Self.starts {
            var states = SyncStates()
            (states.setup, states.import, states.export) = (.succeeded, start, start)
            states.apply(status)
            #expect(states.setup == .succeeded)
            #expect(states.import == .noAccount)
            #expect(states.export == .noAccount)
            #expect(states.overall == .noAccount)
        }
    }

    @Test(arguments: [AccountStatus.couldNotDetermine, .temporarilyUnavailable])
    func anAccountThatMayBeThereChangesNothing(status: AccountStatus) {
        for start in Self.starts {
            var states = SyncStates()
            (states.setup, states.import, states.export) = (start, start, start)
            let before = states
            states.apply(status)
            #expect(states == before)
        }
    }

    @Test func anAccountThatIsBackEndsItsAbsenceAndNothingElse() {
        for start in Self.starts {
            var states = SyncStates()
            (states.import, states.export) = (start, start)
            states.apply(AccountStatus.available)
            let expected = start == .noAccount ? .idle : start
            #expect(states.import == expected)
            #expect(states.export == expected)
        }
    }
}
