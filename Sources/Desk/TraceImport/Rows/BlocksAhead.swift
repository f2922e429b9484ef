import Dispatch
import SyncSystem

/// Blocks that another thread makes, one ahead, while the one before is used.
///
/// Used by one thread at a time.
final class BlocksAhead<Block: Sendable> {
    private let queue = DispatchQueue(label: "syncaudit.ahead")
    /// What has been made and not been taken, once the queue has nothing to do.
    private let made = Locked<Block?>(nil)
    private let make: @Sendable () -> Block?

    /// Begins with the first.
    ///
    /// - Parameter make: Makes the next block; nil at the end, behind which it is not called any more.
    init(_ make: @escaping @Sendable () -> Block?) {
        self.make = make
        prepare()
    }

    private func prepare() {
        queue.async { [make, made] in
            let block = make()
            made.withLock { $0 = block }
        }
    }

    /// The next block; nil at the end.
    func next() -> Block? {
        guard let block = queue.sync(execute: { made.withLock { $0.take() } }) else { return nil }
        prepare()
        return block
    }
}
