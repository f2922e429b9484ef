/// A fixed number of plain values, without checks for uniqueness or exclusive access, which a hot loop feels; bounds are checked in debug
/// builds.
///
/// Whoever makes it is its only user: it is no `Sendable`, and what holds it is not copied.
@safe final class Memory<Value: BitwiseCopyable> {
    fileprivate let base: UnsafeMutablePointer<Value>
    let count: Int

    init(repeating value: Value, count: Int) {
        self.count = count
        unsafe base = .allocate(capacity: count)
        unsafe base.initialize(repeating: value, count: count)
    }

    deinit { unsafe base.deallocate() }

    subscript(index: Int) -> Value {
        @inline(__always) get {
            assert(index >= 0 && index < count, "in bounds")
            return unsafe base[index]
        }
        @inline(__always) set {
            assert(index >= 0 && index < count, "in bounds")
            unsafe base[index] = newValue
        }
    }

    /// Changes a value where it is.
    @inline(__always) func update(_ index: Int, _ body: (inout Value) -> Void) {
        assert(index >= 0 && index < count, "in bounds")
        unsafe body(&base[index])
    }

    /// Shows the first `count` values.
    @inline(__always) func withPrefix(_ count: Int, _ body: (Span<Value>) -> Void) {
        assert(count <= self.count, "in bounds")
        let values = unsafe Span(_unsafeStart: base, count: count)
        body(values)
    }
}

extension Memory<UInt64> {
    /// Bits of little-endian words from any one on, the first of them lowest: 57 or more, behind which others may be missing.
    @inline(__always) func bits(from index: Int) -> UInt64 {
        assert(index >= 0 && index < 64 * (count - 1), "in bounds")
        let word = unsafe UnsafeRawPointer(base).loadUnaligned(fromByteOffset: index >> 3, as: UInt64.self)
        return UInt64(littleEndian: word) &>> UInt64(truncatingIfNeeded: index & 7)
    }
}
