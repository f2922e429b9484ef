import Foundation

/// How much processor time the calling thread spends in a closure: other processes on a busy machine do not add to it.
package func processorTime(_ body: () throws -> Void) rethrows -> Duration {
    let start = processorTime()
    try body()
    return processorTime() - start
}

/// Whether times that are measured keep to a bound in one of three tries.
///
/// Who shares the processor and its caches can make one of them several times as long, but not the same one each time. What grows faster
/// than its input fails in all.
package func holdsWhenMeasured(_ bound: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<3 where try bound() { return true }
    return false
}

private func processorTime() -> Duration {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
