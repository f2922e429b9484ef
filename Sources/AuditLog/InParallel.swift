import Dispatch
package import SyncModel

/// Calls a function on each of the first so many workers, each on a thread of its own, and collects what they return.
package func inParallel<Worker: ~Copyable, Result: Sendable>(
    _ workers: [Locked<Worker>], count: Int, _ body: @Sendable (inout Worker, Int) -> Result
) -> [Result] {
    if count == 1 { return [workers[0].withLock { body(&$0, 0) }] }
    let results = Locked([Result?](repeating: nil, count: count))
    DispatchQueue.concurrentPerform(iterations: count) { index in
        let result = workers[index].withLock { body(&$0, index) }
        results.withLock { $0[index] = result }
    }
    return results.withLock { $0 }.compactMap { $0 }
}
