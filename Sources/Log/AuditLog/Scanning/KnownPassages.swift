/// Passages that come again in line after line, each with what it says: to compare one as a whole takes less than to read it member by
/// member.
///
/// Only what has been read before is known, so that a passage says the same whichever way it is taken. There are few different ones in a
/// log; once there is no more room, the oldest are forgotten.
struct KnownPassages<Meaning: BitwiseCopyable> {
    /// Up to 160 bytes; short ones go without the last of them.
    private struct Bytes: BitwiseCopyable {
        var start = SIMD8<UInt64>()
        var middle = SIMD4<UInt64>()
        var end = SIMD8<UInt64>()
    }

    private struct Passage: BitwiseCopyable {
        var bytes = Bytes()
        /// Ones for all that belongs to it.
        var mask = Bytes()
        /// 0 where there is none.
        var count = 0
        var meaning: Meaning
    }

    private let passages: Memory<Passage>
    /// Which passage it can be, by what its sample says.
    private let slots = Memory(repeating: 0 as UInt8, count: 2048)
    /// How many have been remembered.
    private var remembered = 0

    /// Knows none yet; any meaning will do for them.
    init(_ meaning: Meaning) {
        passages = Memory(repeating: Passage(meaning: meaning), count: 64)
    }

    @inline(__always) private static func slot(_ sample: UInt64) -> Int {
        Int(truncatingIfNeeded: (sample &* 0x9e37_79b9_7f4a_7c15) >> 53)
    }

    /// Consumes a passage that is known.
    ///
    /// - Parameters:
    ///   - sample: Some of its words, mixed, which tell it from others.
    ///   - isLong: Whether it may have more than 96 bytes.
    @inline(__always) func consume(_ cursor: inout LineCursor, _ sample: UInt64, isLong: Bool) -> Meaning? {
        let passage = passages[Int(slots[Self.slot(sample)])]
        let start = (cursor.load(0, as: SIMD8<UInt64>.self) ^ passage.bytes.start) & passage.mask.start
        let middle = (cursor.load(64, as: SIMD4<UInt64>.self) ^ passage.bytes.middle) & passage.mask.middle
        var difference = start.lowHalf | start.highHalf | middle
        if isLong {
            let end = (cursor.load(96, as: SIMD8<UInt64>.self) ^ passage.bytes.end) & passage.mask.end
            difference |= end.lowHalf | end.highHalf
        }
        let both = difference.lowHalf | difference.highHalf
        guard both.x | both.y == 0, passage.count > 0 else { return nil }
        cursor.advance(passage.count)
        return passage.meaning
    }

    /// Remembers the passage between two cursors, unless it is too long.
    @inline(never) mutating func remember(_ start: LineCursor, to end: LineCursor, _ sample: UInt64, isLong: Bool, _ meaning: Meaning) {
        let count = end.distance(from: start)
        guard count <= (isLong ? 160 : 96) else { return }
        var passage = Passage(count: count, meaning: meaning)
        for index in 0..<8 {
            passage.bytes.start[index] = start.word(8 * index)
            passage.mask.start[index] = Self.ones(count - 8 * index)
            passage.bytes.end[index] = start.word(96 + 8 * index)
            passage.mask.end[index] = Self.ones(count - 96 - 8 * index)
        }
        for index in 0..<4 {
            passage.bytes.middle[index] = start.word(64 + 8 * index)
            passage.mask.middle[index] = Self.ones(count - 64 - 8 * index)
        }
        let index = remembered % passages.count
        remembered += 1
        passages[index] = passage
        slots[Self.slot(sample)] = UInt8(index)
    }

    /// Ones for the lowest `count` bytes.
    private static func ones(_ count: Int) -> UInt64 {
        // Shifted by 64 bits or more nothing is left.
        count <= 0 ? 0 : ~(UInt64.max << UInt64(8 * count))
    }
}
