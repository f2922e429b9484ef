/// A short text to compare with in a few steps: up to 16 bytes of ASCII.
struct Literal: BitwiseCopyable {
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
}
