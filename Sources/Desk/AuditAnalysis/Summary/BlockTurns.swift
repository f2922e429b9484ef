import Dispatch
import SyncModel
import SyncSystem

/// Lets threads that read the blocks of an input do part of their work in the order of the blocks.
final class BlockTurns: Sendable {
    private struct State {
        var next = 0
        var isOver = false
        var waiting: [Int: DispatchSemaphore] = [:]
    }

    private let state = Locked(State())

    /// Waits until all blocks before have had their turns, or until there is no order any more.
    ///
    /// Blocks are handed out in their order to threads that run: whoever has the first of those that have not had their turns does not
    /// wait.
    func wait(for block: Int) {
        let semaphore = state.withLock { state -> DispatchSemaphore? in
            if state.isOver || state.next == block { return nil }
            let semaphore = DispatchSemaphore(value: 0)
            state.waiting[block] = semaphore
            return semaphore
        }
        semaphore?.wait()
    }

    /// Ends the turn of a block.
    func end(_ block: Int) {
        state.withLock { state in
            state.next = max(state.next, block + 1)
            state.waiting.removeValue(forKey: state.next)?.signal()
        }
    }

    /// Lets everybody go on: a block before will not have its turn, and what is counted does not matter any more.
    func giveUp() {
        state.withLock { state in
            state.isOver = true
            for semaphore in state.waiting.values { semaphore.signal() }
            state.waiting = [:]
        }
    }
}
