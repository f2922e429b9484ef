import Dispatch

/// Calls a function on each of the first `count` workers, each on a thread of its own, and collects what they return.
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

/// Does jobs on `threads` threads, this one included, which first does something of its own.
///
/// - Parameter own: What this thread does first; where it throws, the jobs are done all the same.
/// - Returns: What `own` returns, once all is done.
package func inParallel<Result, Failure: Error>(
    _ jobs: [@Sendable () -> Void], threads: Int, _ own: () throws(Failure) -> Result
) throws(Failure) -> Result {
    let queue = Locked((next: 0, isClosed: false))
    let helpers = DispatchGroup()
    @Sendable func runJobs() {
        while true {
            let index = queue.withLock { queue in
                queue.next += 1
                return queue.next - 1
            }
            guard index < jobs.count else { return }
            jobs[index]()
        }
    }
    for _ in 0..<min(threads - 1, jobs.count) {
        DispatchQueue.global().async {
            let isLate = queue.withLock { queue in
                if !queue.isClosed { helpers.enter() }
                return queue.isClosed
            }
            if isLate { return }
            runJobs()
            helpers.leave()
        }
    }
    defer {
        runJobs()
        // A helper that has not begun by now, because all threads are busy with other work, is not waited for.
        queue.withLock { $0.isClosed = true }
        helpers.wait()
    }
    return try own()
}
