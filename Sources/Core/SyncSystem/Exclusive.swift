/// Lets one caller at a time have something that must not be used by two.
package final class Exclusive<Value>: Sendable {
    private let value: Locked<Value>

    package init(_ value: sending Value) {
        self.value = Locked(value)
    }

    /// Waits for its turn and runs the body, which must neither keep the value nor call `use` again.
    package func use<Result: Sendable>(_ body: (Value) throws -> Result) rethrows -> Result {
        try value.withLock { value in try body(value) }
    }
}
