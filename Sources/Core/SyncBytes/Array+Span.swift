extension Array {
    /// The elements, looked at where they lie.
    ///
    /// The standard library has the same from macOS 26 and iOS 26 on, and that of a slice on all systems. The slice is of this array's own
    /// memory, which is kept for as long as the array is borrowed.
    @inlinable package var span: Span<Element> {
        @_lifetime(borrow self) @inline(__always) get {
            let slice = self[...]
            return unsafe _overrideLifetime(slice.span, borrowing: self)
        }
    }

    /// The address of the elements, which no other array has for as long as this one is kept.
    @inlinable package var address: UInt { unsafe withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
}
