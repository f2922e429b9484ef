import SyncModel

/// Lets one caller at a time have something that must not be used by two.
final class Exclusive<Value>: @unchecked Sendable {
    // Sound: `value` is reached only inside `use`, between lock and unlock, and whoever hands it over keeps no reference.
    private let value: Value
    // Not of an empty type: the thread sanitizer takes such a value for the object around it.
    private let turn = Locked(0)

    init(_ value: sending Value) {
        self.value = value
    }

    /// Waits for its turn and runs the body, which must neither keep the value nor call `use` again.
    func use<Result: Sendable>(_ body: (Value) throws -> Result) rethrows -> Result {
        try turn.withLock { _ in try body(value) }
    }
}
