/// A number that may be missing, in the memory of a number: the lowest stands for none.
///
/// ```swift
/// @Compact<Int32, Int> var author: Int?
/// ```
@propertyWrapper
@usableFromInline
package struct Compact<
    Raw: FixedWidthInteger & SignedInteger & Sendable & BitwiseCopyable, Value: BinaryInteger & Sendable
>: Sendable, BitwiseCopyable {
    @usableFromInline var raw = Raw.min

    /// The number; nil where there is none.
    ///
    /// One that does not fit is moved to the edge.
    @inlinable package var wrappedValue: Value? {
        @inline(__always) get { raw == .min ? nil : Value(truncatingIfNeeded: raw) }
        @inline(__always) set { raw = newValue.map { max(Raw(clamping: $0), .min + 1) } ?? .min }
    }

    /// A number, or none.
    @inlinable package init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }
}
