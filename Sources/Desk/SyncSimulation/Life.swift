import SyncModel
import SyncSystem

/// One run of a device's program, which may end at any step.
///
/// A step is whatever the outside world can tell from what came before: a change within a transaction, a commit, a line in the log. Once
/// the program has ended, nothing that is left of it reaches store, log or network. Thread-safe.
final class Life: Sendable {
    /// The program is no more.
    struct Ended: Error, CustomStringConvertible {
        let description = "the program has ended"
    }

    private struct State {
        var isOver = false
        var stepsLeft: Int?
    }

    private let state = Locked(State())

    /// Whether the program has ended.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Goes a step on, unless that is one too many.
    func step() throws(Ended) {
        let isOver = state.withLock { state in
            if state.stepsLeft == 0 { state.isOver = true }
            state.stepsLeft = state.stepsLeft.map { max(0, $0 - 1) }
            return state.isOver
        }
        if isOver { throw Ended() }
    }

    /// Ends the program after a number of steps; nil lets it go on.
    func end(afterSteps steps: Int?) {
        state.withLock { $0.stepsLeft = steps }
    }

    /// Ends the program now.
    func end() {
        state.withLock { $0.isOver = true }
    }
}
