/// The position of a write in the total order: milliseconds, counter, device as UTF-8 bytes, then number.
///
/// A write that carries values to compare before its timestamp goes by those first: see ``TaggedWrite/precedes(_:)``.
package struct WriteOrder: Hashable, Comparable, Sendable {
    /// The device's clock when the write was made.
    package let timestamp: HybridTimestamp
    /// The write's name.
    package let dot: Dot

    /// The position of a write.
    package init(_ timestamp: HybridTimestamp, _ dot: Dot) {
        self.timestamp = timestamp
        self.dot = dot
    }

    /// Whether the left write comes first.
    package static func < (left: WriteOrder, right: WriteOrder) -> Bool {
        isBefore(left.timestamp, left.dot, right.timestamp, right.dot)
    }

    /// Whether the first two come before the last two: for the parts of writes, whose references it would cost to make positions of them.
    @inline(__always) static func isBefore(_ time: HybridTimestamp, _ dot: Dot, _ otherTime: HybridTimestamp, _ otherDot: Dot) -> Bool {
        time == otherTime ? dot < otherDot : time < otherTime
    }
}
