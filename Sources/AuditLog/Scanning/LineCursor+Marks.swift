// What a ``QuoteMap`` asks of the bytes of a line, sixty-four at a time.
//
// Sound as all of ``LineCursor`` is: the blocks begin at the line break at the latest, and end within the padding behind it.

extension LineCursor {
    /// Whether a comma and a quote stand before a distance, but no brace before them: behind the last member of an object that is a member itself.
    ///
    /// - Parameter distance: 2 or more, from behind the quote that opens a key; two bytes of the line at least stand before that place.
    @inline(__always) func isSeparated(_ distance: Int) -> Bool {
        let bytes = unsafe UInt32(littleEndian: UnsafeRawPointer(place).loadUnaligned(fromByteOffset: distance - 4, as: UInt32.self))
        // A brace and a bracket differ in one bit.
        let separator = bytes & 0xffff_df00
        return separator ^ 0x222c_0000 < 0x1_0000 && separator != 0x222c_5d00
    }

    /// Marks those of the next 64 bytes that have a value with a bit each.
    @inline(__always) func marks(of byte: Int8) -> UInt64 {
        marks { $0 .== SIMD16<Int8>(repeating: byte) }
    }

    /// Marks those of the next 64 bytes that do not stand for themselves in a text: backslashes, control characters and what is not ASCII.
    @inline(__always) func marksOfOthers() -> UInt64 {
        marks(Self.areOthers)
    }

    /// Whether none of the next 64 bytes is such a one.
    @inline(__always) var isPlain: Bool {
        let others = (Self.areOthers(bytes(0)) .| Self.areOthers(bytes(16))) .| (Self.areOthers(bytes(32)) .| Self.areOthers(bytes(48)))
        let any = unsafe unsafeBitCast(others, to: SIMD2<UInt64>.self)
        return any.x | any.y == 0
    }

    @inline(__always) private static func areOthers(_ bytes: SIMD16<Int8>) -> SIMDMask<SIMD16<Int8>> {
        // As a signed number a byte that is not ASCII is below 0.
        bytes .== SIMD16<Int8>(repeating: 0x5c) .| bytes .< SIMD16<Int8>(repeating: 0x20)
    }

    @inline(__always) private func marks(_ areMarked: (SIMD16<Int8>) -> SIMDMask<SIMD16<Int8>>) -> UInt64 {
        // In each byte a bit for each of eight that are 8 bytes apart.
        let marks =
            Self.bits(areMarked(bytes(0)), 1) | Self.bits(areMarked(bytes(16)), 1 << 2) | Self.bits(areMarked(bytes(32)), 1 << 4)
            | Self.bits(areMarked(bytes(48)), 1 << 6)
        var bits = marks.x | marks.y << 1
        // Rows of bits become columns. Source: Warren, *Hacker's Delight*, 7-3.
        var swapped = (bits ^ bits >> 7) & 0x00aa_00aa_00aa_00aa
        bits ^= swapped ^ swapped << 7
        swapped = (bits ^ bits >> 14) & 0x0000_cccc_0000_cccc
        bits ^= swapped ^ swapped << 14
        swapped = (bits ^ bits >> 28) & 0x0000_0000_f0f0_f0f0
        return bits ^ swapped ^ swapped << 28
    }

    /// Of each byte's ones one bit.
    @inline(__always) private static func bits(_ mask: SIMDMask<SIMD16<Int8>>, _ bit: UInt64) -> SIMD2<UInt64> {
        unsafe unsafeBitCast(mask, to: SIMD2<UInt64>.self) & SIMD2<UInt64>(repeating: 0x0101_0101_0101_0101 &* bit)
    }

    @inline(__always) private func bytes(_ offset: Int) -> SIMD16<Int8> {
        unsafe UnsafeRawPointer(place).loadUnaligned(fromByteOffset: offset, as: SIMD16<Int8>.self)
    }

    /// A byte that may stand behind the line break.
    @inline(__always) func byte(_ offset: Int) -> UInt8 { unsafe place[offset] }

    /// Takes a member of an object and the quote that opens the next key; returns where its value stands.
    @inline(__always) mutating func take(_ member: QuoteMap.Member, from start: Int) -> ValuePlaces.Place {
        let place = unsafe ValuePlaces.Place(start: LineCursor(place + start), end: LineCursor(place + member.end))
        advance(member.next)
        return place
    }
}
