import SyncBytes

extension TerminalText {
    /// The columns of one character as a reader sees it, which may consist of several scalars.
    static func width(of character: Character) -> Int {
        let scalars = character.unicodeScalars
        if let first = scalars.first, scalars.count > 1 || first.value > 0xff {
            let isEmoji = first.properties.isEmojiPresentation || first.properties.isEmoji && scalars.contains("\u{fe0f}")
            if isEmoji { return 2 }
        }
        // Not the width of the first alone: Indic clusters hold several scalars that each take a column.
        return scalars.reduce(0) { $0 + width(of: $1) }
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value) || scalar.value == 0xad ? 0 : 1 }
        // Vowels and final consonants of Hangul join the consonant before them.
        if (0x1160...0x11ff).contains(scalar.value) { return 0 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: return 0
        default: return isWide(scalar.value) ? 2 : 1
        }
    }

    private static func isWide(_ value: UInt32) -> Bool {
        let index = wideRanges.partitioningIndex { $0.upperBound >= value }
        return index < wideRanges.count && wideRanges[index].contains(value)
    }

    /// The blocks whose characters are wide or full-width, in ascending order.
    ///
    /// Source: Unicode Standard Annex 11, *East Asian Width*, with
    /// unassigned positions inside a block counted as its neighbours are.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115f,
        0x2329...0x232a,
        0x2e80...0x303e,
        0x3041...0x33ff,
        0x3400...0x4dbf,
        0x4e00...0xa4cf,
        0xa960...0xa97f,
        0xac00...0xd7a3,
        0xf900...0xfaff,
        0xfe10...0xfe19,
        0xfe30...0xfe6f,
        0xff01...0xff60,
        0xffe0...0xffe6,
        0x16fe0...0x18cff,
        0x1aff0...0x1b2ff,
        0x1f200...0x1f2ff,
        0x1f300...0x1f64f,
        0x1f680...0x1f6ff,
        0x1f900...0x1f9ff,
        0x20000...0x3fffd,
    ]
}
