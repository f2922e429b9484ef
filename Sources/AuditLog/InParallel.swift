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

/// Does jobs on so many threads, this one included, which first does something of its own.
///
/// - Parameter own: What this thread does first; where it throws, the jobs are done all the same.
/// - Returns: What `own` returns, once all is done.
func inParallel<Result, Failure: Error>(
    _ jobs: [@Sendable () -> Void], threads: Int, _ own: () throws(Failure) -> Result
) throws(Failure) -> Result {
    let next = Locked(0)
    @Sendable func takeJobs() {
        while true {
            let index = next.withLock { next in
                next += 1
                return next - 1
            }
            guard index < jobs.count else { return }
            jobs[index]()
        }
    }
    let helpers = DispatchGroup()
    for _ in 0..<min(threads - 1, jobs.count) { DispatchQueue.global().async(group: helpers, execute: takeJobs) }
    defer {
        takeJobs()
        helpers.wait()
    }
    return try own()
}
