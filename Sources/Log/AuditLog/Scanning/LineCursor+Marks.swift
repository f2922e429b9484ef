// What is asked of many bytes of a line at once, and what a ``QuoteMap`` says of them.
//
// Sound as all of ``LineCursor`` is: the blocks begin at the line break at the latest, and end within the padding behind it.

import CVector

extension LineCursor {
    /// Whether a comma and a quote stand before a distance, but no brace before them: behind the last member of an object that is a member
    /// itself.
    ///
    /// - Parameter distance: 2 or more, from behind the quote that opens a key; two bytes of the line at least stand before that place.
    @inline(__always) func isSeparated(_ distance: Int) -> Bool {
        // A brace and a bracket differ in one bit.
        let separator = half(distance - 4) & 0xffff_df00
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

    @inline(__always) static func areOthers(_ bytes: SIMD16<Int8>) -> SIMDMask<SIMD16<Int8>> {
        // As a signed number a byte that is not ASCII is below 0. The vectors are spelt out: compared with a number, each byte would be
        // taken in turn.
        bytes .== SIMD16<Int8>(repeating: 0x5c) .| bytes .< SIMD16<Int8>(repeating: 0x20)
    }

    @inline(__always) private func marks(_ areMarked: (SIMD16<Int8>) -> SIMDMask<SIMD16<Int8>>) -> UInt64 {
        marks(0, areMarked) | marks(16, areMarked) << 16 | marks(32, areMarked) << 32 | marks(48, areMarked) << 48
    }

    /// Marks some of 16 bytes with a bit each.
    @inline(__always) func marks(_ offset: Int, _ areMarked: (SIMD16<Int8>) -> SIMDMask<SIMD16<Int8>>) -> UInt64 {
        unsafe UInt64(vector_signs(unsafeBitCast(areMarked(load(offset, as: SIMD16<Int8>.self)), to: SIMD16<Int8>.self)))
    }

    /// Consumes a member of an object and the quote that opens the next key; returns where its value is.
    @inline(__always) mutating func consume(_ member: QuoteMap.Member, from start: Int) -> ValueExtents.Extent {
        let extent = ValueExtents.Extent(start: at(start), end: at(member.end))
        advance(member.next)
        return extent
    }
}
