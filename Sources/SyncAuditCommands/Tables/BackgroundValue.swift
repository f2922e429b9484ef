import Dispatch
import SyncSystem

/// A value that another thread changes, while this one prepares what it is changed by.
///
/// One change is made after the other, in the order in which they were handed over. A value whose changes come faster than they are made
/// has whoever hands them over wait, so that few are held. Safe to use from several threads.
final class BackgroundValue<Value: Sendable>: Sendable {
    private let value: Locked<Value>
    private let changes = DispatchQueue(label: "syncaudit.background")
    private let room = DispatchSemaphore(value: BackgroundValue.mostWaiting)

    /// How many changes are handed over and not yet made.
    private static var mostWaiting: Int { 4 }

    /// A value that nobody else changes.
    init(_ value: consuming sending Value) { self.value = Locked(value) }

    /// Has the value changed; waits while many changes are still to be made.
    func change(_ body: @escaping @Sendable (inout Value) -> Void) {
        room.wait()
        changes.async {
            self.value.withLock { body(&$0) }
            self.room.signal()
        }
    }

    /// Looks at the value, once all changes have been made.
    func withValue<Result: Sendable>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try changes.sync { try value.withLock { try body(&$0) } }
    }
}
