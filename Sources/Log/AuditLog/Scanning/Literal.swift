/// A short text to compare with in a few steps: up to 16 bytes.
struct Literal: BitwiseCopyable, Sendable {
    let low: UInt64
    let lowMask: UInt64
    let high: UInt64
    let highMask: UInt64
    let count: Int

    init(_ text: String) {
        let bytes = Array(text.utf8)
        precondition(bytes.count <= 16, "it fits")
        func word(_ start: Int) -> (UInt64, UInt64) {
            var (value, mask): (UInt64, UInt64) = (0, 0)
            for index in start..<start + 8 where index < bytes.count {
                value |= UInt64(bytes[index]) << UInt64(8 * (index - start))
                mask |= 0xff << UInt64(8 * (index - start))
            }
            return (value, mask)
        }
        (low, lowMask) = word(0)
        (high, highMask) = word(8)
        count = bytes.count
    }

    /// The bytes between two cursors; no text where they are more than 16.
    init(from start: LineCursor, to end: LineCursor) {
        let distance = end.distance(from: start)
        count = distance <= 16 ? distance : 0
        lowMask = ~(.max << UInt64(8 * count))
        highMask = ~(.max << UInt64(8 * max(0, count - 8)))
        low = start.word(0) & lowMask
        high = start.word(8) & highMask
    }
}
